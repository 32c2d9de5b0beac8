"""What the decisions together mean for each run that is left: its split, its weight, its steps that are no target,
and what it takes over from runs that are out. Columns over all runs of the corpus; who makes examples gets a slice.

Memory: some 30 bytes a run, and four for each step left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.fingerprint import fingerprint
from curate.engine.places import Place
from curate.model.trajectory import Trajectory, Weight
from curate.stages.base import LINEAGE, WORDINGS, first_of_each
from curate.stages.tables import nulls
from curate.stages.tables import places as rows_at

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

NO_SPLIT = "train"
"""The split of a run when the recipe splits nothing."""


class Taken(msgspec.Struct, kw_only=True, frozen=True):
    """What a record takes over from runs that are out: `wordings` under their keys, lines of its `lineage`."""

    wordings: list[tuple[str, str]] = []
    lineage: list[str] = []


class Fate(msgspec.Struct, kw_only=True, frozen=True):
    """What becomes of a run that is kept: its `split`, its `weight` (None: as the record says), indices of the steps
    that are no target, and of those that leave the history too; what it has `taken` over."""

    split: str
    weight: Weight | None = None
    no_target: list[int] = []
    no_history: list[int] = []
    taken: Taken | None = None


class Lists(NamedTuple):
    """A list of step indices for each run: of run `i`, `values[offsets[i]:offsets[i + 1]]`."""

    offsets: NDArray[np.int64]
    values: NDArray[np.int32]

    def of(self, row: int) -> list[int]:
        found: list[int] = self.values[self.offsets[row] : self.offsets[row + 1]].tolist()
        return found

    def slice(self, first: int, last: int) -> Lists:
        start, stop = int(self.offsets[first]), int(self.offsets[last])
        return Lists(self.offsets[first : last + 1] - start, self.values[start:stop])


class Fates(NamedTuple):
    """The fates of consecutive runs. By row: `split` in `splits` (-1: the run is out), `weight` (NaN: as the record
    says) by whom in `sources`, steps. `taken_at`: rows that take something over, ascending, and what (the columns
    `wordings` and `lineage`)."""

    splits: Sequence[str]
    sources: Sequence[str]
    split: NDArray[np.int8]
    weight: NDArray[np.float64]
    source: NDArray[np.int16]
    no_target: Lists
    no_history: Lists
    taken_at: NDArray[np.int64]
    taken: pa.Table

    def of(self, row: int) -> Fate | None:
        """The fate of the run in that row; None for one that is out."""
        split = int(self.split[row])
        if split < 0:
            return None
        weight = float(self.weight[row])
        known = Weight(value=weight, by=self.sources[self.source[row]]) if weight == weight else None
        return Fate(
            split=self.splits[split], weight=known, no_target=self.no_target.of(row),
            no_history=self.no_history.of(row), taken=self.taken_by(row),
        )  # fmt: skip

    def taken_by(self, row: int) -> Taken | None:
        at = int(np.searchsorted(self.taken_at, row))
        if at == len(self.taken_at) or self.taken_at[at] != row:
            return None
        told: dict[str, Any] = self.taken.slice(at, 1).to_pylist()[0]
        words = [(pair["key"], pair["text"]) for pair in told["wordings"] or ()]
        return Taken(wordings=words, lineage=told["lineage"] or [])

    def slice(self, first: int, last: int) -> Fates:
        """The fates of the runs from row `first` to before `last`."""
        low, high = np.searchsorted(self.taken_at, (first, last))
        return Fates(
            self.splits, self.sources, self.split[first:last], self.weight[first:last], self.source[first:last],
            self.no_target.slice(first, last), self.no_history.slice(first, last),
            self.taken_at[low:high] - first, self.taken.slice(low, high - low).combine_chunks(),
        )  # fmt: skip

    @property
    def kept_splits(self) -> list[str]:
        """The splits that some run here goes to."""
        return sorted({self.splits[code] for code in np.unique(self.split).tolist() if code >= 0})

    @property
    def key(self) -> str:
        """A hash of all of it."""
        columns = (self.split, np.nan_to_num(self.weight, nan=-1.0), self.source, *self.no_target, *self.no_history)
        plain = [column.astype(column.dtype.newbyteorder("<")).tobytes() for column in (*columns, self.taken_at)]
        return fingerprint(self.splits, self.sources, plain, self.taken.to_pylist())


def fates_of(places: Sequence[Place], count: int, chunk: int = 1 << 16) -> Fates:
    """The fates of the `count` runs of the corpus that the last decision keeps."""
    kept = places[-1].kept
    splits, split = _texts(places, "split", "split", count, NO_SPLIT)
    sources, source = _texts(places, "weights", "weight_by", count, "weights")
    out = np.ones(count, bool)
    out[kept] = False
    split[out] = -1
    ranges = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    taken_at, taken = _taken(places, out)
    return Fates(
        splits, sources, split.astype(np.int8), _weights(places, count), source.astype(np.int16),
        _lists((_left_out(places, *some, out) for some in ranges), count),
        _lists((_out_of_history(places, *some, out) for some in ranges), count),
        taken_at, taken,
    )  # fmt: skip


def _last(places: Sequence[Place], stage: str, column: str) -> Place | None:
    """The last place of a stage, if it says such a thing of runs."""
    return next((place for place in reversed(places) if place.stage == stage and column in place.columns), None)


def _texts(
    places: Sequence[Place], stage: str, column: str, count: int, default: str
) -> tuple[list[str], NDArray[np.int32]]:
    """What a stage said of each run in a column of texts: the different ones, and by run which."""
    found = np.zeros(count, np.int32)
    place = _last(places, stage, column)
    if place is None:
        return [default], found
    rows, at = place.of_runs([column])
    told = rows[column].combine_chunks().dictionary_encode()
    names = [default, *(str(name) for name in told.dictionary.to_pylist())]
    found[at] = pc.add(pc.fill_null(told.indices, -1), 1).to_numpy()
    return names, found


def _weights(places: Sequence[Place], count: int) -> NDArray[np.float64]:
    found = np.full(count, np.nan)
    place = _last(places, "weights", "weight")
    if place is not None:
        rows, at = place.of_runs(["weight"])
        found[at] = rows["weight"].to_numpy()
    return found


_Steps = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Runs by position and step indices, in that order, each once."""


def _left_out(places: Sequence[Place], first: int, last: int, out: NDArray[np.bool_]) -> _Steps:
    """The steps that are no target."""
    said = [
        (rows.at, rows.table["step"], rows.table["reason"])
        for rows in (p.of_steps(["reason"], first, last) for p in places)
    ]
    at, step, _ = first_of_each(said)
    return at[~out[at]], step[~out[at]]


def _out_of_history(places: Sequence[Place], first: int, last: int, out: NDArray[np.bool_]) -> _Steps:
    """The steps that leave the history too."""
    said = []
    for place in places:
        if "out_of_history" in place.columns:
            rows = place.of_steps(["reason", "out_of_history"], first, last)
            gone = pc.fill_null(rows.table["out_of_history"], False)
            table = rows.table.filter(gone)
            said.append((rows.at[np.asarray(gone)], table["step"], table["reason"]))
    at, step, _ = first_of_each(said)
    return at[~out[at]], step[~out[at]]


def _lists(pieces: Iterator[_Steps], count: int) -> Lists:
    counts = np.zeros(count + 1, np.int64)
    values = [np.zeros(0, np.int32)]
    for at, step in pieces:
        counts += np.bincount(at + 1, minlength=count + 1)
        values.append(step.astype(np.int32))
    return Lists(np.cumsum(counts), np.concatenate(values))


def _taken(places: Sequence[Place], out: NDArray[np.bool_]) -> tuple[NDArray[np.int64], pa.Table]:
    """What kept runs take over, by the last place that says so of a run."""
    kinds = {"wordings": WORDINGS, "lineage": LINEAGE}
    tables = [pa.table({name: pa.array([], kind) for name, kind in kinds.items()})]
    rows_of = [np.zeros(0, np.int64)]
    for place in places:
        columns = [name for name in kinds if name in place.columns]
        if not columns:
            continue
        rows, at = place.of_runs(columns)
        said = np.zeros(len(at), bool)
        for name in columns:
            said |= np.asarray(pc.greater(pc.fill_null(pc.list_value_length(rows[name]), 0), 0))
        said &= ~out[at]
        rows = rows.filter(pa.array(said))
        told: dict[str, Any] = {
            name: rows[name].cast(kind) if name in columns else nulls(rows.num_rows, kind)
            for name, kind in kinds.items()
        }
        tables.append(pa.table(told))
        rows_of.append(at[said])
    at = np.concatenate(rows_of)
    order = np.argsort(at, kind="stable")
    last = order[np.append(np.diff(at[order]) != 0, True)[: len(order)]]
    return at[last], pa.concat_tables(tables).combine_chunks().take(rows_at(last))


def take_over(record: Trajectory, taken: Taken) -> None:
    """Give the record what it takes over. A key that it has stays as it is; a line it has comes once."""
    record.wordings = {**dict(taken.wordings), **record.wordings}
    record.lineage = [*record.lineage, *(line for line in taken.lineage if line not in record.lineage)]
