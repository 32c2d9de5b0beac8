"""What one record says of itself: pictures that are not there, gaps, loops, an end that contradicts the outcome, its
licence. The lints are the stage validate's own."""

from __future__ import annotations

from collections.abc import Sequence

from curate.engine.check.collect import Collected, at
from curate.engine.check.types import Sure
from curate.model.actions import Terminate
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.model.trajectory import Trajectory
from curate.stages import registry
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.records_table import RecordsTable

_OF_PICTURES = ("picture_missing", "picture_damaged")
_LINTS = {
    "validate.no_steps": "steps.no_steps", "validate.loop": "steps.loop", "validate.step_gap": "steps.gap",
    "validate.no_terminate": "steps.no_terminate", "validate.captcha": "steps.risk", "validate.login": "steps.risk",
    "validate.payment": "steps.risk", "validate.writes_state": "steps.risk",
    "validate.schema": "steps.repeated_index",
}  # fmt: skip
"""By reason of the stage validate: the kind that it is told under. Others (lengths that a recipe asks for) are no
fault of a dataset."""


_BY_WORDS = Sure(by="guess", why="by words in instructions and on screens; words mean other things, too")


class Records:
    """Looks at records as their sources read them, a batch at a time."""

    def __init__(self, found: Collected, context: MeasureContext) -> None:
        self._found, self._context = found, context
        self.steps = self.named = self.told = 0
        self.completed: dict[bool | None, int] = {}

    def add(self, records: Sequence[Trajectory]) -> None:
        """The records of a batch."""
        for record in records:
            self._pictures(record)
            self._flags(record)
            self._outcome(record)
            self.steps += len(record.steps)
        self._lints(records)

    def _pictures(self, record: Trajectory) -> None:
        named = 0
        for step in record.steps:
            missing = "picture_missing" in step.flags
            named += step.image is not None or missing
            if missing:
                kind = "pictures.damaged" if "picture_damaged" in step.flags else "pictures.missing"
                self._found.add(kind, at(record, step=step.index))
        self.named += named
        if record.steps and not named:
            self._found.add("pictures.none", at(record))

    def _flags(self, record: Trajectory) -> None:
        for step in record.steps:
            for flag in step.flags:
                if flag in _OF_PICTURES or flag in ("words_generated", "after_end"):
                    continue
                if flag == "step_gap":
                    self._found.add("steps.gap", at(record, "steps before this one are missing", step.index), part=flag)
                else:
                    self._found.add("steps.flagged", at(record, step.action, step.index), part=flag)
        if any("after_end" in step.flags for step in record.steps[1:]) or _ends_early(record):
            self._found.add("steps.after_end", at(record))

    def _outcome(self, record: Trajectory) -> None:
        completed = record.outcome.completed
        self.completed[completed] = self.completed.get(completed, 0) + 1
        if completed is None:
            self._found.add("completion.unknown", at(record))
        elif not completed:
            self._found.add("completion.failed", at(record, record.outcome.reason))
        said = _last_word(record)
        if said is None:
            return
        self.told += completed is not None
        if completed is not None and completed != (said == "success"):
            what = f"terminate says {said}, the record says {'completed' if completed else 'not completed'}"
            self._found.add("completion.contradicts", at(record, what, record.steps[-1].index))

    def _lints(self, records: Sequence[Trajectory]) -> None:
        """As `curate run` lints them. Ids may repeat here: each is called by its place in the batch."""
        stage = registry.stage("validate")
        options = stage.options()
        table = stage.measure(RecordsTable(records), options, self._context)  # type: ignore[arg-type]
        names = [str(number) for number in range(len(records))]
        table = table.set_column(0, "id", [names])
        decided = stage.decide(DecisionInput(alive=names, measures={"validate": table}, verdicts={}), options)
        for row in decided.select(["id", "step", "reason", "detail", "flags"]).to_pylist():
            if row["step"] is not None:
                continue
            record = records[int(row["id"])]
            for reason in [row["reason"], *(row["flags"] or [])]:
                kind = _LINTS.get(reason or "")
                if kind == "steps.gap" and any("step_gap" in step.flags for step in record.steps):
                    continue  # told by step
                if kind is not None:
                    part = reason.split(".", 1)[1] if kind == "steps.risk" else None
                    self._found.add(kind, at(record, _said(row["detail"], reason)), part=part)

    def finish(self, records: int) -> None:
        """Sentences with their totals. `records`: how many were read."""
        say = self._found.say
        for kind in ("pictures.missing", "pictures.damaged"):
            say(kind, of=self.named)
        for kind in (
            "pictures.none", "steps.after_end", "steps.loop", "steps.gap", "steps.no_terminate", "steps.no_steps",
            "steps.repeated_index", "completion.unknown", "completion.failed",
        ):  # fmt: skip
            say(kind, of=records)
        for finding in self._found.parts("steps.gap"):
            if finding.part == "step_gap":
                finding.unit = "steps"
                say("steps.gap", FLAGS["step_gap"], part="step_gap", of=self.steps)
        for finding in self._found.parts("steps.flagged"):
            flag = finding.part or ""
            say("steps.flagged", FLAGS.get(flag, flag), part=flag, of=self.steps)
        for finding in self._found.parts("steps.risk"):
            words = REASONS[f"validate.{finding.part}"]
            say("steps.risk", f"{words} (By its words.)", part=finding.part, of=records, sure=_BY_WORDS)
        said = f"Of the {self.told:,} records that have both a last word and an outcome."
        say("completion.contradicts", said, of=self.told)
        if not self.told:
            self._found.cannot(
                "completion", "contradictions of outcome", "no record has both a last word and an outcome."
            )


def _last_word(record: Trajectory) -> str | None:
    """What the last step's terminate says, None where there is none or it says nothing."""
    if not record.steps:
        return None
    ends = [action for action in record.steps[-1].actions if isinstance(action, Terminate)]
    return ends[-1].status if ends else None


def _ends_early(record: Trajectory) -> bool:
    return any(isinstance(action, Terminate) for step in record.steps[:-1] for action in step.actions)


def _said(detail: str | None, reason: str) -> str | None:
    """Of the details of several lints, `reason (detail); reason (detail)`, the one of this."""
    if detail is None or f"{reason} (" not in detail:
        return None if detail and detail.startswith("validate.") else detail
    rest = detail.split(f"{reason} (", 1)[1]
    return rest.split("); validate.", 1)[0].removesuffix(")")
