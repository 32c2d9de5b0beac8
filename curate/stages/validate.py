"""Lints of whole runs: length, scrolls, loops, captcha, login and payment, state that is changed for others, gaps,
the instruction's length and dates, the missing end. Coordinates out of range quarantine the run and too few steps
drop it; everything else only flags unless an option says otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta
from numpy.typing import NDArray

from curate.model.actions import HScroll, Pointed, Scroll, Swipe, Terminate
from curate.model.constants import INSTRUCTION_WORDS
from curate.model.trajectory import Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import find_loop, loop_key
from curate.stages.measures.risk_words import Kind, mentions, shown_text, writes_state
from curate.stages.tables import places, schema, struct
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_SHOWN = 80  # characters of what a step shows that a detail quotes
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

_DECIDED_BY = [name for name in MEASURES.names if name != "indices"]


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


class _Lint(NamedTuple):
    """A lint over the runs of a table: which of them meet it, what the options say, the words (null: none)."""

    reason: str
    action: str
    met: Any
    detail: Any


def _lints(table: pa.Table, options: ValidateOptions) -> list[_Lint]:
    """Every lint, the gravest first."""
    steps, scrolls, words = table["steps"], table["scrolls"], table["words"]
    few, none = pc.less(steps, options.min_steps), pc.equal(steps, 0)
    asked = f" steps, {options.min_steps} asked for"
    nothing = pa.nulls(table.num_rows, pa.string())
    lints = [
        _Lint("validate.no_steps", "drop", pc.and_(few, none), _joined(steps, asked)),
        _Lint("validate.too_few_steps", "drop", pc.and_(few, pc.invert(none)), _joined(steps, asked)),
    ]
    for name, value, most in (("steps", steps, options.max_steps), ("scrolls", scrolls, options.max_scrolls)):
        if most is not None:
            said = _joined(value, f" {name}, at most {most}")
            lints.append(_Lint(f"validate.too_many_{name}", "drop", pc.greater(value, most), said))
    what = pc.if_else(
        pc.equal(table["loop_period"], 1), "the same action", _joined("a set of ", table["loop_period"], " actions")
    )
    loop = _joined(what, " three times from step ", table["loop_at"])
    lints.append(_Lint("validate.loop", options.loops, pc.is_valid(table["loop_at"]), loop))
    lints.append(_Lint("validate.step_gap", options.gaps, pc.is_valid(table["gap"]), table["gap"]))
    length = pc.or_(pc.less(words, options.min_words), pc.greater(words, options.max_words))
    lints.append(_Lint("validate.instruction_length", options.instruction_length, length, _joined(words, " words")))
    endless = pc.and_(pc.invert(none), pc.invert(table["terminates"]))
    lints.append(_Lint("validate.no_terminate", options.no_terminate, endless, nothing))
    if options.today:
        past = pc.fill_null(pc.less(table["first_date"], pa.scalar(options.today)), False)
        lints.append(_Lint("validate.expired_date", options.expired_dates, past, _text(table["first_date"])))
    lints += [_shown(kind, table, options) for kind in _KINDS]
    return lints


_KINDS: tuple[Kind, ...] = ("captcha", "login", "payment", "writes_state")


def _shown(kind: Kind, table: pa.Table, options: ValidateOptions) -> _Lint:
    """The lint of a run that shows something of this kind: where, and the words."""
    found = table[kind].combine_chunks()
    step, words = pc.struct_field(found, "step"), pc.struct_field(found, "words")
    place = pc.if_else(pc.is_null(step), "instruction", _joined("step ", step))
    said = _joined(place, ": ", pc.utf8_slice_codeunits(words, 0, _SHOWN))
    return _Lint(f"validate.{kind}", getattr(options, kind), pc.is_valid(found), said)


def _joined(*parts: Any) -> Any:
    """Texts and columns put together row by row; null where a part is."""
    texts = [pa.scalar(part) if isinstance(part, str) else _text(part) for part in parts]
    return pc.binary_join_element_wise(*texts, "")


def _text(column: Any) -> Any:
    return column if pa.types.is_string(column.type) else column.cast(pa.string())


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
        table = given.of_runs(self.name, _DECIDED_BY)
        faulty = np.asarray(pc.is_valid(table["fault_reason"]))
        at = np.flatnonzero(faulty)
        of_faulty = table.take(places(at))
        verdicts.quarantine_all(at, of_faulty["fault_reason"], of_faulty["fault"])
        lints = _lints(table, options)
        met = np.array([np.asarray(pc.fill_null(lint.met, False)) for lint in lints]) & ~faulty
        grave = met & np.array([lint.action == "drop" for lint in lints])[:, None]
        first = grave.argmax(axis=0)
        for number, lint in enumerate(lints):
            dropped = np.flatnonzero(grave.any(axis=0) & (first == number))
            verdicts.drop_all(dropped, lint.reason, lint.detail.take(places(dropped)))
        met[:, grave.any(axis=0)] = False
        _flag(verdicts, lints, met)
        _cut(verdicts, given, lints, met)
        return verdicts.table()


def _flag(verdicts: Verdicts, lints: Sequence[_Lint], met: NDArray[np.bool_]) -> None:
    """Notes the lints that kept runs meet. `met`: a row for each lint."""
    runs = np.flatnonzero(met.any(axis=0))
    said = []
    for lint, of_lint in zip(lints, met, strict=True):
        why = lint.detail.take(places(runs))
        words = pc.if_else(pc.is_valid(why), _joined(f"{lint.reason} (", why, ")"), lint.reason)
        said.append(pc.if_else(pa.array(of_lint[runs]), words, pa.scalar(None, pa.string())))
    _, number = np.nonzero(met[:, runs].T)
    codes = pa.array([lint.reason for lint in lints], pa.string()).take(places(number))
    offsets = np.concatenate([[0], np.cumsum(met[:, runs].sum(axis=0))])
    flags = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), codes)
    verdicts.note_all(runs, flags=flags, detail=pc.binary_join_element_wise(*said, "; ", null_handling="skip"))


def _cut(verdicts: Verdicts, given: DecisionInput, lints: Sequence[_Lint], met: NDArray[np.bool_]) -> None:
    """Leaves out the steps of kept runs from where a lint says `cut`; each by the gravest that reaches it."""
    cutting = [number for number, lint in enumerate(lints) if lint.action == "cut" and met[number].any()]
    if not cutting:
        return
    kinds = [lints[number].reason.removeprefix("validate.") for number in cutting]
    runs = np.flatnonzero(met[cutting].any(axis=0))
    table = given.of_runs("validate", ["indices", *kinds]).take(places(runs))
    for at, row in zip(runs.tolist(), table.to_pylist(), strict=True):
        cut: set[int] = set()
        for number, kind in zip(cutting, kinds, strict=True):
            if not met[number, at]:
                continue
            first = row[kind]["step"]
            after = {index for index in row["indices"] if first is None or index >= first} - cut
            for index in sorted(after):
                verdicts.leave_out(at, index, lints[number].reason, lints[number].detail[at].as_py())
            cut |= after


STAGE = _Validate()
