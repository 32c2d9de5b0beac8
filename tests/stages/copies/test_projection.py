"""What is kept of each run for comparing: digests that are equal exactly where what they stand for is."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.steps import Steps
from curate.model.trajectory import Origin, Outcome, Score, Trajectory, Weight, decode, encode
from curate.stages.copies.projection import PROJECTION, content_key, projection, recovered_mistakes, words_column
from curate.stages.copies.quality import keyframe_quality, pixels
from tests.factories import make_step, make_trajectory
from tests.runs import records


@settings(max_examples=60, deadline=None)
@given(st.lists(records().map(decode), max_size=4))
def test_the_projection_is_the_same_with_and_without_the_lines(runs):
    with_lines = projection(Steps(runs), [encode(run) for run in runs])
    assert with_lines.equals(projection(Steps(runs))) and with_lines.schema == PROJECTION
    assert with_lines["id"].to_pylist() == [run.id for run in runs]


@settings(max_examples=60, deadline=None)
@given(st.lists(records().map(decode), max_size=4))
def test_what_is_asked_of_few_runs_is_what_it_is_of_each(runs):
    table = projection(Steps(runs))
    assert table["mistakes"].to_pylist() == [recovered_mistakes(run.steps) for run in runs]
    assert table["pixels"].to_pylist() == [pixels(run.steps) for run in runs]
    assert table["keyframes"].to_pylist() == [keyframe_quality(run.steps) for run in runs]


@given(st.lists(st.lists(st.text(max_size=5), max_size=6), max_size=6))
def test_words_come_back_as_they_were(rows):
    assert words_column(rows).to_pylist() == rows


SAME = {
    "id": "other:9",
    "attempt": "2",
    "source": Origin(name="elsewhere", file="b.jsonl", line=7),
    "outcome": Outcome(completed=False, by="judge"),
    "scores": [Score(name="s", value=1, min=0, max=1, higher_is_better=True)],
    "weight": Weight(value=0.5, by="me"),
    "lineage": ["run: id was made:1, which an earlier record has"],
}
OTHER = {
    "instruction": "Export another budget",
    "steps": [make_step(0, "click File"), make_step(1, "click Close")],
    "final_image": "media/aa/aa.png",
    "apps": ["mail"],
    "wordings": {"a": "b"},
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_recording_under_another_name_has_the_same_content(name: str):
    assert content_key(make_trajectory()) == content_key(_with(name, SAME[name]))


@pytest.mark.parametrize("name", OTHER)
def test_another_content_has_another_key(name: str):
    assert content_key(make_trajectory()) != content_key(_with(name, OTHER[name]))


def test_texts_that_look_like_the_borders_of_the_content_do_not_hide_anything():
    forged = '","outcome":{"completed":null},"instruction":"x'
    one, two = (make_trajectory(instruction=forged, wordings={forged: end}) for end in "ab")
    assert content_key(one) != content_key(two)
    moved = make_trajectory(
        instruction=forged, wordings={forged: "a"}, lineage=[',"outcome":{"x'], id=',"instruction":'
    )
    assert content_key(one) == content_key(moved)


def test_a_run_without_steps_has_no_content_to_repeat():
    assert content_key(make_trajectory(steps=[])) is None


def _with(name: str, value: object) -> Trajectory:
    return msgspec.structs.replace(make_trajectory(), **{name: value})
