"""Keeps runs by how they ended. Unknown is not failed: by default such a run is kept, and counted."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import schema
from curate.stages.verdicts import Verdicts, rows_by_id


class OutcomeOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`keep`: `completed` only runs known to have completed their task, `not_failed` (default) those and the
    unknown, `all` every run."""

    keep: Literal["completed", "not_failed", "all"] = "not_failed"


MEASURES = schema(id=pa.string(), completed=pa.bool_(), by=pa.string(), reason=pa.string())


class _Outcome:
    name = "outcome"
    version = 1
    scope: Literal["shard"] = "shard"
    options = OutcomeOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: `completed` (null: unknown), who says so `by`, and why (`reason`)."""
        ended = trajectories["outcome"]
        facts = [pc.struct_field(ended, name) for name in ("completed", "by", "reason")]
        return pa.Table.from_arrays([trajectories["id"], *facts], schema=MEASURES)

    def decide(self, given: DecisionInput, options: OutcomeOptions) -> pa.Table:
        """Kept runs whose outcome is unknown carry `flags: [outcome.unknown]`."""
        verdicts = Verdicts(given.alive, {"flags": pa.list_(pa.string())})
        measured = rows_by_id(given.measures[self.name])
        for run in given.alive:
            completed = measured[run]["completed"]
            if completed is None and options.keep == "completed":
                verdicts.drop(run, "outcome.unknown")
            elif completed is False and options.keep != "all":
                verdicts.drop(run, "outcome.not_completed", measured[run]["reason"])
            elif completed is None:
                verdicts.note(run, flags=["outcome.unknown"])
        return verdicts.table()


STAGE = _Outcome()
