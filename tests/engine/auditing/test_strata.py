"""Properties of drawing from strata."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.auditing.strata import Candidate, allocation, draw

populations = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 300), min_size=1)


def candidates(counts: dict[str, int]) -> list[Candidate]:
    return [Candidate(name, f"{name}{k}") for name, count in counts.items() for k in range(count)]


@given(populations, st.integers(1, 80), st.integers(0, 5))
def test_weights_add_up_and_every_stratum_is_seen(counts: dict[str, int], size: int, seed: int) -> None:
    drawn, population = draw(candidates(counts), "verdicts", size, seed)
    assert population == dict(sorted(counts.items()))
    of = Counter(one.candidate.stratum for one in drawn)
    assert of.keys() == counts.keys()
    for name, count in counts.items():
        weights = [one.stands_for for one in drawn if one.candidate.stratum == name]
        assert sum(weights) == pytest.approx(count) and len(set(weights)) == 1 and min(weights) >= 1
    assert len(drawn) == min(sum(counts.values()), max(size, len(counts)))
    assert len({one.candidate.key for one in drawn}) == len(drawn)


@given(populations, st.integers(1, 80))
def test_a_larger_stratum_gets_no_fewer(counts: dict[str, int], size: int) -> None:
    given_ = allocation(counts, size)
    ranked = sorted(counts, key=lambda name: counts[name])
    for one, other in itertools.pairwise(ranked):
        assert given_[one] <= given_[other] + 1
        assert given_[one] <= counts[one]


def test_rare_things_are_drawn_more_often_than_their_share() -> None:
    given_ = allocation({"common": 10_000, "rare": 100}, 110)
    assert given_ == {"common": 100, "rare": 10}  # by square roots: 100 to 10


@given(populations, st.integers(1, 40), st.integers(0, 5), st.randoms(use_true_random=False))
def test_the_order_of_the_data_has_no_say(counts: dict[str, int], size: int, seed: int, chance: random.Random) -> None:
    some = candidates(counts)
    before = draw(some, "pairs", size, seed)
    chance.shuffle(some)
    assert draw(some, "pairs", size, seed) == before


def test_each_has_the_same_chance_and_the_order_tells_nothing() -> None:
    """Over 400 seeds every candidate of a stratum of 20, of which 5 are drawn, comes 100 times, give or take (a
    binomial: 4 standard deviations are 35); and a rare stratum is on average in the middle."""
    counts = {"a": 20, "b": 20}
    came: Counter[str] = Counter()
    places: list[int] = []
    for seed in range(400):
        drawn, _ = draw(candidates(counts), "verdicts", 10, seed)
        came.update(one.candidate.id for one in drawn)
        places += [at for at, one in enumerate(drawn) if one.candidate.stratum == "a"]
    assert len(came) == 40 and all(65 <= count <= 135 for count in came.values())
    assert sum(places) / len(places) == pytest.approx(4.5, abs=0.2)
    assert draw(candidates(counts), "verdicts", 10, 1) != draw(candidates(counts), "verdicts", 10, 2)
