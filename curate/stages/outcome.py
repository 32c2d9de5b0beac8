"""Keeps runs by how they ended. Unknown is not failed: by default such a run is kept, and counted."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import from_tuples, places, schema
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


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
        ended = [(record.id, record.outcome) for record in context.records(trajectories)]
        return from_tuples([(id, one.completed, one.by, one.reason) for id, one in ended], MEASURES)

    def decide(self, given: DecisionInput, options: OutcomeOptions) -> pa.Table:
        """Kept runs whose outcome is unknown carry `flags: [outcome.unknown]`."""
        verdicts = Verdicts(given.alive, {"flags": pa.list_(pa.string())})
        measured = given.of_runs(self.name, ["completed", "reason"])
        unknown = np.flatnonzero(pc.is_null(measured["completed"]))
        failed = np.flatnonzero(pc.fill_null(pc.invert(measured["completed"]), False))
        if options.keep == "completed":
            verdicts.drop_all(unknown, "outcome.unknown")
        else:
            verdicts.note_all(unknown, flags=[["outcome.unknown"]] * len(unknown))
        if options.keep != "all":
            verdicts.drop_all(failed, "outcome.not_completed", measured["reason"].take(places(failed)))
        return verdicts.table()


STAGE = _Outcome()
