"""Chooses the targets: one training example for each. Wrong and redundant steps stay in the history, with their
reflection where the format has a place for it, and are never a target; a step nobody judged is a target."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta

from curate.formats.base import format_named
from curate.model.actions import Pointed, Swipe, Terminate
from curate.model.trajectory import Step
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import from_tuples, schema
from curate.stages.verdicts import Verdicts, steps_left_out


class UnrollOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """How runs become examples. `format`: a module of `curate.formats`. `history`: how many earlier steps an
    example tells of (-1: all; null: the format's own). `images`: how many pictures it shows, the step's own included
    (null: the format's own). `untrained`: whether examples of steps that are no target are left out (`omit`) or
    written with their loss off (`keep`). `level`: what a target says before its code: `L1` the action, `L2` thought
    and action, `L3` observation, thought and action. `colon`: `# Step 3:` or `# Step 3`. `system_prompt`: text that
    replaces the format's own. `hidden_before`: what becomes of a step before which something may have been done that
    was not recorded: `keep` or `drop_target` (no target, stays in the history)."""

    format: str = "messages"
    history: Annotated[int, Meta(ge=-1)] | None = None
    images: Annotated[int, Meta(ge=1)] | None = None
    untrained: Literal["omit", "keep"] = "omit"
    level: Literal["L1", "L2", "L3"] = "L2"
    colon: bool = True
    system_prompt: str | None = None
    hidden_before: Literal["keep", "drop_target"] = "keep"


MEASURES = schema(id=pa.string(), step=pa.int64(), reason=pa.string(), words=pa.bool_(), hidden_before=pa.bool_())


def why_no_target(step: Step) -> str | None:
    """The code of why a step is no target, None for a target. Null flags are unknown, not wrong."""
    if step.correct is False:
        return "unroll.wrong_step"
    if step.redundant is True:
        return "unroll.redundant_step"
    if "unsupported_button" in step.flags:
        return "unroll.unsupported_button"
    if "text_unverified" in step.flags:
        return "unroll.text_unverified"
    if "off_screen" in step.flags or any(_is_off(action) for action in step.actions):
        return "unroll.off_screen"
    if any(isinstance(action, Terminate) and action.status is None for action in step.actions):
        return "unroll.unknown_end"
    if not step.actions:
        return "unroll.no_action"
    return None


def _is_off(action: Any) -> bool:
    """A point that is null although the source works with points (no element stands for it)."""
    if isinstance(action, Pointed):
        return action.x is None and action.element_id is msgspec.UNSET and action.raw_point is not msgspec.UNSET
    return isinstance(action, Swipe) and action.x is None


class _Unroll:
    name = "unroll"
    version = 2
    scope: Literal["shard"] = "shard"
    options = UnrollOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a step: why it is no target (null: it is one), whether it has words, and whether something may have
        been done before it that was not recorded."""
        rows = [
            (record.id, step.index, why_no_target(step), bool(step.action), "hidden_before" in step.flags)
            for record in context.records(trajectories)
            for step in record.steps
        ]
        return from_tuples(rows, MEASURES)

    def decide(self, given: DecisionInput, options: UnrollOptions) -> pa.Table:
        """Step rows only for steps that no decision before left out; a run without any target left is dropped."""
        verdicts = Verdicts(given.alive)
        words_are_enough = not format_named(options.format).needs_code
        before = steps_left_out(given.verdicts)
        targets = dict.fromkeys(given.alive, 0)
        reasons: dict[str, Counter[str]] = {run: Counter(before.get(run, {}).values()) for run in given.alive}
        for row in given.measures[self.name].to_pylist():
            run, step, why = row["id"], row["step"], row["reason"]
            if run not in targets or step in before.get(run, ()):
                continue
            if why == "unroll.no_action" and words_are_enough and row["words"]:
                why = None
            if why is None and row["hidden_before"] and options.hidden_before == "drop_target":
                why = "unroll.hidden_before"
            if why is None:
                targets[run] += 1
            else:
                reasons[run][why] += 1
                verdicts.leave_out(run, step, why)
        for run, count in targets.items():
            if not count:
                steps = ", ".join(f"{why} {n}" for why, n in sorted(reasons[run].items())) or "no steps"
                verdicts.drop(run, "unroll.no_target_left", steps)
        return verdicts.table()


STAGE = _Unroll()
