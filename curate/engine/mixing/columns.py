"""What is held of a mixture's records: columns by position, over the records of all parts in their order, and no object
of a record's own. Memory: some 30 bytes a record, its id, and the details of those that are out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.fates import Fates
from curate.engine.naming import renamed
from curate.model.trajectory import Trajectory
from curate.stages.ids import Ids
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

KEYS = ("source", "platform", "actor")
"""What groups of a mixture may be made of."""
TEST = "test"
_UNKNOWN = "unknown"


class Part(msgspec.Struct, kw_only=True):
    """A part of a mixture: a dataset or run folder, whose records are those from `first` to before `last`. `fates`: of
    a run folder."""

    name: str
    folder: Path
    fates: Fates | None = None
    first: int = 0
    last: int = 0

    @property
    def count(self) -> int:
        return self.last - self.first


class Why(NamedTuple):
    """Why a record may not be taken."""

    reason: str
    detail: str | None = None


class Key(NamedTuple):
    """A column of few texts: by record the number of its text in `names`, which ascend."""

    names: list[str]
    codes: NDArray[np.int32]


class Outs:
    """Which of `count` records may not be taken, and why; the first reason stands."""

    def __init__(self, count: int) -> None:
        self._code = np.zeros(count, np.int8)
        self._reasons = [""]
        self._rows: list[NDArray[np.int64]] = []
        self._details: list[Any] = []
        self._found: tuple[NDArray[np.int64], Any] | None = None

    @property
    def out(self) -> NDArray[np.bool_]:
        """By record, whether it is out."""
        return self._code > 0

    def add(self, rows: NDArray[np.int64], reasons: Any, details: Any = None) -> None:
        """Put records out. `reasons`: a code, or an Arrow column of them by row; `details`: such a column of texts."""
        new = self._code[rows] == 0
        rows = rows[new]
        if isinstance(reasons, str):
            self._code[rows] = self._number(reasons)
        else:
            told = reasons.filter(pa.array(new)).dictionary_encode()
            numbers = np.array([self._number(one) for one in told.dictionary.to_pylist()], np.int8)
            self._code[rows] = numbers[told.indices.to_numpy()] if len(rows) else 0
        if details is not None and len(rows):
            self._rows.append(rows)
            self._details.append(details.filter(pa.array(new)))
            self._found = None

    def of(self, row: int) -> Why | None:
        """Why a record is out; None for one that may be taken."""
        code = int(self._code[row])
        if not code:
            return None
        rows, details = self._told()
        at = int(np.searchsorted(rows, row))
        found = at < len(rows) and rows[at] == row
        return Why(self._reasons[code], details[at].as_py() if found else None)

    def _number(self, reason: str) -> int:
        if reason not in self._reasons:
            self._reasons.append(reason)
        return self._reasons.index(reason)

    def _told(self) -> tuple[NDArray[np.int64], Any]:
        if self._found is None:
            rows = np.concatenate([np.zeros(0, np.int64), *self._rows])
            order = np.argsort(rows, kind="stable")
            details = pa.chunked_array([*self._details], pa.string()).combine_chunks()
            self._found = rows[order], details.take(places(order))
            self._rows, self._details = [self._found[0]], [self._found[1]]
        return self._found


class Candidates:
    """The records of all parts. By record: `ids` as they came and `named`, each once; how many `steps`, its `weight`
    (of a run folder as the run decided), whether it is `people`'s; its `keys`; whether it is of a run's own `test`."""

    def __init__(self, parts: Sequence[Part], read: Sequence[Read]) -> None:
        self.parts = parts
        self.ids = Ids(pa.chunked_array([one.ids for one in read], pa.string()).combine_chunks())
        self.named = Ids(_named(self.ids.array))
        self.steps = np.concatenate([np.zeros(0, np.int32), *(one.steps for one in read)])
        self.weight = np.concatenate([np.zeros(0), *(one.weight for one in read)])
        self.people = np.concatenate([np.zeros(0, bool), *(one.people for one in read)])
        self.keys = {key: _key(pa.chunked_array([one.keys[key] for one in read], pa.string())) for key in KEYS}
        self.outs = Outs(len(self))
        self.test = np.zeros(len(self), bool)
        for part in parts:
            if part.fates is not None:
                self._decided(part, part.fates)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def part_of(self) -> NDArray[np.int64]:
        """By record, the number of its part."""
        return np.repeat(np.arange(len(self.parts)), [part.count for part in self.parts])

    def may(self, part: Part | None = None) -> NDArray[np.int64]:
        """The records that may be taken, ascending: of a part, or of all."""
        rows = np.flatnonzero(~self.outs.out)
        return rows if part is None else rows[np.searchsorted(rows, part.first) : np.searchsorted(rows, part.last)]

    def _decided(self, part: Part, fates: Fates) -> None:
        rows = np.arange(part.first, part.last)
        known = ~np.isnan(fates.weight)
        self.weight[rows[known]] = fates.weight[known]
        self.test[rows] = np.array([name == TEST for name in fates.splits], bool)[fates.split] & (fates.split >= 0)
        self.outs.add(rows[fates.split < 0], "mix.not_kept")
        self.outs.add(rows[self.test[rows]], "mix.test_split")


class Read(NamedTuple):
    """Columns of the records of one table, as `Candidates` has them."""

    ids: Any
    steps: NDArray[np.int32]
    weight: NDArray[np.float64]
    people: NDArray[np.bool_]
    keys: dict[str, Any]


def read_columns(made: Sequence[Trajectory]) -> Read:
    """The columns of some records."""
    kinds = [record.actor.kind for record in made]
    told: dict[str, list[Any]] = {
        "source": [record.source.name for record in made],
        "platform": [r.platform for r in made],
        "actor": kinds,
    }
    return Read(
        pa.array([record.id for record in made], pa.string()),
        np.array([len(record.steps) for record in made], np.int32),
        np.array([record.weight.value for record in made], np.float64),
        np.array([kind == "human" for kind in kinds], bool),
        {key: pa.array([value or _UNKNOWN for value in told[key]], pa.string()) for key in KEYS},
    )


def _named(ids: Any) -> Any:
    changed = renamed(ids)
    if not changed:
        return ids
    place = np.arange(len(ids))
    place[np.fromiter(changed, np.int64)] = len(ids) + np.arange(len(changed))
    return pa.concat_arrays([ids, pa.array(changed.values(), pa.string())]).take(places(place))


def _key(column: Any) -> Key:
    told = column.combine_chunks().dictionary_encode()
    names: list[str] = told.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), np.int32)
    rank[order] = np.arange(len(names))
    return Key([names[at] for at in order], rank[told.indices.to_numpy()] if len(column) else np.zeros(0, np.int32))
