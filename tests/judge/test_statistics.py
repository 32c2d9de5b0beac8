"""Statistics of judges: against definitions written out, identities, and published examples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.judge.agreement import cohens_kappa
from curate.judge.audit import Answer, answers_of, confusion_matrix, figures
from curate.judge.base_rate import failures_kept, pass_rate_at, precision_at
from curate.judge.noise import NoiseRates, check_usable, noise_rates, success_probability, true_rate
from curate.judge.verdicts import parse_score, parse_status, passes
from curate.model.errors import GateError
from curate.model.wilson import wilson

counts = st.integers(0, 60)
shares = st.floats(0.01, 0.99)


@given(tp=counts, fn=counts, fp=counts, tn=counts)
def test_each_share_is_its_definition(tp: int, fn: int, fp: int, tn: int) -> None:
    answers = answers_of(tp, fn, fp, tn)
    found, boxes = figures(answers), confusion_matrix(answers)
    assert (boxes.tp, boxes.fn, boxes.fp, boxes.tn) == (tp, fn, fp, tn)
    told = {
        "accuracy": (tp + tn, tp + fn + fp + tn), "precision": (tp, tp + fp), "recall": (tp, tp + fn),
        "tnr": (tn, tn + fp), "npv": (tn, tn + fn), "base_rate": (tp + fn, tp + fn + fp + tn),
        "pass_rate": (tp + fp, tp + fn + fp + tn),
    }  # fmt: skip
    for name, (yes, known) in told.items():
        one = getattr(found, name)
        if not known:
            assert one.share is None
        else:
            assert one.share == pytest.approx(yes / known, abs=1e-4)
            assert (one.low, one.high) == pytest.approx(wilson(yes, known), abs=1e-4)


@given(tp=counts, fn=counts, fp=counts, tn=counts)
def test_the_boxes_and_the_base_rate_say_one_thing(tp: int, fn: int, fp: int, tn: int) -> None:
    """The precision of an audit is what the formula gives for its own base rate; Rogan and Gladen give that back."""
    if not (tp and (fp + tn)):
        return
    s, r, f = (tp + fn) / (tp + fn + fp + tn), tp / (tp + fn), fp / (fp + tn)
    assert precision_at(s, r, f) == pytest.approx(tp / (tp + fp))
    rates = noise_rates(answers_of(tp, fn, fp, tn))
    if rates.d > 0.05:
        assert true_rate(pass_rate_at(s, r, f), rates).share == pytest.approx(s, abs=1e-4)
        assert success_probability(True, s, rates) == pytest.approx(tp / (tp + fp))


@given(shares, shares, shares, st.lists(st.integers(1, 40), min_size=2, max_size=5))
def test_more_tries_never_make_it_better(s: float, r: float, f: float, tries: list[int]) -> None:
    r, f = max(r, f), min(r, f)
    mix = [(0.5, s), (0.5, 1 - s)]
    told = [failures_kept(mix, k, r, f) for k in sorted(tries)]
    assert all(one <= other + 1e-12 for one, other in itertools.pairwise(told))


def test_what_a_sample_says_of_all_is_right_on_average() -> None:
    """Of 900 passed and 100 failed runs fifty of each are looked at: with weights the recall of all comes out."""
    chance = np.random.default_rng(0)
    passed = [Answer(True, k < 720) for k in range(900)]
    failed = [Answer(False, k < 40) for k in range(100)]
    told = []
    for _ in range(300):
        drawn = [passed[k]._replace(weight=18.0) for k in chance.choice(900, 50, replace=False)]
        drawn += [failed[k]._replace(weight=2.0) for k in chance.choice(100, 50, replace=False)]
        found = figures(drawn)
        assert found.recall.share is not None and found.recall.low is not None and found.recall.high is not None
        told.append((found.recall.share, found.recall.low <= 720 / 760 <= found.recall.high))
    assert np.mean([share for share, _ in told]) == pytest.approx(720 / 760, abs=0.003)
    assert np.mean([inside for _, inside in told]) > 0.93


def test_the_interval_of_a_corrected_rate_holds_it_as_often_as_it_says() -> None:
    chance = np.random.default_rng(1)
    s, recall, f, inside = 0.4, 0.85, 0.2, 0
    for _ in range(500):
        tp, fp = chance.binomial(150, recall), chance.binomial(150, f)
        rates = noise_rates(answers_of(tp, 150 - tp, fp, 150 - fp))
        found = true_rate(chance.binomial(2000, pass_rate_at(s, recall, f)) / 2000, rates, 2000)
        assert found.low is not None and found.high is not None
        inside += found.low <= s <= found.high
    assert 0.92 <= inside / 500 <= 0.98


def test_a_judge_that_is_not_surely_of_use_is_said_to_be_so() -> None:
    few = noise_rates(answers_of(tp=3, fn=2, fp=2, tn=3))
    assert "reaches 0" in (check_usable(few) or "")
    with pytest.raises(GateError, match="holds no failure"):
        noise_rates(answers_of(3, 1, 0, 0))
    with pytest.raises(GateError):
        check_usable(NoiseRates(false_negative_rate=0.5, false_positive_rate=0.5, positives=1e6, negatives=1e6))


def test_kappa_of_the_textbook_example() -> None:
    """Two readers of 50 proposals: 20 yes-yes, 15 no-no, 5 and 10 apart; kappa 0.4 (observed 0.7, by chance 0.5)."""
    answers = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    found = cohens_kappa(answers)
    assert found.share == pytest.approx(0.4)
    assert (found.low, found.high) == pytest.approx((0.4 - 0.2540, 0.4 + 0.2540), abs=1e-3)
    assert cohens_kappa([("y", "y"), ("n", "n")]).share == 1
    assert cohens_kappa([("y", "y")] * 9).share is None
    assert cohens_kappa([]).share is None


@given(st.lists(st.tuples(st.sampled_from("yn"), st.sampled_from("yn")), min_size=1, max_size=30))
def test_who_is_asked_first_has_no_say_in_kappa(answers: list[tuple[str, str]]) -> None:
    assert cohens_kappa(answers) == cohens_kappa([(b, a) for a, b in answers])


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("I thought Status: success, but no.\nStatus: failure", "failure"),
        ("Status: success or failure", "unknown"),
        ("Status: success/failure", "unknown"),
        ("Status: not successful", "failure"),
        ("Status: not sure", "unknown"),
        ("STATUS = `SUCCESS`", "success"),
        ("Status: success, as the mail was sent", "success"),
        ("The status quo is a success", "unknown"),
        ("Status:", "unknown"),
        ("", "unknown"),
    ],
)
def test_only_what_is_said_is_read(reply: str, verdict: str) -> None:
    assert parse_status(reply) == verdict


@given(st.text())
def test_any_text_is_a_verdict_or_unknown(reply: str) -> None:
    assert parse_status(reply) in ("success", "failure", "unknown")
    assert parse_score(reply, 1, 5) is None or "core" in reply.lower()


def test_a_score_outside_its_range_is_none() -> None:
    assert parse_score("Score: 9", 1, 5) is None
    assert parse_score("Score: 4.5", 1, 5) == 4.5
    assert parse_score("**Score:** 3. Score: 2", 1, 5) == 2


def test_nobody_is_asked_of_what_passed_and_nothing_is_known_before_people_were() -> None:
    assert passes("success", (False, False)) is True
    assert passes("unknown", None) is None
