"""Figures of labels, against counts made by hand and weighted counts made in another way; and what is refused."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.auditing.evaluating import audit_labels, evaluated, truth_of
from curate.engine.auditing.results import AuditResult
from curate.engine.auditing.sampling import Sample, draw_sample
from curate.engine.auditing.strata import Candidate, Drawn
from curate.model.audit_label import AuditItem
from curate.model.errors import InputError
from tests.engine.auditing.made import answered, label, make_audited_run, store


def sample_of(boxes: dict[tuple[str, str], int], stands_for: dict[str, float]) -> tuple[Sample, dict[str, str]]:
    """A sample with one stratum for each answer of the machine, and what people will say of each item. `boxes`: by
    (machine, people) how many items."""
    items, drawn, people = [], [], {}
    for (said, true), count in boxes.items():
        for k in range(count):
            name = f"{said}-{true}-{k}"
            items.append(AuditItem(about="verdicts", run="0" * 64, size=9, seed=0, item=name, id=name))
            drawn.append(Drawn(Candidate(said, name, said=said), stands_for[said]))
            people[name] = true
    of = Counter(one.candidate.stratum for one in drawn)
    population = {name: round(count * stands_for[name]) for name, count in sorted(of.items())}
    return Sample("verdicts", "0" * 64, 9, 0, items, drawn, population), people


def test_the_published_audit_of_a_judge_comes_out_again() -> None:
    """The audit of tests/judge (39, 5, 14, 42): equal weights give the shares as they were printed."""
    boxes = {
        ("success", "success"): 39,
        ("failure", "success"): 5,
        ("success", "failure"): 14,
        ("failure", "failure"): 42,
    }
    sample, people = sample_of(boxes, {"success": 1, "failure": 1})
    found = evaluated(sample, [label(item, people[item.item]) for item in sample.items])
    assert (found.counts.tp, found.counts.fn, found.counts.fp, found.counts.tn) == (39, 5, 14, 42)
    assert found.figures.precision.share == round(39 / 53, 4) and found.figures.recall.share == round(39 / 44, 4)
    assert found.figures.tnr.share == 0.75 and found.figures.npv.share == round(42 / 47, 4)
    assert found.figures.accuracy.share == 0.81 and found.figures.base_rate.share == 0.44 and found.effective == 100


counts = st.fixed_dictionaries(
    {(said, true): st.integers(0, 12) for said in ("success", "failure") for true in ("success", "failure")}
)


@given(counts, st.integers(1, 30), st.integers(1, 30))
def test_weighted_figures_are_those_of_the_items_repeated(
    boxes: dict[tuple[str, str], int], passed: int, failed: int
) -> None:
    """A second implementation: each item written down as often as it stands for, and counted."""
    weights = {"success": float(passed), "failure": float(failed)}
    sample, people = sample_of(boxes, weights)
    found = evaluated(sample, [label(item, people[item.item]) for item in sample.items])
    whole = [pair for pair, count in boxes.items() for _ in range(count * int(weights[pair[0]]))]
    matrix = Counter(whole)
    assert found.matrix.tp == pytest.approx(matrix["success", "success"])
    assert found.matrix.fn == pytest.approx(matrix["failure", "success"])
    assert found.matrix.fp == pytest.approx(matrix["success", "failure"])
    assert found.matrix.tn == pytest.approx(matrix["failure", "failure"])

    def share(yes: int, of: int) -> float | None:
        return None if not of else pytest.approx(yes / of, abs=1e-4)

    tp, fn = matrix["success", "success"], matrix["failure", "success"]
    fp, tn = matrix["success", "failure"], matrix["failure", "failure"]
    assert found.figures.precision.share == share(tp, tp + fp)
    assert found.figures.recall.share == share(tp, tp + fn)
    assert found.figures.tnr.share == share(tn, tn + fp)
    assert found.figures.npv.share == share(tn, tn + fn)
    assert found.figures.accuracy.share == share(tp + tn, len(whole))
    assert found.figures.base_rate.share == share(tp + fn, len(whole))
    drawn = [weights[said] for (said, _), count in boxes.items() for _ in range(count)]
    kish = sum(drawn) ** 2 / sum(w**2 for w in drawn) if drawn else 0
    assert found.effective == pytest.approx(kish, abs=0.06)


def test_intervals_hold_what_is_true_of_the_run(audited_run: Path) -> None:
    """Over many seeds the 95 % interval of the base rate holds the share of all forty runs that a rule calls
    completed. (Drawn without replacement, so rather more often than it must.)"""

    def rule(_: int, item: AuditItem, one: Drawn) -> str:
        return "failure" if int(item.id[-2:]) % 3 == 0 or one.candidate.said == "failure" else "success"

    everything = draw_sample(audited_run, "verdicts", 1000, 0)
    spoken = [rule(0, *pair) for pair in zip(everything.items, everything.drawn, strict=True) if pair[1].candidate.said]
    true = spoken.count("success") / len(spoken)
    held = 0
    for seed in range(40):
        sample = draw_sample(audited_run, "verdicts", 18, seed)
        rate = evaluated(sample, answered(sample, rule)).figures.base_rate
        assert rate.low is not None and rate.high is not None
        held += rate.low <= true <= rate.high
    assert held >= 36


def test_who_is_missing_unsure_or_at_odds(audited_run: Path, tmp_path: Path) -> None:
    sample = draw_sample(audited_run, "verdicts", 1000, 0)
    count = len(sample.items)
    anna = answered(sample, lambda k, _, one: [None, "unsure", "success"][min(k, 2)])
    ben = answered(sample, lambda k, _, one: [None, "unsure", "failure", "success"][min(k, 3)], "ben")
    (found,) = audit_labels(audited_run, [store(tmp_path, anna + ben)])
    assert (found.missing, found.unsure, found.disputed, found.labelled) == (1, 1, 1, count - 3)
    assert found.drawn == count == found.missing + found.unsure + found.disputed + found.labelled
    assert [(one.by, one.answered, one.unsure, one.missing) for one in found.reviewers] == [
        ("anna", count - 1, 1, 1), ("ben", count - 1, 1, 1),
    ]  # fmt: skip
    (pair,) = found.agreements
    assert (pair.one, pair.other, pair.both, pair.same) == ("anna", "ben", count - 2, count - 3)
    assert pair.kappa.share == 0, "anna always said the same"
    assert [one.item for one in found.disagreements] == [sample.items[2].item]
    assert {one.said for one in found.differ} == {"failure"}
    told = [one for one in found.items if one.truth is not None]
    for stratum, population in found.population.items():
        weight = math.fsum(one.stands_for for one in told if one.stratum == stratum)
        assert weight == pytest.approx(population) or stratum in found.unseen
    kept = [
        one.truth for one, drawn in zip(found.items, sample.drawn, strict=True) if drawn.candidate.kept and one.truth
    ]
    assert found.kept.share == pytest.approx(kept.count("success") / len(kept), abs=1e-4)
    assert found.silent.labelled == sum(one.said is None for one in told)


def test_the_last_answer_of_a_person_stands(audited_run: Path, tmp_path: Path) -> None:
    sample = draw_sample(audited_run, "pairs", 4, 0)
    labels = [label(sample.items[0], said) for said in ("copy", "unsure", "different")]
    (found,) = audit_labels(audited_run, [store(tmp_path, labels)])
    assert found.items[0].answers == {"anna": "different"} and found.missing == len(sample.items) - 1


@pytest.mark.parametrize(
    ("answers", "truth"),
    [([], None), (["unsure"], None), (["a"], "a"), (["a", "unsure"], "a"), (["a", "b"], None), (["a", "b", "a"], "a"),
     (["a", "b", "unsure"], None)],
)  # fmt: skip
def test_most_of_those_who_can_tell_are_believed(answers: list[str], truth: str | None) -> None:
    chance = random.Random(0)
    for _ in range(4):
        chance.shuffle(answers)
        assert truth_of(answers) == truth


def test_samples_are_told_apart(audited_run: Path, tmp_path: Path) -> None:
    labels = []
    for about, size, seed in (("keyframes", 9, 0), ("verdicts", 9, 1), ("verdicts", 9, 0)):
        sample = draw_sample(audited_run, about, size, seed)  # type: ignore[arg-type]
        labels.append(label(sample.items[0], "right" if about == "keyframes" else "success"))
    found = audit_labels(audited_run, [store(tmp_path, labels)])
    assert [(one.about, one.seed, one.labelled) for one in found] == [
        ("verdicts", 0, 1),
        ("verdicts", 1, 1),
        ("keyframes", 0, 1),
    ]
    assert msgspec.json.decode(msgspec.json.encode(found), type=list[AuditResult]) == found


def test_labels_of_another_run_or_of_no_item_are_refused(audited_run: Path, tmp_path: Path) -> None:
    other = make_audited_run(tmp_path / "other", ["outcome.keep=all"])
    sample = draw_sample(other, "verdicts", 5, 0)
    with pytest.raises(InputError, match=r"1 of 1 labels \(anna\) are of another run"):
        audit_labels(audited_run, [store(tmp_path / "a", [label(sample.items[0], "success")])])
    mine = draw_sample(audited_run, "verdicts", 5, 0).items[0]
    both, told = store(tmp_path / "a", [label(mine, "failure")]), []
    (found,) = audit_labels(audited_run, [both], lambda *some: told.append(some))
    assert told == [(1, 2)] and found.labelled == 1 and found.items[0].answers == {"anna": "failure"}
    with pytest.raises(InputError, match="1 of 2 labels"):
        audit_labels(audited_run, [both])
    strange = msgspec.structs.replace(label(mine, "success"), item="nothing")
    with pytest.raises(InputError, match="does not have"):
        audit_labels(audited_run, [store(tmp_path / "b", [strange])])
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "audit-pairs-anna.jsonl").touch()
    with pytest.raises(InputError, match="no label yet"):
        audit_labels(audited_run, [tmp_path / "c"])
