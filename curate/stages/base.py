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
import pyarrow as pa

from curate.model.arrow import records
from curate.model.trajectory import Trajectory

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
meets without being dropped for it, with its `detail` and `witness`."""


class MeasureContext(msgspec.Struct, kw_only=True, frozen=True):
    """What measuring may read beside the trajectories. `media_root`: the folder that holds `media/`. `seed`: of the
    run. `decoded`: the records of the table that is measured, where the caller holds them already (use `records()`)."""

    media_root: Path
    seed: int = 0
    decoded: Sequence[Trajectory] | None = None

    def records(self, trajectories: pa.Table) -> Sequence[Trajectory]:
        """The table's rows as records, decoded once however many stages ask. A stage that needs whole records
        calls this instead of `model.arrow.records`; one that needs a few columns reads those. The records are
        shared: not to be changed."""
        return self.decoded if self.decoded is not None else list(records(trajectories))


class DecisionInput(msgspec.Struct, kw_only=True):
    """What a decision reads. `alive`: ids of the runs still in, in input order. `measures`: by stage name, this
    stage's and all others' (each table has an `id` column, some a `step` column). `verdicts`: the verdict tables
    of the decisions before this one, by the name of their place in the order ("leaks", "leaks_2")."""

    alive: list[str]
    measures: Mapping[str, pa.Table]
    verdicts: Mapping[str, pa.Table]
    seed: int = 0


@runtime_checkable
class Stage(Protocol):
    """One stage. `options` is a frozen msgspec.Struct whose field names are the `stage.option` names of recipes,
    with their defaults; its docstring documents them. `scope` "shard": a shard's measures depend on that shard
    alone; "corpus": they depend on all shards (see `measure`). `version` rises when measures or decisions change.
    `measure_options`: the options that measuring depends on (others only decide). `decides_by_run` (absent: false):
    the verdict on a run hangs on that run alone, so that deciding may be done for some thousand runs at a time.

    Some stages do more: see ReadsFiles, Rewrites and TakesOut."""

    name: str
    version: int
    scope: Literal["shard", "corpus"]
    options: type[msgspec.Struct]
    measure_options: frozenset[str]

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """Measures of the trajectories (schema `model.arrow.SCHEMA`), with an `id` column and, where a row is a
        step, a `step` column. Corpus stages get what their `project(trajectories, options, context) -> pa.Table`
        gave for each shard, concatenated in input order: a projection is small (tokens, not texts), so that a
        corpus need not fit into memory."""
        ...

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """A table of schema VERDICTS for `given.alive`."""
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
class TakesOut(Stage, Protocol):
    """A stage that takes something out (redact). With it in the order, sources store pictures apart from the run, and
    only those of finished records come into it."""

    def open_input(self, path: Path, source: str, options: Any, scratch: Path) -> Path:
        """What is read instead of an input. Raises InputError, GateError."""
        ...

    def mask(self, text: str, options: Any) -> str:
        """A text that is no part of a record, as it may be written."""
        ...
