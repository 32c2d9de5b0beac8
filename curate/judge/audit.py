"""A judge beside what people found: the four boxes, and the shares that follow, each with its 95 % interval. Positive
is a pass: of runs a success, of pairs a copy. Answers may have weights, where a sample drew more of what is rare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from curate.model.wilson import Estimate, estimate


class Answer(NamedTuple):
    """One item: what the machine said, what is true by a person, and for how many items it stands."""

    said: bool
    true: bool
    weight: float = 1.0


class ConfusionMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """Counts (of weights): what is true, and the machine passed it (`tp`) or not (`fn`); what is not, and the machine
    passed it (`fp`) or not (`tn`)."""

    tp: float
    fn: float
    fp: float
    tn: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What the boxes say. `accuracy` alone says little: see `precision` and `recall` beside it.

    precision       of what the machine passed, true; 1 less it is the share of failures in what is kept
    recall          of what is true, passed; 1 less it is the share of successes lost
    tnr             of what is not true, not passed (specificity); 1 less it is the false positive rate
    npv             of what the machine did not pass, not true
    base_rate       of all, true
    pass_rate       of all, passed"""

    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    tnr: Estimate
    npv: Estimate
    base_rate: Estimate
    pass_rate: Estimate


def confusion_matrix(answers: Iterable[Answer]) -> ConfusionMatrix:
    """The four boxes of some answers."""
    boxes = {(said, true): 0.0 for said in (False, True) for true in (False, True)}
    for said, true, weight in answers:
        boxes[said, true] += weight
    return ConfusionMatrix(tp=boxes[True, True], fn=boxes[False, True], fp=boxes[True, False], tn=boxes[False, False])


def answers_of(tp: int, fn: int, fp: int, tn: int) -> list[Answer]:
    """Answers that give these boxes."""
    return (
        [Answer(True, True)] * tp
        + [Answer(False, True)] * fn
        + [Answer(True, False)] * fp
        + [Answer(False, False)] * tn
    )


def figures(answers: Sequence[Answer]) -> Figures:
    """The shares; each is null where nothing is known of it."""
    passed, failed = [a for a in answers if a.said], [a for a in answers if not a.said]
    true, false = [a for a in answers if a.true], [a for a in answers if not a.true]
    return Figures(
        accuracy=estimate([(a.weight, a.said == a.true) for a in answers]),
        precision=estimate([(a.weight, a.true) for a in passed]),
        recall=estimate([(a.weight, a.said) for a in true]),
        tnr=estimate([(a.weight, not a.said) for a in false]),
        npv=estimate([(a.weight, not a.true) for a in failed]),
        base_rate=estimate([(a.weight, a.true) for a in answers]),
        pass_rate=estimate([(a.weight, a.said) for a in answers]),
    )
