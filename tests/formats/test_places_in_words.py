"""Words that were made from an action name its place in the frame of the calls beside them: one answer, one frame."""

from __future__ import annotations

import json
from typing import Any

import pytest

from curate.formats.base import FormatOptions, format_named, rows
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.trajectory import Trajectory
from tests.factories import make_step, make_trajectory
from tests.formats.records import PICTURES

IN_PIXELS: list[tuple[str, dict[str, Any], str]] = [  # 1280 x 720 becomes 1288 x 728
    ("opencua", {"coordinates": "absolute"}, "(322, 546)"),
    ("llamafactory", {"coordinates": "absolute"}, "(322, 546)"),
    ("ms-swift", {"coordinates": "absolute"}, "(322, 546)"),
    ("trl", {"coordinates": "absolute"}, "(322, 546)"),
    ("qwen25vl", {}, "(322, 546)"),
    ("uitars", {}, "(322, 546)"),
    ("qwen3vl", {}, "(250, 750)"),
    ("uitars", {"dialect": "v1"}, "(250, 750)"),
]
IN_FRACTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("opencua", {}, "(0.25, 0.75)"), ("aguvis", {}, "(0.25, 0.75)"), ("llamafactory", {}, "(0.25, 0.75)"),
    ("scalecua", {}, "(0.25, 0.75)"), ("messages", {}, "(0.25, 0.75)"),
]  # fmt: skip


def two_clicks(**changes: Any) -> Trajectory:
    steps = [
        make_step(at, act.Click(0.25, 0.75), image=PICTURES[at], image_size=(1280, 720), action=None, thought=None)
        for at in range(2)
    ]
    for name, value in changes.items():
        setattr(steps[0], name, value)
    return make_trajectory("a", instruction="Look", steps=steps)


def text_of(name: str, record: Trajectory, options: dict[str, Any]) -> str:
    (row,) = rows(format_named(name), record, [1], FormatOptions(**options))
    return json.dumps(row, ensure_ascii=False)


@pytest.mark.parametrize(("name", "options", "place"), IN_PIXELS + IN_FRACTIONS)
def test_words_and_calls_of_one_answer_are_in_one_frame(name: str, options: dict[str, Any], place: str) -> None:
    """In the target as in the history; marked as generated, or made by the export itself."""
    for changes in ({}, {"action": "Click at (0.25, 0.75)", "flags": ["words_generated"]}):
        text = text_of(name, two_clicks(**changes), options)
        assert text.count(f"Click at {place}") == 2
        assert place == "(0.25, 0.75)" or "(0.25, 0.75)" not in text


@pytest.mark.parametrize(("name", "options", "place"), IN_PIXELS)
def test_words_of_the_source_stay_as_they_are(name: str, options: dict[str, Any], place: str) -> None:
    text = text_of(name, two_clicks(action="Click at (0.25, 0.75), at last"), options)
    assert "Click at (0.25, 0.75), at last" in text


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (act.Write("(0.25, 0.75)"), 'Type "(0.25, 0.75)"'),  # what is typed is no place
        (act.MoveTo(0.0, 1.0), "Move the pointer to (0, 728)"),
        (act.Press("enter"), "Press Enter"),
    ],
)
def test_only_places_are_rewritten(action: Action, words: str) -> None:
    text = text_of("qwen25vl", two_clicks(actions=[action]), {})
    assert json.dumps(f"Step 1: {words}")[1:-1] in json.loads(json.dumps(text))


def test_a_place_in_a_frame_that_nobody_knows_is_not_told() -> None:
    """An earlier step without a picture: its fractions are no pixels of any."""
    text = text_of("qwen25vl", two_clicks(image=None, image_size=None), {})
    assert "Step 1: Click\\n" in text or 'Step 1: Click"' in text
    assert "0.75" not in text
