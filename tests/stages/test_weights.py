"""Weights and where they came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.errors import UsageError
from curate.model.scores import reward
from curate.model.trajectory import Score, Weight
from curate.stages import nearcopies
from curate.stages.weights import STAGE, WeightsOptions, effective_sample_size, shares
from tests.stages.factories import buttons, decided, kept


def scored(id, value, low=1, high=5, higher=True, **fields):
    score = Score(name="reward", value=value, min=low, max=high, higher_is_better=higher, by="judge")
    return buttons(id, ["x"], scores=[score], **fields)


def weights(records, options=None, **kwargs):
    rows = decided(STAGE, records, options, **kwargs)
    assert kept(rows) == [record.id for record in records]  # no run is ever thrown away
    return {row["id"]: (row["weight"], row["weight_by"]) for row in rows}


def test_the_records_weight_stays_unless_something_changes_it():
    assert weights([buttons("a", ["x"], weight=Weight(value=0.25, by="credit"))]) == {"a": (0.25, "credit")}


def test_share_of_a_score():
    found = weights([scored("a", 2), scored("b", 5)], WeightsOptions(score="reward"))
    assert found == {"a": (2 / 7, "default * score reward"), "b": (5 / 7, "default * score reward")}
    mean = weights([scored("a", 2), scored("b", 5)], WeightsOptions(score="reward", scale="mean"))
    assert mean["a"][0] + mean["b"][0] == 2


def test_direction_belongs_to_the_score():
    # a rubric printed as "1 done perfectly ... 5 fails completely": lower is better, so 1 weighs most
    found = weights([scored("best", 1, higher=False), scored("worst", 5, higher=False)], WeightsOptions(score="reward"))
    assert found["best"][0] == pytest.approx(5 / 6)
    assert found["worst"][0] == pytest.approx(1 / 6)


def test_unknown_scores_count_as_the_mean_and_say_so():
    found = weights([scored("a", 2), scored("b", 4), buttons("c", ["x"])], WeightsOptions(score="reward"))
    assert found["c"] == (pytest.approx(3 / 9), "default * mean of score reward")


def test_a_score_that_no_run_has_is_an_error_that_names_those_there_are():
    with pytest.raises(UsageError, match="'aligment'; there are: reward"):
        weights([scored("a", 2)], WeightsOptions(score="aligment"))
    with pytest.raises(UsageError, match="no run has any score"):
        weights([buttons("a", ["x"])], WeightsOptions(score="reward"))
    assert weights([], WeightsOptions(score="reward")) == {}


def test_a_score_outside_its_range_is_none():
    assert reward(Score(name="r", value=9, min=1, max=5, higher_is_better=True)) is None
    assert reward(Score(name="r", value=float("nan"), min=1, max=5, higher_is_better=True)) is None


def test_near_copies_share_one_weight():
    people = [buttons(f"p{i}", list("abcdef"), kind="human") for i in range(4)]
    from curate.stages.base import DecisionInput
    from tests.stages.factories import measured

    given_copies = DecisionInput(
        alive=[p.id for p in people], measures={"nearcopies": measured(nearcopies.STAGE, people)}, verdicts={}
    )
    copies = nearcopies.STAGE.decide(given_copies, nearcopies.NearcopiesOptions())
    found = weights(people, verdicts={"nearcopies": copies})
    assert found["p0"] == (0.25, "default * near-copies")
    assert sum(weight for weight, _ in found.values()) == 1
    assert weights(people, WeightsOptions(copies=False), verdicts={"nearcopies": copies})["p0"] == (1.0, "default")


def test_effective_sample_size():
    assert effective_sample_size(8.0, 8.0) == 8
    assert effective_sample_size(0, 0) == 0
    assert effective_sample_size(3 + 1, 9 + 1) == 16 / 10


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=30))
def test_shares_sum_to_one_and_keep_their_order(rewards):
    found = shares(rewards)
    assert sum(found) == pytest.approx(1)
    assert all(
        (a <= b) == (x <= y) or x == y
        for a, x in zip(rewards, found, strict=True)
        for b, y in zip(rewards, found, strict=True)
    )
    assert 0 < effective_sample_size(sum(found), sum(w * w for w in found)) <= len(found) + 1e-9


def test_negative_rewards_are_refused():
    with pytest.raises(ValueError, match="at least 0"):
        shares([1.0, -0.1])
