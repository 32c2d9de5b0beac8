"""The detector against data whose truth is known: it names each planted fault, and accuses nothing that is sound."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.sources.detector.examine import examine
from curate.sources.detector.sample import Sample
from curate.sources.detector.verdict import Verdict
from tests.sources.detector.made import Truth, early, facts, late, make_sample

PHONE, DESKTOP, SMALL = (1080, 2400), (1920, 1080), (640, 360)
seeds = st.integers(0, 2**32 - 1)


def said(sample: Sample) -> dict[str, Verdict]:
    return {verdict.question: verdict for verdict in examine(sample)}


def accused(sample: Sample) -> dict[str, str | None]:
    return {name: verdict.found for name, verdict in said(sample).items() if verdict.contradicts}


truths = st.builds(
    Truth,
    space=st.sampled_from(["fraction", "permille", "picture_pixel", "screen_pixel"]),
    order=st.sampled_from(["xy", "yx"]),
    scroll=st.sampled_from(["plus_up", "plus_down", "view", "finger"]),
    timing=st.just("before"),
    size=st.sampled_from([PHONE, DESKTOP, SMALL, (1000, 1000)]),
    screen=st.sampled_from([(1600, 900), (1366, 768)]),
    boxes=st.booleans(),
    pictures=st.booleans(),
    words=st.booleans(),
)


@settings(max_examples=60)
@given(truths, seeds, st.sampled_from([1, 3, 12]))
def test_sound_data_is_not_accused_and_no_wrong_answer_is_given(truth: Truth, seed: int, records: int) -> None:
    for name, verdict in said(make_sample(truth, seed=seed, records=records)).items():
        assert not verdict.contradicts, verdict.sentence
        assert verdict.found in (None, getattr(truth, name)), verdict.sentence


@pytest.mark.parametrize("space", ["fraction", "permille"])
def test_many_points_without_any_known_size_are_not_accused(space: Any) -> None:
    """A frame of unknown size holds every point, and is no better for it."""
    sample = make_sample(Truth(space=space, boxes=False, pictures=False), records=400)
    runs = tuple(
        run._replace(
            steps=tuple(
                step._replace(points=tuple(p._replace(picture=None) for p in step.points)) for step in run.steps
            )
        )
        for run in sample.runs
    )
    assert accused(sample._replace(runs=runs)) == {}


@settings(max_examples=10)
@given(seeds, st.sampled_from([PHONE, DESKTOP, SMALL]), st.booleans(), st.sampled_from(["fraction", "picture_pixel"]))
def test_x_and_y_swapped(seed: int, size: tuple[int, int], boxes: bool, space: Any) -> None:
    truth = Truth(space=space, order="yx", size=size, boxes=boxes)
    many = 12 if boxes or space == "picture_pixel" else 40  # where only pictures tell, it takes more of them
    assert accused(make_sample(truth, facts(truth, order="xy"), seed=seed, records=many)) == {"order": "yx"}


@settings(max_examples=12)
@given(seeds, st.sampled_from([PHONE, DESKTOP, SMALL]), st.booleans())
def test_thousandths_taken_for_pixels(seed: int, size: tuple[int, int], boxes: bool) -> None:
    truth = Truth(space="permille", size=size, boxes=boxes)
    verdict = said(make_sample(truth, facts(truth, space="picture_pixel"), seed=seed))["space"]
    assert verdict.contradicts and verdict.found == "permille", verdict.sentence


@settings(max_examples=12)
@given(seeds, st.sampled_from([PHONE, DESKTOP, SMALL]), st.sampled_from(["permille", "fraction", "screen_pixel"]))
def test_pixels_taken_for_something_else(seed: int, size: tuple[int, int], taken_for: str) -> None:
    truth = Truth(size=size, screen=(1366, 768))
    verdict = said(make_sample(truth, facts(truth, space=taken_for), seed=seed))["space"]
    assert verdict.contradicts and verdict.found == "picture_pixel", verdict.sentence


def test_points_that_lie_outside_rule_a_space_out_even_where_none_is_decided() -> None:
    """Fractions times a thousand, of pictures whose size nobody knows: thousandths or pixels, and no fractions."""
    truth = Truth(space="permille", size=(1000, 1000), boxes=False, pictures=False)
    sample = make_sample(truth, facts(truth, space="fraction"), records=4)
    runs = tuple(
        run._replace(
            steps=tuple(
                step._replace(points=tuple(p._replace(picture=None) for p in step.points)) for step in run.steps
            )
        )
        for run in sample.runs
    )
    verdict = said(sample._replace(runs=runs))["space"]
    assert verdict.contradicts and verdict.found in (None, "permille"), verdict.sentence
    few = said(sample._replace(runs=(runs[0]._replace(steps=runs[0].steps[:2]),)))["space"]
    assert not few.contradicts and "too few" in few.sentence and "fit as well" not in few.sentence


@settings(max_examples=12)
@given(seeds, st.booleans(), st.sampled_from([("plus_up", "plus_down"), ("view", "finger")]), st.booleans())
def test_scrolls_turned_around(seed: int, words: bool, pair: tuple[str, str], turned: bool) -> None:
    true, wrong = pair[::-1] if turned else pair
    truth = Truth(scroll=true, words=words)
    assert accused(make_sample(truth, facts(truth, scroll=wrong), seed=seed)) == {"scroll": true}


@settings(max_examples=7)
@given(seeds, st.sampled_from([PHONE, DESKTOP]))
def test_pictures_shifted_by_one(seed: int, size: tuple[int, int]) -> None:
    good = make_sample(Truth(size=size, boxes=False, words=False), seed=seed)
    verdict = said(late(good))["timing"]
    assert verdict.contradicts and verdict.found == "after", verdict.sentence
    # a source that says that its pictures come after: what is taken for the one before is one too early
    after = good._replace(declared=facts(Truth(timing="after")))
    assert said(after)["timing"].found == "after"
    verdict = said(early(after))["timing"]
    assert verdict.contradicts and verdict.found == "before", verdict.sentence


@settings(max_examples=8)
@given(seeds)
def test_two_spaces_in_one_column(seed: int) -> None:
    pixels, fractions = Truth(boxes=False), Truth(space="fraction", boxes=False)
    one, other = make_sample(pixels, seed=seed, records=5), make_sample(fractions, seed=seed + 1, records=5)
    verdict = said(one._replace(runs=(*one.runs, *other.runs)))["space"]
    assert verdict.contradicts and verdict.found is None and "two in one column" in verdict.sentence
    assert {example.file for example in verdict.examples} == {"made.jsonl"}


def test_what_nobody_declares_is_decided_where_the_data_tells() -> None:
    truth = Truth()
    unknown = msgspec.structs.replace(facts(truth), space=None, order=None, scroll=None, timing=None)
    found = said(make_sample(truth, unknown))
    assert {name: verdict.found for name, verdict in found.items()} == {
        "space": "picture_pixel", "order": "xy", "scroll": "plus_up", "timing": "before",
    }  # fmt: skip
    little = said(make_sample(truth._replace(boxes=False, pictures=False, words=False), unknown, records=1, steps=2))
    assert little["scroll"].found is little["timing"].found is None


def test_nothing_to_look_at() -> None:
    for verdict in examine(Sample(facts(Truth()), ())):
        assert verdict.found is None and not verdict.contradicts and verdict.sentence


@pytest.mark.parametrize("question", ["space", "order"])
def test_an_accusation_names_steps_that_can_be_looked_up(question: str) -> None:
    truth = Truth(order="yx", space="permille")
    wrong = facts(truth, order="xy") if question == "order" else facts(truth, space="picture_pixel")
    verdict = said(make_sample(truth, wrong))[question]
    assert verdict.contradicts
    for example in verdict.examples:
        assert example.file == "made.jsonl" and example.line and example.record == f"made:{example.line - 1}"
    assert (verdict.examples and "lies outside" in verdict.examples[0].what) or "misses" in verdict.examples[0].what
