"""What is true behind a judge that errs: the same identity as Rogan and Gladen's (1978) for tests of a disease. With
e+ = P(fails | success) and e- = P(passes | failure), what passes is q = e- + D s of a true share s, D = 1 - e+ - e-. A
judge with D <= 0 tells nothing, or the opposite: nothing is worked out from it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import msgspec

from curate.judge.audit import Answer
from curate.model.errors import GateError
from curate.model.wilson import Z95, Estimate

_SHOWN = 5


class NoiseRates(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's errors, measured on runs that people judged. `false_negative_rate`: e+ (the sign is of the truth), of
    successes that do not pass; `false_positive_rate`: e-, of failures that pass. `positives`, `negatives`: how many
    successes and failures were looked at (of weighted answers as many as have the same variance)."""

    false_negative_rate: float
    false_positive_rate: float
    positives: float
    negatives: float

    @property
    def d(self) -> float:
        """D = 1 - e+ - e-, Youden's J: 1 for a judge that never errs, 0 for one that tosses a coin."""
        return 1 - self.false_negative_rate - self.false_positive_rate

    def d_interval(self) -> tuple[float, float]:
        """The 95 % interval of D, by the normal distribution, its ends in -1 to 1."""
        half = Z95 * math.sqrt(_variance(self.false_negative_rate, self.positives) + self._fp_variance())
        return max(-1.0, self.d - half), min(1.0, self.d + half)

    def _fp_variance(self) -> float:
        return _variance(self.false_positive_rate, self.negatives)


def noise_rates(answers: Sequence[Answer]) -> NoiseRates:
    """The rates of a judge from what people said of its answers. Raises GateError where no success or no failure was
    looked at."""
    true, false = [a for a in answers if a.true], [a for a in answers if not a.true]
    if not true or not false:
        what = "success" if not true else "failure"
        raise GateError(f"The audit holds no {what}: how often the judge errs on one is not known. Label more items.")
    return NoiseRates(
        false_negative_rate=_share([a for a in true if not a.said], true),
        false_positive_rate=_share([a for a in false if a.said], false),
        positives=_effective(true),
        negatives=_effective(false),
    )


def check_usable(rates: NoiseRates) -> str | None:
    """A warning where D is not surely above 0. Raises GateError where it is 0 or less: then a correction would turn
    verdicts around, or blow noise up."""
    low, high = rates.d_interval()
    if rates.d <= 1e-9:
        raise GateError(
            f"The judge tells nothing: D = 1 - e+ - e- is {rates.d:.3f}, with e+ = {rates.false_negative_rate:.3f} "
            f"(successes that fail) and e- = {rates.false_positive_rate:.3f} (failures that pass). It corrects nothing."
        )
    if low <= 0:
        return f"D is {rates.d:.3f}, but its 95 % interval ({low:.3f} to {high:.3f}) reaches 0: label more items."
    return None


def corrected_reward(passed: bool, rates: NoiseRates) -> float:
    """The reward that is right on average: (r - e-) / D; beyond 0 to 1, so nothing to weight examples with (see
    `success_probability`). Raises GateError (`check_usable`)."""
    check_usable(rates)
    return (float(passed) - rates.false_positive_rate) / rates.d


def true_rate(pass_rate: float, rates: NoiseRates, judged: float = math.inf) -> Estimate:
    """The share of successes behind a share that passes, in 0 to 1, with its 95 % interval (delta method: Rogan and
    Gladen 1978). `judged`: how many verdicts the pass rate is of. Raises GateError (`check_usable`)."""
    check_usable(rates)
    rate = (pass_rate - rates.false_positive_rate) / rates.d
    of_fn = rate**2 * _variance(rates.false_negative_rate, rates.positives)
    of_fp = (1 - rate) ** 2 * _variance(rates.false_positive_rate, rates.negatives)
    half = Z95 * math.sqrt(_variance(pass_rate, judged) + of_fn + of_fp) / rates.d
    return Estimate(*(round(min(1.0, max(0.0, value)), 4) for value in (rate, rate - half, rate + half)))


def success_probability(passed: bool, base_rate: float, rates: NoiseRates) -> float | None:
    """P(success | verdict) where the share `base_rate` of such runs succeeds: what examples may be weighted with. None
    for a verdict that no run gets. Raises GateError (`check_usable`)."""
    check_usable(rates)
    of_success = 1 - rates.false_negative_rate if passed else rates.false_negative_rate
    of_failure = rates.false_positive_rate if passed else 1 - rates.false_positive_rate
    both = of_success * base_rate + of_failure * (1 - base_rate)
    return of_success * base_rate / both if both > 0 else None


def check_disjoint(calibration: Collection[str], training: Collection[str]) -> None:
    """The runs that a judge was measured on are not among those it corrects: rates measured on them would be too good.
    Raises GateError."""
    both = sorted(set(calibration) & set(training))
    if both:
        raise GateError(
            f"{len(both):,} runs are in the calibration set and in training ({', '.join(both[:_SHOWN])}"
            f"{', ...' if len(both) > _SHOWN else ''}): hold them out of one."
        )


def _share(some: Sequence[Answer], every: Sequence[Answer]) -> float:
    return math.fsum(a.weight for a in some) / math.fsum(a.weight for a in every)


def _effective(answers: Sequence[Answer]) -> float:
    """Kish: so many equally weighted answers have the same variance."""
    return math.fsum(a.weight for a in answers) ** 2 / math.fsum(a.weight**2 for a in answers)


def _variance(share: float, known: float) -> float:
    return share * (1 - share) / known if known > 0 else 0.0
