"""Chooses the targets: one training example for each. Wrong and redundant steps stay in the history, with their
reflection where the format has a place for it, and are never a target; a step nobody judged is a target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta
from numpy.typing import NDArray

from curate.formats.base import format_named, options_from
from curate.model.actions import Action, Pointed, Swipe, Terminate
from curate.model.steps import Steps, is_kind
from curate.model.trajectory import Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.records_table import id_by_step
from curate.stages.tables import from_columns, nulls, places, schema
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_STEPS = 1 << 31  # more than any run has


class UnrollOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """How runs become examples. `format`: a module of `curate.formats`. `history`: how many earlier steps an
    example tells of (-1: all; null: the format's own). `images`: how many pictures it shows, the step's own included
    (null: the format's own). `untrained`: whether examples of steps that are no target are left out (`omit`) or
    written with their loss off (`keep`). `level`: what a target says before its code: `L1` the action, `L2` thought
    and action, `L3` observation, thought and action. `colon`: `# Step 3:` or `# Step 3`. `system_prompt`: text that
    replaces the format's own. `prompts`: a released model's own prompt file, or its texts by name. `dialect`: which of
    the format's forms (docs/formats.md). `coordinates`: fractions, or pixels of the picture as the model sees it.
    `min_pixels`, `max_pixels`: width x height of that picture, as the trainer's processor is told. `notch_pixels`: what
    a notch of the wheel is in a language that scrolls by pixels. `hidden_before`: what becomes of a step before which
    something may have been done that was not recorded: `keep` or `drop_target` (no target, stays in the history)."""

    format: str = "messages"
    history: Annotated[int, Meta(ge=-1)] | None = None
    images: Annotated[int, Meta(ge=1)] | None = None
    untrained: Literal["omit", "keep"] = "omit"
    level: Literal["L1", "L2", "L3"] = "L2"
    colon: bool = True
    system_prompt: str | None = None
    prompts: dict[str, str] | str | None = None
    dialect: str | None = None
    coordinates: Literal["relative", "absolute"] | None = None
    min_pixels: Annotated[int, Meta(ge=1)] | None = None
    max_pixels: Annotated[int, Meta(ge=1)] | None = None
    notch_pixels: Annotated[float, Meta(gt=0)] | None = None
    hidden_before: Literal["keep", "drop_target"] = "keep"


MEASURES = schema(
    id=pa.string(), step=pa.int64(), reason=pa.string(), unwritable=pa.string(), words=pa.bool_(),
    hidden_before=pa.bool_(),
)  # fmt: skip


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


def may_be_target(step: Step) -> bool:
    """Whether the step is a target unless a decision or an option says otherwise."""
    return _is_plain_target(step) or why_no_target(step) in (None, "unroll.no_action")


_POINTED = frozenset(get_args(Pointed))
_NEVER_SURE = frozenset((Terminate, Swipe))
_ALWAYS = frozenset(get_args(Action)) - _NEVER_SURE
"""Kinds of actions that make a target whatever they hold, but for a point that is null."""
_SURE = is_kind(*_ALWAYS)


def _is_plain_target(step: Step) -> bool:
    """Whether `why_no_target` gives None, seen at once; False says nothing."""
    actions = step.actions
    if step.flags or not actions or step.correct is False or step.redundant is True:
        return False
    for action in actions:
        kind = type(action)
        if kind not in _ALWAYS or (kind in _POINTED and action.x is None):  # type: ignore[union-attr]
            return False
    return True


def may_be_targets(steps: Steps) -> list[bool]:
    """`may_be_target` of each step."""
    plain = steps.once("plain targets", lambda: _plain_targets(steps)).tolist()
    return plain if all(plain) else [sure or may_be_target(step) for sure, step in zip(plain, steps.all, strict=True)]


def _why_no_targets(steps: Steps) -> Any:
    """`why_no_target` of each step."""
    plain = steps.once("plain targets", lambda: _plain_targets(steps)).tolist()
    if all(plain):
        return nulls(len(steps), pa.string())
    return [None if sure else why_no_target(step) for sure, step in zip(plain, steps.all, strict=True)]


def _plain_targets(steps: Steps) -> NDArray[np.bool_]:
    """`_is_plain_target` of each step."""
    plain = steps.holding("actions") & ~steps.holding("flags")
    plain[steps.acted[~_SURE[steps.kinds]]] = False
    plain[steps.acted[steps.pointed_at[np.isnan(steps.points[0])]]] = False
    for name, told in (("correct", False), ("redundant", True)):
        if told in steps.of(name):
            plain &= ~steps.where(name, told)
    return plain


def _is_off(action: Any) -> bool:
    """A point that is null although the source works with points (no element stands for it)."""
    if isinstance(action, Pointed):
        return action.x is None and action.element_id is msgspec.UNSET and action.raw_point is not msgspec.UNSET
    return isinstance(action, Swipe) and action.x is None


class _Unroll:
    name = "unroll"
    version = 3
    scope: Literal["shard"] = "shard"
    options = UnrollOptions
    measure_options = frozenset({"format", "dialect", "coordinates", "min_pixels", "max_pixels"})
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a step: why it is no target (null: it is one), why the format could not write it, whether it has
        words, and whether something may have been done before it that was not recorded."""
        steps = context.steps(trajectories)
        columns = (
            id_by_step(steps),
            steps.of("index"),
            _why_no_targets(steps),
            _unwritable(steps.records, options),
            steps.holding("action"),
            [bool(own) and "hidden_before" in own for own in steps.of("flags")],
        )
        return from_columns(columns, MEASURES)

    def decide(self, given: DecisionInput, options: UnrollOptions) -> pa.Table:
        """Step rows only for steps that no decision before left out; a run without any target left is dropped."""
        verdicts = Verdicts(given.alive)
        table, at = given.of_steps(self.name, ["reason", "unwritable", "words", "hidden_before"])
        step, why = table["step"].to_numpy(), _why(table, options)
        out_at, out_step, out_why = given.left_out_so_far()
        still_in = ~np.isin(at * _STEPS + step, out_at * _STEPS + out_step)
        is_target = np.asarray(pc.is_null(why))
        targets = np.bincount(at[still_in & is_target], minlength=len(given.alive))
        left = np.flatnonzero(still_in & ~is_target)
        why = why.take(places(left))
        verdicts.leave_out_all(at[left], step[left], why)
        empty = np.flatnonzero(targets == 0)
        counted = _counted(empty, np.concatenate([out_at, at[left]]), pa.concat_arrays([out_why, why]))
        verdicts.drop_all(empty, "unroll.no_target_left", counted)
        return verdicts.table()


def _unwritable(records: Sequence[Trajectory], options: UnrollOptions) -> Any:
    """By step why the format has no row for it."""
    form = format_named(options.format)
    if form.writes_all:
        return pa.nulls(sum(len(record.steps) for record in records), pa.string())
    told = options_from(options)
    return [reason for record in records for reason in form.why_not(record, told)]


def _why(table: pa.Table, options: UnrollOptions) -> Any:
    """Why each step is no target under the options, null for a target."""
    why, words, hidden = (table[name].combine_chunks() for name in ("reason", "words", "hidden_before"))
    nothing = pa.scalar(None, pa.string())
    if not format_named(options.format).needs_code:  # words are enough
        said = pc.and_(pc.equal(pc.fill_null(why, ""), "unroll.no_action"), pc.fill_null(words, False))
        why = pc.if_else(said, nothing, why)
    why = pc.coalesce(why, table["unwritable"].combine_chunks())
    if options.hidden_before == "drop_target":
        why = pc.if_else(pc.and_(pc.is_null(why), pc.fill_null(hidden, False)), "unroll.hidden_before", why)
    return why


def _counted(runs: NDArray[np.int64], at: NDArray[np.int64], why: Any) -> Any:
    """For each of these runs (positions, ascending) the reasons its steps are no targets, with how often, in words."""
    told = why.dictionary_encode()
    names: list[Any] = told.dictionary.to_pylist()
    rank = np.argsort(np.argsort(names)) if names else np.zeros(0, np.int64)
    row = np.searchsorted(runs, at)
    ours = np.flatnonzero(row < len(runs))
    ours = ours[runs[row[ours]] == at[ours]]
    keys = row[ours] * (len(names) + 1) + rank[told.indices.to_numpy(zero_copy_only=False)[ours]]
    found, counts = np.unique(keys, return_counts=True)
    reasons = pa.array(sorted(names), pa.string()).take(places(found % (len(names) + 1)))
    words = pc.binary_join_element_wise(reasons, pa.array(counts).cast(pa.string()), " ")
    offsets = np.searchsorted(found // (len(names) + 1), np.arange(len(runs) + 1))
    lists: Any = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), words)
    return pc.if_else(pc.equal(pc.list_value_length(lists), 0), "no steps", pc.binary_join(lists, ", "))


STAGE = _Unroll()
