"""Lints of whole runs: length, scrolls, loops, captcha, login and payment, state that is changed for others, gaps,
the instruction's length and dates, the missing end. Coordinates out of range quarantine the run and too few steps
drop it; everything else only flags unless an option says otherwise."""

from __future__ import annotations

import math
import re
from datetime import date
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta

from curate.model.actions import HScroll, Pointed, Scroll, Swipe, Terminate
from curate.model.constants import INSTRUCTION_WORDS
from curate.model.trajectory import Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import find_loop, loop_key
from curate.stages.measures.risk_words import Kind, mentions, shown_text, writes_state
from curate.stages.tables import schema, struct
from curate.stages.verdicts import Verdicts

Lint = Literal["flag", "drop"]
Stop = Literal["flag", "cut", "drop"]
"""`cut`: the run stays, and its steps from there on are no targets."""


class ValidateOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`min_steps`: fewer drop the run (terminate counts). `max_steps`, `max_scrolls`: more drop it (null: off).
    `min_words`, `max_words` of the instruction, `instruction_length`, `loops`, `gaps`, `no_terminate`: `flag` or
    `drop`. `captcha`, `login`, `payment`, `writes_state`: `flag`, `cut` (steps from there on are no targets) or
    `drop`. `today`: an ISO date; an instruction that names an earlier one is expired (null: dates are not judged,
    since no wall clock is read), which `expired_dates` flags or drops."""

    min_steps: Annotated[int, Meta(ge=0)] = 1
    max_steps: Annotated[int, Meta(ge=1)] | None = None
    max_scrolls: Annotated[int, Meta(ge=0)] | None = None
    loops: Lint = "flag"
    gaps: Lint = "flag"
    no_terminate: Lint = "flag"
    min_words: Annotated[int, Meta(ge=0)] = INSTRUCTION_WORDS[0]
    max_words: Annotated[int, Meta(ge=1)] = INSTRUCTION_WORDS[1]
    instruction_length: Lint = "flag"
    captcha: Stop = "flag"
    login: Stop = "flag"
    payment: Stop = "flag"
    writes_state: Stop = "flag"
    today: date | None = None
    expired_dates: Lint = "flag"


class _Found(msgspec.Struct, frozen=True):
    """Where a run first shows something: the step's index (null: in the instruction) and the words."""

    step: int | None
    words: str


class _Measures(msgspec.Struct, kw_only=True):
    id: str
    steps: int
    scrolls: int
    words: int
    fault: str | None  # a coordinate out of range, or step indices that do not ascend
    fault_reason: str | None
    gap: str | None
    loop_at: int | None
    loop_period: int | None
    terminates: bool
    indices: list[int]
    first_date: date | None
    captcha: _Found | None
    login: _Found | None
    payment: _Found | None
    writes_state: _Found | None


_FOUND = struct(step=pa.int64(), words=pa.string())
MEASURES = schema(
    id=pa.string(),
    steps=pa.int64(),
    scrolls=pa.int64(),
    words=pa.int64(),
    fault=pa.string(),
    fault_reason=pa.string(),
    gap=pa.string(),
    loop_at=pa.int64(),
    loop_period=pa.int64(),
    terminates=pa.bool_(),
    indices=pa.list_(pa.int64()),
    first_date=pa.date32(),
    captcha=_FOUND,
    login=_FOUND,
    payment=_FOUND,
    writes_state=_FOUND,
)


def measure_run(record: Trajectory) -> _Measures:
    """The lints of one run, before any threshold."""
    indices = [step.index for step in record.steps]
    loop = find_loop([loop_key(step) for step in record.steps])
    shown = [shown_text(step) for step in record.steps]
    fault = _bad_coordinate(record)
    order = _not_ascending(indices)
    return _Measures(
        id=record.id,
        steps=len(record.steps),
        scrolls=sum(isinstance(action, Scroll | HScroll) for step in record.steps for action in step.actions),
        words=count_words(record.instruction),
        fault=fault or order,
        fault_reason="validate.coordinate_out_of_range" if fault else "validate.schema" if order else None,
        gap=_gap(indices),
        loop_at=indices[loop[0]] if loop else None,
        loop_period=loop[1] if loop else None,
        terminates=bool(record.steps) and any(isinstance(action, Terminate) for action in record.steps[-1].actions),
        indices=indices,
        first_date=next(iter(named_dates(record.instruction)), None),
        captcha=_first_shown("captcha", record, shown),
        login=_first_shown("login", record, shown),
        payment=_first_shown("payment", record, shown),
        writes_state=next((_Found(s.index, w) for s in record.steps if (w := writes_state(s))), None),
    )


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def count_words(text: str) -> int:
    """Words of an instruction; of Chinese and Japanese, which put no spaces, two characters count as one."""
    rest, characters = _UNSPACED.subn(" ", text)
    return len(rest.split()) + (characters + 1) // 2


def _first_shown(kind: Kind, record: Trajectory, shown: list[str]) -> _Found | None:
    """`shown`: the text of each step. A run is searched as a whole first: nearly all show nothing."""
    if mentions(kind, "\n".join(shown)):
        for step, text in zip(record.steps, shown, strict=True):
            if words := mentions(kind, text):
                return _Found(step.index, words)
    words = mentions(kind, record.instruction)
    return _Found(None, words) if words else None


def _not_ascending(indices: list[int]) -> str | None:
    for before, after in pairwise(indices):
        if after <= before:
            return f"step index {after} follows {before}"
    return None


def _gap(indices: list[int]) -> str | None:
    for expected, index in enumerate(indices):
        if index > expected:
            return f"step {expected} is missing"
    return None


def _bad_coordinate(record: Trajectory) -> str | None:
    for step in record.steps:
        for name, value in _coordinates(step):
            if value is not None and not (isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1):
                return f"step {step.index}: {name} is {value}"
    return None


def _coordinates(step: Step) -> list[tuple[str, float | None]]:
    found: list[tuple[str, float | None]] = []
    for action in step.actions:
        if isinstance(action, Pointed | Swipe):
            found += [("x", action.x), ("y", action.y)]
        if isinstance(action, Swipe):
            found += [("to_x", action.to_x), ("to_y", action.to_y)]
    if step.element and step.element.box:
        found += [("box", value) for value in step.element.box]
    return found


def _lints(row: _Measures, options: ValidateOptions) -> list[tuple[str, str, str | None]]:
    """(reason, what the options say, detail) of each lint that the run meets, the gravest first."""
    met: list[tuple[str, str, str | None]] = []
    if row.steps < options.min_steps:
        detail = f"{row.steps} steps, {options.min_steps} asked for"
        met.append(("validate.no_steps" if not row.steps else "validate.too_few_steps", "drop", detail))
    if options.max_steps is not None and row.steps > options.max_steps:
        met.append(("validate.too_many_steps", "drop", f"{row.steps} steps, at most {options.max_steps}"))
    if options.max_scrolls is not None and row.scrolls > options.max_scrolls:
        met.append(("validate.too_many_scrolls", "drop", f"{row.scrolls} scrolls, at most {options.max_scrolls}"))
    if row.loop_at is not None:
        what = "the same action" if row.loop_period == 1 else f"a set of {row.loop_period} actions"
        met.append(("validate.loop", options.loops, f"{what} three times from step {row.loop_at}"))
    if row.gap:
        met.append(("validate.step_gap", options.gaps, row.gap))
    if not options.min_words <= row.words <= options.max_words:
        met.append(("validate.instruction_length", options.instruction_length, f"{row.words} words"))
    if row.steps and not row.terminates:
        met.append(("validate.no_terminate", options.no_terminate, None))
    if options.today and row.first_date and row.first_date < options.today:
        met.append(("validate.expired_date", options.expired_dates, str(row.first_date)))
    kinds: tuple[Kind, ...] = ("captcha", "login", "payment", "writes_state")
    for kind in kinds:
        found: _Found | None = getattr(row, kind)
        if found:
            place = "instruction" if found.step is None else f"step {found.step}"
            met.append((f"validate.{kind}", getattr(options, kind), f"{place}: {found.words[:80]}"))
    return met


class _Validate:
    name = "validate"
    version = 1
    scope: Literal["shard"] = "shard"
    options = ValidateOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run (see MEASURES)."""
        builtin = (date,)
        rows = [
            msgspec.to_builtins(measure_run(record), builtin_types=builtin) for record in context.records(trajectories)
        ]
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: ValidateOptions) -> pa.Table:
        """Kept runs carry the lints they meet as `flags`."""
        verdicts = Verdicts(given.alive, {"flags": pa.list_(pa.string())})
        alive = set(given.alive)
        for plain in given.measures[self.name].to_pylist():
            if plain["id"] not in alive:
                continue
            row = msgspec.convert(plain, _Measures)
            if row.fault_reason:
                verdicts.quarantine(row.id, row.fault_reason, row.fault)
                continue
            lints = _lints(row, options)
            grave = next(((reason, detail) for reason, action, detail in lints if action == "drop"), None)
            if grave:
                verdicts.drop(row.id, *grave)
                continue
            self._flag(verdicts, row, lints)
        return verdicts.table()

    def _flag(self, verdicts: Verdicts, row: _Measures, lints: list[tuple[str, str, str | None]]) -> None:
        if lints:
            detail = "; ".join(f"{reason} ({why})" if why else reason for reason, _, why in lints)
            verdicts.note(row.id, flags=[reason for reason, _, _ in lints], detail=detail)
        cut: set[int] = set()
        for reason, action, why in lints:
            if action == "cut":
                found: _Found = getattr(row, reason.removeprefix("validate."))
                after = {index for index in row.indices if found.step is None or index >= found.step} - cut
                for index in sorted(after):
                    verdicts.leave_out(row.id, index, reason, why)
                cut |= after


STAGE = _Validate()
