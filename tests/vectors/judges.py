"""Vectors of judges: audits, base rates, noise, and what a reply says."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.judge.agreement import cohens_kappa
from curate.judge.audit import answers_of, confusion_matrix, figures
from curate.judge.base_rate import failures_kept, pass_rate_at, passed_within, precision_at
from curate.judge.noise import (
    NoiseRates,
    check_disjoint,
    check_usable,
    corrected_reward,
    noise_rates,
    success_probability,
    true_rate,
)
from curate.judge.verdicts import parse_score, parse_status, passes
from curate.model.constants import AUDIT_LABELS_WANTED
from curate.model.errors import GateError
from curate.model.wilson import Estimate
from tests.vectors.registry import Vector, vector


def share(estimate: Estimate) -> float:
    assert estimate.share is not None
    return estimate.share


def rates(inputs: dict[str, float]) -> NoiseRates:
    """Measured on so many that they are as good as known."""
    return NoiseRates(
        false_negative_rate=inputs["e_plus"], false_positive_rate=inputs["e_minus"], positives=1e9, negatives=1e9
    )


@vector("audit_explorer", "audit_explorer_npv_tnr", "audit_strict", "audit_lenient")
def boxes(v: Vector, folder: Path) -> None:
    answers = answers_of(**v["inputs"])
    found, matrix = figures(answers), confusion_matrix(answers)
    told = {
        "accuracy": share(found.accuracy), "precision": share(found.precision), "recall": share(found.recall),
        "false_pass_rate": 1 - share(found.tnr), "failures_in_kept": 1 - share(found.precision),
        "successes_lost": 1 - share(found.recall), "kept": matrix.tp + matrix.fp, "base_rate": share(found.base_rate),
        "npv": share(found.npv), "tnr": share(found.tnr),
    }  # fmt: skip
    for name, expected in v["expected"].items():
        assert told[name] == pytest.approx(expected, abs=v["tol"]), name


@vector("audit_scaled")
def scaled(v: Vector, folder: Path) -> None:
    found = figures(answers_of(tp=39, fn=5, fp=14, tn=42))
    assert v["inputs"]["kept"] * (1 - share(found.precision)) == pytest.approx(v["expected"], abs=v["tol"])


@vector("audit_min")
def enough(v: Vector, folder: Path) -> None:
    assert v["expected"]["min_hand_checks"] == AUDIT_LABELS_WANTED


@vector("base_rate_0.8", "base_rate_0.44", "base_rate_0.2", "base_rate_0.1", "base_rate_0.05")
def base_rate(v: Vector, folder: Path) -> None:
    given = v["inputs"]
    assert precision_at(given["s"], given["r"], given["f"]) == pytest.approx(v["expected"], abs=v["tol"])


@vector("rejection_q")
def tried_again(v: Vector, folder: Path) -> None:
    given, expected = v["inputs"], v["expected"]
    q = pass_rate_at(given["s"], given["r"], given["f"])
    told = [q, *(passed_within(tries, q) for tries in (1, 4, 16))]
    bad = failures_kept([(1.0, given["s"])], 4, given["r"], given["f"])
    wanted = [expected[name] for name in ("q", "one", "four", "sixteen", "bad_share")]
    assert [*told, bad] == pytest.approx(wanted, abs=v["tol"])


@vector("rejection_mix_two_point")
def mixed(v: Vector, folder: Path) -> None:
    given = v["inputs"]
    told = [failures_kept(given["mix"], tries, given["r"], given["f"]) for tries in given["tries"]]
    assert told == pytest.approx(v["expected"], abs=v["tol"])
    assert told == sorted(told)


@vector("noise_rates")
def measured(v: Vector, folder: Path) -> None:
    found = noise_rates(answers_of(**v["inputs"]))
    told = {"e_minus": found.false_positive_rate, "e_plus": found.false_negative_rate, "D": found.d}
    assert told == pytest.approx(v["expected"], abs=v["tol"])


@vector("noise_rhat")
def corrected(v: Vector, folder: Path) -> None:
    told = [corrected_reward(bool(r), rates(v["inputs"])) for r in v["inputs"]["r"]]
    assert told == pytest.approx(v["expected"], abs=v["tol"])


@vector("noise_mean_is_base_rate")
def rogan_gladen(v: Vector, folder: Path) -> None:
    given = v["inputs"]
    judged = given["passed"] + given["failed"]
    mean = sum(given[name] * corrected_reward(name == "passed", rates(given)) for name in ("passed", "failed")) / judged
    assert mean == pytest.approx(v["expected"], abs=v["tol"])
    assert share(true_rate(given["passed"] / judged, rates(given))) == pytest.approx(mean, abs=1e-4)


@vector("noise_unbiased_identity")
def unbiased(v: Vector, folder: Path) -> None:
    known = rates(v["inputs"])
    passing = {1: 1 - known.false_negative_rate, 0: known.false_positive_rate}
    for true, q in passing.items():
        mean = q * corrected_reward(True, known) + (1 - q) * corrected_reward(False, known)
        assert mean == pytest.approx(v["expected"][f"E_given_{true}"], abs=v["tol"])


@vector("noise_refuse_D")
def refused(v: Vector, folder: Path) -> None:
    for (e_plus, e_minus), usable in zip(v["inputs"]["pairs"], v["expected"], strict=True):
        known = rates({"e_plus": e_plus, "e_minus": e_minus})
        if usable:
            assert check_usable(known) is None
        else:
            for act in (lambda k: corrected_reward(True, k), lambda k: true_rate(0.5, k), check_usable):
                with pytest.raises(GateError, match="tells nothing"):
                    act(known)


@vector("noise_explorer_true_rate")
def explorer(v: Vector, folder: Path) -> None:
    given, known = v["inputs"], rates(v["inputs"])
    rate = share(true_rate(given["pass_rate"], known))
    assert rate == pytest.approx(v["expected"]["true_rate"], abs=v["tol"])
    assert success_probability(True, rate, known) == pytest.approx(v["expected"]["precision"], abs=v["tol"])


@vector("noise_calibration_disjoint")
def disjoint(v: Vector, folder: Path) -> None:
    with pytest.raises(GateError, match=r"1 runs .*\(r2\)"):
        check_disjoint(v["inputs"]["calibration_ids"], v["inputs"]["training_ids"])


@vector("judge_status_parse")
def statuses(v: Vector, folder: Path) -> None:
    assert [parse_status(reply) for reply in v["inputs"]["replies"]] == v["should_be"]


@vector("explorer_status", "agenttrek_status")
def status(v: Vector, folder: Path) -> None:
    assert parse_status(v["inputs"]["reply"]) == v["expected"]


@vector("rm_format_parse", "osgenesis_score")
def score(v: Vector, folder: Path) -> None:
    assert parse_score(v["inputs"]["reply"], 1, 5) == v["expected"]


@vector("digidata_judge_flow")
def flow(v: Vector, folder: Path) -> None:
    told = []
    for case in v["inputs"]["cases"]:
        people = (case["v1"], case["v2"]) if "v1" in case else None
        told.append("keep" if passes("success" if case["ai"] == "pass" else "failure", people) else "drop")
    assert told == v["expected"]


@vector("judge_agreement_tutorial")
def agreed(v: Vector, folder: Path) -> None:
    """84 % of 558: how sure that is, which the seed does not say."""
    checked = v["inputs"]["checked"]
    right = round(v["expected"] * checked)
    found = figures(answers_of(tp=right, fn=checked - right, fp=0, tn=0)).accuracy
    assert share(found) == pytest.approx(v["expected"], abs=0.001)
    assert (found.low, found.high) == pytest.approx((0.807, 0.868), abs=0.001)
    assert cohens_kappa([("success", "success")] * right + [("success", "failure")] * (checked - right)).share == 0
