"""Lints of whole runs: length, scrolls, loops, captcha, login and payment, state that is changed for others, gaps,
the instruction's length and dates, the missing end. Coordinates out of range quarantine the run and too few steps
drop it; everything else only flags unless an option says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta
from numpy.typing import NDArray

from curate.model.constants import INSTRUCTION_WORDS
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.risk_words import Kind
from curate.stages.measures.run_lints import measure_runs
from curate.stages.tables import from_tuples, places, schema, struct
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


_FOUND = struct(step=pa.int64(), words=pa.string())  # where a run first shows it (null: in its instruction), and how
MEASURES = schema(
    id=pa.string(),
    steps=pa.int64(),
    scrolls=pa.int64(),
    words=pa.int64(),
    fault=pa.string(),  # a coordinate out of range, or step indices that do not ascend
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
        return from_tuples(measure_runs(context.steps(trajectories)), MEASURES)

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
