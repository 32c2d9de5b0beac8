"""A verdict on one question, and how sure a count of votes makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from curate.model.constants import (
    DETECTOR_ACCUSES_FROM,
    DETECTOR_ACCUSES_LEAST,
    DETECTOR_DECIDES_FROM,
    DETECTOR_EXAMPLES,
)
from curate.model.wilson import wilson
from curate.sources.detector.sample import Run

Question = Literal["space", "order", "scroll", "timing"]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A step that tells. `file`, `line`: where its record stands; `what`: what is seen there."""

    record: str
    step: int
    file: str | None = None
    line: int | None = None
    what: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the data says. `found`: its answer, None where there is too little to say; `declared`: the source's (or the
    user's), None where it gives none; `contradicts`: the data says something else, and is sure enough to be believed
    over a source. `low`, `high`: how sure the answer is, from 0 to 1 (of votes: their Wilson interval; of frames: the
    share of the likelihood, both ends alike). `counts`: the evidence in numbers."""

    question: Question
    declared: str | None
    found: str | None
    contradicts: bool = False
    low: float = 0.0
    high: float = 1.0
    counts: dict[str, int] = {}
    examples: list[Example] = []
    sentence: str

    @property
    def decides(self) -> str | None:
        """What reading goes by where neither the source nor the user says anything."""
        return self.found


class Vote(NamedTuple):
    """What one step says. `by`: on what grounds."""

    answer: str
    by: str
    example: Example


def example(run: Run, step: int, what: str) -> Example:
    """An example that can be found again."""
    return Example(record=run.record, step=step, file=run.file, line=run.line, what=what)


def judge(question: Question, name: str, declared: str | None, votes: Sequence[Vote]) -> Verdict:
    """The answer of most votes, if the Wilson interval of its share lies above a half; it contradicts what is declared
    if it lies above DETECTOR_ACCUSES_FROM, of votes enough. `name`: what is asked, as a sentence begins."""
    counts: dict[str, int] = {}
    for vote in votes:
        for key in (vote.answer, f"{vote.answer}_by_{vote.by}"):
            counts[key] = counts.get(key, 0) + 1
    answers = sorted({vote.answer for vote in votes}, key=lambda answer: (-counts[answer], answer))
    if not answers:
        return Verdict(question=question, declared=declared, found=None, sentence=f"{name}: no step tells.")
    best, total = answers[0], len(votes)
    low, high = wilson(counts[best], total)
    found = best if low > DETECTOR_DECIDES_FROM else None
    believed = low > DETECTOR_ACCUSES_FROM and total >= DETECTOR_ACCUSES_LEAST
    contradicts = found is not None and declared not in (None, found) and believed
    shown = [vote.example for vote in votes if vote.answer == best][:DETECTOR_EXAMPLES]
    against = [vote.example for vote in votes if vote.answer != best][:1]
    said = f"{counts[best]} of {total} steps that tell say {best} ({low:.0%} to {high:.0%})"
    return Verdict(
        question=question, declared=declared, found=found, contradicts=contradicts, low=round(low, 4),
        high=round(high, 4), counts=counts, examples=[*shown, *against],
        sentence=f"{name}: {_conclusion(declared, best, found, contradicts)}: {said}.",
    )  # fmt: skip


def _conclusion(declared: str | None, best: str, found: str | None, contradicts: bool) -> str:
    if contradicts:
        return f"{best}, though the source declares {declared}"
    if found is None:
        return "undecided" if declared is None else f"undecided, {declared} is declared"
    if declared is None:
        return f"{found}, which the source does not declare"
    if declared == found:
        return f"{found}, as declared"
    return f"{declared} is declared; the data leans to {found}"
