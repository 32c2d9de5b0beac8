"""In which order the two numbers of a point stand."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.constants import DETECTOR_EXAMPLES, FRAME_ACCUSES, FRAME_DECIDES, FRAME_LEAST
from curate.sources.detector.frames import Fit, Told, shares
from curate.sources.detector.space import counts_of, evidence_of, trouble
from curate.sources.detector.verdict import Example, Verdict, example


def judge_order(points: Sequence[Told], found: Sequence[Fit], declared: str | None, space: str | None) -> Verdict:
    """The order of the points, whose space is `space` (None: any)."""
    if not points:
        return Verdict(question="order", declared=declared, found=None, sentence="Order: there are no points.")
    space = "picture_pixel" if space == "page_pixel" else space
    here = [fit for fit in found if space in (None, fit.space)] or list(found)
    by: dict[str, float] = {}
    for fit, share in zip(here, shares(here), strict=True):
        by[fit.order] = by.get(fit.order, 0.0) + share
    best = here[0]
    sure = by[best.order]
    rival = next((fit for fit in here if fit.order != best.order), None)
    odds = best.score - rival.score if rival is not None else 0.0
    decided = sure >= FRAME_DECIDES
    other = declared is not None and best.order != declared
    contradicts = decided and other and odds >= FRAME_ACCUSES and len(points) >= FRAME_LEAST
    decided = decided and (contradicts or not other)  # a few points are no answer against what is declared
    shown: list[Example] = []
    for told in points if rival is not None else ():
        wrong = trouble(told, rival) if rival is not None else None
        if wrong and not trouble(told, best) and len(shown) < DETECTOR_EXAMPLES:
            shown.append(example(told.run, told.seen.step, f"{told.seen.raw} {wrong} as {rival and rival.order}"))
    return Verdict(
        question="order", declared=declared, found=best.order if decided else None, contradicts=contradicts,
        low=round(sure, 4), high=round(sure, 4), counts=counts_of(here), examples=shown,
        sentence=_sentence(len(points), best, rival, sure, decided, declared, contradicts),
    )  # fmt: skip


def _sentence(
    count: int, best: Fit, rival: Fit | None, sure: float, decided: bool, declared: str | None, contradicts: bool
) -> str:
    if not decided:
        if declared is not None and best.order != declared and sure >= FRAME_DECIDES:
            return f"Order: {declared} is declared; the points lean to {best.order}, but {count} are too few to say so."
        said = "undecided" if declared is None else f"{declared} is declared and fits as well"
        return f"Order: {said}; {count} points do not tell."
    if contradicts and rival is not None:
        return (
            f"Order: {best.order}, though the source declares {declared}: of {count} points {evidence_of(best)}; as "
            f"declared {evidence_of(rival)}."
        )
    how = "not declared" if declared is None else "as declared"
    return f"Order: {best.order} ({how}; {sure:.1%} of the likelihood): of {count} points {evidence_of(best)}."
