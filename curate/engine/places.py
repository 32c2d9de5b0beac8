"""A place in the recipe's order and what was decided there: by run its verdict and reason as small numbers, all else
in the stage's table on disk, of which a part is read when it is asked for.

Memory: seven bytes for each run that came to the place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.engine.fingerprint import fingerprint
from curate.engine.stage_table import DecisionKey, amend, read_amended, read_key, verdict_rows
from curate.model.errors import InputError
from curate.model.reasons import REASONS
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

NO_EXAMPLE = "unroll.no_example"
VERDICT_NAMES = ("keep", "drop", "quarantine")
REASON_NAMES = tuple(REASONS)
_VERDICT = {name: code for code, name in enumerate(VERDICT_NAMES)}
_REASON = {name: code for code, name in enumerate(REASON_NAMES)}
Positions = NDArray[np.int32]
_NO_END = 1 << 31


class Rows(NamedTuple):
    """Rows of a decision, and by row the position of its run in the corpus."""

    table: pa.Table
    at: NDArray[np.int64]


class Place(msgspec.Struct, kw_only=True):
    """One decision: its name (`leaks_2`), its stage, its table's `path`, what it depended on (`key`), and whether it
    was `made` now. `came`: positions in the corpus of the runs that came to it; by these, `verdict` and `reason`
    (numbers in VERDICT_NAMES and REASON_NAMES; -1: none)."""

    name: str
    stage: str
    number: int
    path: Path
    key: DecisionKey
    made: bool
    came: Positions
    verdict: NDArray[np.int8]
    reason: NDArray[np.int16]

    @property
    def kept(self) -> Positions:
        """Positions of the runs that are kept."""
        kept: Positions = self.came[self.verdict == 0]
        return kept

    def counts(self) -> dict[str, dict[str, int]]:
        """Runs by verdict and reason."""
        found: dict[str, dict[str, int]] = {name: {} for name in VERDICT_NAMES}
        pairs = self.verdict.astype(np.int32) * (len(REASON_NAMES) + 1) + self.reason + 1
        for pair, count in enumerate(np.bincount(pairs).tolist()):
            if count:
                verdict, reason = divmod(pair, len(REASON_NAMES) + 1)
                found[VERDICT_NAMES[verdict]][REASON_NAMES[reason - 1] if reason else ""] = count
        return found

    @property
    def columns(self) -> list[str]:
        """The columns of its verdicts."""
        return ["id", "step", *self.key.columns]

    def rows(
        self, columns: Sequence[str], first: int = 0, last: int | None = None, *, steps_only: bool = False
    ) -> Rows:
        """Its verdicts (with `step` and `verdict` always there) of the runs from position `first` to before `last`.
        `steps_only`: where nothing is said of any step, nothing is read."""
        wanted = [name for name in self.columns if name in ("step", "verdict", *columns)]
        ends = _NO_END if last is None else last
        start, stop = np.searchsorted(self.came, (first, ends))
        tables, places = [], [np.zeros(0, np.int64)]
        with pq.ParquetFile(self.path) as file:
            schema = pa.schema([file.schema_arrow.field(name) for name in wanted])
            for group, begins in _groups(file, int(start), int(stop)):
                if steps_only and _leaves_no_step_out(file, group):
                    continue
                rows = file.read_row_group(group, columns=wanted)
                at = self.came[begins - 1 + np.cumsum(np.asarray(pc.is_null(rows["step"])))].astype(np.int64)
                rows = rows.append_column("at", pa.array(at))
                rows = verdict_rows(rows)
                at = rows["at"].to_numpy()
                low, high = np.searchsorted(at, (first, ends))
                tables.append(rows.slice(low, high - low).select(wanted))
                places.append(at[low:high])
        empty = verdict_rows(schema.empty_table())
        return Rows(pa.concat_tables([empty, *tables]), np.concatenate(places))

    def of_runs(self, columns: Sequence[str], first: int = 0, last: int | None = None) -> Rows:
        """The rows of whole runs."""
        return _only(self.rows(columns, first, last), is_step=False)

    def of_steps(self, columns: Sequence[str], first: int = 0, last: int | None = None) -> Rows:
        """The rows of steps that were left out."""
        return _only(self.rows(columns, first, last, steps_only=True), is_step=True)

    def amend(self, without: Positions) -> None:
        """Runs that gave no example (by position) are out."""
        out = np.isin(self.came, without) & (self.verdict == 0)
        self.verdict[out], self.reason[out] = _VERDICT["drop"], _REASON[NO_EXAMPLE]
        amended = fingerprint(self.came[out].tolist()) if out.any() else ""
        if read_amended(self.path) != amended:
            amend(self.path, self.key, NO_EXAMPLE, out, amended)


def _groups(file: Any, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Row groups that hold rows of the runs with the numbers `start` to before `stop`, each with the number of runs
    before it. A row of a run is one whose step is null."""
    column = _column(file, "step")
    begins = 0
    for group in range(file.num_row_groups):
        if not file.metadata.row_group(group).num_rows:
            continue
        ends = begins + int(file.metadata.row_group(group).column(column).statistics.null_count)
        if begins - 1 < stop and ends > start and start < stop:
            yield group, begins
        begins = ends


def _leaves_no_step_out(file: Any, group: int) -> bool:
    """Whether all rows of a group are known to be of runs, or kept."""
    about = file.metadata.row_group(group)
    step, verdict = (about.column(_column(file, name)).statistics for name in ("step", "verdict"))
    if step.null_count == about.num_rows:
        return True
    return bool(verdict is not None and verdict.has_min_max and verdict.min == verdict.max == VERDICT_NAMES[0])


def _column(file: Any, name: str) -> int:
    return next(i for i in range(len(file.schema)) if file.schema.column(i).path == name)


def _only(rows: Rows, is_step: bool) -> Rows:
    steps = np.asarray(pc.is_valid(rows.table["step"]))
    if steps.all() if is_step else not steps.any():
        return rows
    chosen = steps if is_step else ~steps
    return Rows(rows.table.filter(pa.array(chosen)), rows.at[chosen])


def codes_of(runs: pa.Table) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
    """Verdicts and reasons of the rows of runs as numbers. Raises KeyError for one that is not listed."""
    verdict = _coded(runs["verdict"], _VERDICT, np.int8)
    reason = _coded(runs["reason"], _REASON, np.int16)
    return verdict, reason


def _coded(column: Any, codes: dict[str, int], kind: Any) -> Any:
    told = column.combine_chunks().dictionary_encode()
    numbers = np.array([codes[str(name)] for name in told.dictionary.to_pylist()] + [-1], kind)
    return numbers[pc.fill_null(told.indices, -1).to_numpy()]


def read_place(path: Path, name: str, stage: str, number: int, key: DecisionKey, came: Positions) -> Place:
    """The decision whose table is at `path`, as it was before the examples were made: a run that gave none is kept."""
    place = Place(
        name=name, stage=stage, number=number, path=path, key=key, made=False, came=came,
        verdict=np.zeros(0, np.int8), reason=np.zeros(0, np.int16),
    )  # fmt: skip
    with pq.ParquetFile(path) as file:
        groups = (file.read_row_group(group, ["step", "verdict", "reason"]) for group in range(file.num_row_groups))
        found = [codes_of(rows.filter(pc.is_null(rows["step"]))) for rows in groups]
    place.verdict = np.concatenate([np.zeros(0, np.int8), *(verdict for verdict, _ in found)])
    place.reason = np.concatenate([np.zeros(0, np.int16), *(reason for _, reason in found)])
    if len(place.verdict) != len(came):
        raise InputError(f"{path} tells of {len(place.verdict):,} runs, and {len(came):,} came to it.")
    return place


def restored(place: Place) -> Place:
    """The decision before it was amended."""
    amended = place.reason == _REASON[NO_EXAMPLE]
    place.verdict[amended], place.reason[amended] = 0, -1
    return place


def read_places(run: RunFolder, count: int) -> list[Place]:
    """The decisions of a finished run of `count` records. Raises InputError for a folder that holds none."""
    places: list[Place] = []
    came = np.arange(count, dtype=np.int32)
    for path in run.stage_paths():
        key = read_key(path)
        if key is None:
            raise InputError(f"{path} holds no decisions: `curate run` writes it anew.")
        number, _, name = path.stem.partition("-")
        stage = re.sub(r"_\d+$", "", name)  # the second place of a stage is `leaks_2`
        places.append(read_place(path, name, stage, int(number), key, came))
        came = places[-1].kept
    return places
