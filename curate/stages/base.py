"""What a stage is: it *measures* trajectories (a pure function, Arrow table to Arrow table) and *decides* over
measures. Measures are stored apart from decisions, so that what only decides (`validate.min_steps`) changes without
measuring again; options that measuring itself depends on are the stage's `measure_options`.

All measuring of a run comes first; then the stages decide in the recipe's order, each over what the ones before it
left. A stage is one module of this package with a `STAGE` object, found by `stages.registry`; what stages measure with
is in `stages.measures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.arrow import records
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory
from curate.stages.ids import ids_of
from curate.stages.measures.picture_reader import PictureReader
from curate.stages.records_table import RecordsTable
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Verdict = Literal["keep", "drop", "quarantine"]

_FIELDS: list[pa.Field[Any]] = [
    pa.field("id", pa.string(), nullable=False),
    pa.field("step", pa.int64()),  # null: the whole run; else the index of a step that is no target ("drop")
    pa.field("verdict", pa.string(), nullable=False),
    pa.field("reason", pa.string()),  # a code of model.reasons; null when kept
    pa.field("detail", pa.string()),
    pa.field("witness", pa.string()),  # id of the run, or test task, that is the evidence
]
VERDICTS: pa.Schema = pa.schema(_FIELDS)
"""The table a decision gives: exactly one row with `step` null for each run it was given, in that order, and any
number of rows for steps. A stage may add columns of its own, which later stages read in `DecisionInput.verdicts`
and the report shows. Those that the run itself reads: `split` (string, of the stage split) says which examples file
a run goes to, `weight` (double, of the stage weights) how much it counts and `weight_by` who says so, `out_of_history`
(bool, of the stage images) that a step leaves the history too. `flags` (list of reason codes) notes what a kept run
meets without being dropped for it, with its `detail` and `witness`. `wordings` (WORDINGS) of a kept run are other ways
to say its task, which it takes over from runs that are out: they come into its record, in the dataset and in what
examples are made from, under their keys (a key the record has already stays as it is); `lineage` (list of strings) are
the lines that say so in the record's lineage."""

WORDINGS: pa.DataType = pa.list_(pa.struct([("key", pa.string()), ("text", pa.string())]))
LINEAGE: pa.DataType = pa.list_(pa.string())


class MeasureContext(msgspec.Struct, kw_only=True, frozen=True):
    """What measuring may read beside the trajectories. `media_root`: the folder that holds `media/`. `seed`: of the
    run. `decoded`: the records of the table that is measured, where the caller holds them already (use `records()`).
    `pictures`: what reads the media, where the caller has one that has seen them before."""

    media_root: Path
    seed: int = 0
    pictures: PictureReader | None = None
    decoded: Sequence[Trajectory] | None = None
    lines: Sequence[bytes] | None = None

    def records(self, trajectories: pa.Table) -> Sequence[Trajectory]:
        """The table's rows as records, decoded once however many stages ask. A stage that needs whole records
        calls this instead of `model.arrow.records`; one that needs a few columns reads those. The records are
        shared: not to be changed."""
        return self.decoded if self.decoded is not None else list(records(trajectories))

    def steps(self, trajectories: Any) -> Steps:
        """The steps of those records as columns, made once however many stages ask."""
        return trajectories.steps if isinstance(trajectories, RecordsTable) else Steps(self.records(trajectories))


class DecisionInput(msgspec.Struct, kw_only=True):
    """What a decision reads. `alive`: ids of the runs still in, in input order; everywhere a run is named by its
    position there. `measures`: by stage name, this stage's and all others' (each table has an `id` column, some a
    `step` column). `verdicts`: the verdict tables of the decisions before this one, by the name of their place in the
    order ("leaks", "leaks_2"). `against`: files of signatures of runs published before (`stages.copies.index`), where
    the run is held against any.

    There may be a million runs: read columns, with `of_runs`, `of_steps`, `so_far` and `left_out_so_far`, which read
    from disk what is asked for and nothing else. `measures` and `verdicts` give whole tables."""

    alive: Sequence[str]
    measures: Mapping[str, pa.Table]
    verdicts: Mapping[str, pa.Table]
    seed: int = 0
    against: Sequence[Path] = ()

    def of_runs(self, stage: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A stage's measures of runs, one row for each of `alive` in that order, with these columns (None: all) and
        `id`. A run that the stage has no row of has nulls. Raises KeyError for a stage that does not measure."""
        table = _columns_of(self.measures, stage, _with(["id"], columns))
        ids = ids_of(self.alive)
        if len(ids) == table.num_rows and table["id"].combine_chunks().equals(ids):
            return table
        rows = pc.index_in(ids, value_set=table["id"].combine_chunks())
        taken = table.take(rows)
        return taken.set_column(taken.column_names.index("id"), "id", ids) if rows.null_count else taken

    def of_all(self, stage: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A stage's measures of every run, those that are out too, in input order."""
        return _columns_of(self.measures, stage, _with(["id"], columns))

    def of_steps(self, stage: str, columns: Sequence[str] | None = None) -> tuple[pa.Table, NDArray[np.int64]]:
        """A stage's measures of steps of the runs alive, in the order they were measured, with these columns (None:
        all), `id` and `step`; and by row the position of its run in `alive`."""
        table = _columns_of(self.measures, stage, _with(["id", "step"], columns))
        return self._of_alive(table)

    def so_far(self, column: str) -> pa.Array[Any] | None:
        """What the decisions before this one said of each run alive in a column of their own (`split`, `copy_weight`;
        the last word of several places), null where nothing; None where no decision has such a column."""
        found: Any = None
        for name in reversed(list(self.verdicts)):
            if column not in _names_of(self.verdicts, name):
                continue
            table = _columns_of(self.verdicts, name, ["id", "step", column])
            rows, at = self._of_alive(table.filter(pc.and_(pc.is_null(table["step"]), pc.is_valid(table[column]))))
            place = np.full(len(self.alive), -1, np.int64)
            place[at] = np.arange(len(at))
            said = rows[column].combine_chunks().take(places(place, place < 0))
            found = said if found is None else pc.coalesce(found, said)
        said_of_runs: pa.Array[Any] | None = found
        return said_of_runs

    def left_out_so_far(self) -> tuple[NDArray[np.int64], NDArray[np.int64], pa.Array[Any]]:
        """The steps of runs alive that decisions so far left out: position of the run, step index, and the reason of
        the first decision that did; each step once."""
        said = []
        for name in self.verdicts:
            table = _columns_of(self.verdicts, name, ["id", "step", "reason"])
            rows, at = self._of_alive(table.filter(pc.is_valid(table["step"])))
            said.append((at, rows["step"], rows["reason"]))
        return first_of_each(said)

    def _of_alive(self, table: pa.Table) -> tuple[pa.Table, NDArray[np.int64]]:
        """The rows of runs alive, and the position of each row's run."""
        found = pc.index_in(table["id"], value_set=ids_of(self.alive))
        if found.null_count:
            known = pc.is_valid(found)
            table, found = table.filter(known), found.filter(known)
        at: NDArray[np.int64] = found.to_numpy().astype(np.int64)
        return table, at


def first_of_each(
    said: Sequence[tuple[NDArray[np.int64], Any, Any]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], pa.Array[Any]]:
    """(run, step, reason) of several decisions in order, as columns of steps each said once: by the first that did."""
    at = np.concatenate([np.zeros(0, np.int64), *(runs for runs, _, _ in said)])
    step = np.concatenate([np.zeros(0, np.int64), *(steps.to_numpy() for _, steps, _ in said)])
    reasons: list[Any] = [pa.array([], pa.string()), *(why.combine_chunks() for _, _, why in said)]
    order = np.lexsort((step, at))  # stable: the first decision stands first
    same = np.zeros(len(order), bool)
    same[1:] = (np.diff(at[order]) == 0) & (np.diff(step[order]) == 0)
    first = order[~same]
    return at[first], step[first], pa.concat_arrays(reasons).take(places(first))


def _with(keys: list[str], columns: Sequence[str] | None) -> list[str] | None:
    return None if columns is None else [*keys, *(name for name in columns if name not in keys)]


def _columns_of(tables: Mapping[str, pa.Table], name: str, columns: Sequence[str] | None) -> pa.Table:
    read = getattr(tables, "columns", None)
    if read is not None:
        found: pa.Table = read(name, columns)
        return found
    return tables[name] if columns is None else tables[name].select(list(columns))


def _names_of(tables: Mapping[str, pa.Table], name: str) -> Sequence[str]:
    names = getattr(tables, "names", None)
    found: Sequence[str] = tables[name].column_names if names is None else names(name)
    return found


@runtime_checkable
class Stage(Protocol):
    """One stage. `options` is a frozen msgspec.Struct whose field names are the `stage.option` names of recipes,
    with their defaults; its docstring documents them. `scope` "shard": a shard's measures depend on that shard
    alone; "corpus": they depend on all shards (see `measure`). `version` rises when measures or decisions change.
    `measure_options`: the options that measuring depends on (others only decide). `decides_by_run` (absent: false):
    the verdict on a run hangs on that run alone, so that deciding may be done for some thousand runs at a time.

    Some stages do more: see ComparesRuns, ReadsFiles, Rewrites, SettlesMany and TakesOut."""

    name: str
    version: int
    scope: Literal["shard", "corpus"]
    options: type[msgspec.Struct]
    measure_options: frozenset[str]

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """Measures of the trajectories (schema `model.arrow.SCHEMA`), with an `id` column and, where a row is a
        step, a `step` column. Corpus stages (see ComparesRuns) get what their `project` gave for each shard,
        concatenated in input order."""
        ...

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """A table of schema VERDICTS for `given.alive`."""
        ...


@runtime_checkable
class ComparesRuns(Stage, Protocol):
    """A stage of scope "corpus": what it measures hangs on all runs. `compared`: the columns of the projection, beside
    `id`, that are held for all of them at once; the others pass through shard by shard."""

    compared: Sequence[str]

    def project(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """What it needs of a shard's runs: small (tokens, not texts), so that a corpus need not fit into memory."""
        ...

    def compare(self, runs: pa.Table, options: Any) -> pa.Table:
        """What only all runs together tell, a row for each."""
        ...

    def joined(self, runs: pa.Table, compared: pa.Table) -> pa.Table:
        """The measures of some runs, from their projection and their rows of what `compare` gave. `measure` is both,
        over all runs."""
        ...


@runtime_checkable
class ReadsFiles(Stage, Protocol):
    """A stage whose measuring reads files beside the trajectories (leaks: the test tasks)."""

    def files(self, options: Any) -> list[Path]:
        """These files; their content counts for what is up to date."""
        ...


@runtime_checkable
class Rewrites(Stage, Protocol):
    """A stage that changes records (normalise)."""

    def rewrite(self, record: Trajectory, options: Any, context: MeasureContext) -> Trajectory:
        """Applied to every record as it is read, in the recipe's order, before anything is measured."""
        ...


@runtime_checkable
class SettlesMany(Rewrites, Protocol):
    """A stage that, looking over the steps of many records at once, tells of which there is little or nothing to do."""

    def settle(self, steps: Steps, options: Any) -> list[bool]:
        """For each record whether it is now, perhaps changed in place, what `rewrite` would have given."""
        ...


@runtime_checkable
class TakesOut(Stage, Protocol):
    """A stage that takes something out (redact). With it in the order, sources store pictures apart from the run, and
    only those of finished records come into it."""

    def open_input(self, path: Path, source: str, options: Any, scratch: Path) -> Path:
        """What is read instead of an input. Raises InputError, GateError."""
        ...

    def mask(self, text: str, options: Any) -> str:
        """A text that is no part of a record, as it may be written."""
        ...
