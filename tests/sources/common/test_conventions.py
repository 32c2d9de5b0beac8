"""Frames, orders, signs and moments as formats of published data define them, applied once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.actions import HScroll, Scroll
from curate.sources.base import ReadContext
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.reading import UnreadableError
from curate.sources.common.sightings import Sightings
from curate.store.media import MediaStore


def conventions(*, said: dict[str, Any] | None = None, seen: Sightings | None = None, **facts: Any) -> Conventions:
    given_facts = Facts(title="Made up", card="", outcome="", licences={"": None}, **{"space": "fraction", **facts})
    context = ReadContext(media=MediaStore(Path("unused")), options={"import": said or {}}, sightings=seen)
    return Conventions(given_facts, context)


def at(by: Conventions, raw: Any, **more: Any) -> tuple[Any, ...]:
    placed = by.point(raw, record="r", step=0, **more)
    return placed.x, placed.y, placed.raw_point, placed.flag


def test_fractions_stay_and_pairs_of_y_and_x_are_swapped_once() -> None:
    assert at(conventions(), [0.2275, 0.1475]) == (0.2275, 0.1475, None, None)
    # AitW's results/yx_touch
    assert at(conventions(order="yx"), [0.7852, 0.6779]) == (0.6779, 0.7852, None, None)


def test_thousandths_are_no_parts_of_the_picture() -> None:
    by = conventions(space="permille")
    assert at(by, [683, 321], picture=(1440, 3120))[:2] == (0.683, 0.321)
    with pytest.raises(UnreadableError) as refused:  # a box edge of 1003 stands in published data
        at(by, [806, 1003])
    assert refused.value.reason == "validate.coordinate_out_of_range"


def test_pixels_are_those_of_the_screen_where_the_source_says_so() -> None:
    # AgentNet's own conversion: click (1328, 745) on a screen of 1366 x 768 is (0.9722, 0.9701); its pictures are
    # 1276 x 718.
    by = conventions(space="screen_pixel")
    assert at(by, [1328, 745], screen=(1366, 768), picture=(1276, 718))[:2] == (0.9722, 0.9701)


def test_a_pixel_off_the_picture_is_a_point_off_it() -> None:
    by = conventions(space="picture_pixel")
    assert at(by, [542, 2341], picture=(1080, 2340)) == (0.5019, 1.0, None, "edge")
    assert at(by, [542, 2400], picture=(1080, 2340)) == (None, None, (542.0, 2400.0), "off_screen")


@pytest.mark.parametrize("raw", [[1.0001, 0.5], [-0.1, 0.5], [float("nan"), 0.5], [True, 0.5], ["0.5", 0.5]])
def test_nothing_is_clamped_or_guessed(raw: list[Any]) -> None:
    with pytest.raises(UnreadableError) as refused:
        at(conventions(), raw)
    assert refused.value.reason == "validate.coordinate_out_of_range"


def test_pixels_without_a_size_are_refused() -> None:
    with pytest.raises(UnreadableError) as refused:
        at(conventions(space="picture_pixel"), [5, 5])
    assert refused.value.reason == "import.size_unknown"


@pytest.mark.parametrize("name", ["space", "order", "scroll", "timing"])
def test_what_nobody_documents_is_refused_until_it_is_stated(name: str) -> None:
    said: dict[str, Any] = {"space": "permille", "order": "yx", "scroll": "finger", "timing": "after"}

    def all_of(by: Conventions) -> None:
        by.point([0.5, 0.5], record="r", step=3)
        by.scroll("down", axis="y", unit="page", record="r", step=3)
        by.before(["a.png"])

    undecided = {"scroll": "plus_up", name: None}
    with pytest.raises(UnreadableError) as refused:
        all_of(conventions(**undecided))
    assert refused.value.reason == "import.undecided"
    assert f"--set import.{name}=" in str(refused.value)
    all_of(conventions(**undecided, said={name: said[name]}))


@pytest.mark.parametrize(
    ("meaning", "raw", "axis", "expected"),
    [
        ("plus_up", -3, "y", Scroll(amount=-3.0)),  # PyAutoGUI: minus shows what stands below
        ("plus_down", 3, "y", Scroll(amount=-3.0)),
        ("plus_up", 2, "x", HScroll(amount=2.0)),
        ("plus_down", 2, "x", HScroll(amount=2.0)),  # GUIAct: plus is down and right
        ("view", "down", "y", Scroll(amount=-1.0)),
        ("finger", "up", "y", Scroll(amount=-1.0)),  # AITZ: the finger goes up, what stands below is shown
        ("finger", "left", "x", HScroll(amount=1.0)),
        ("view", "right", "y", HScroll(amount=1.0)),
    ],
)
def test_scrolls_have_the_wheels_sign(meaning: str, raw: Any, axis: str, expected: Scroll | HScroll) -> None:
    assert conventions(scroll=meaning).scroll(raw, axis=axis, unit="notch", record="r", step=0) == expected


@given(st.lists(st.text("abc", min_size=1), min_size=1, max_size=6))
def test_a_picture_after_an_action_is_the_one_before_the_next(pictures: list[str]) -> None:
    for timing in ("before", "after"):
        pairs = conventions(timing=timing).before(pictures)
        assert len(pairs) == len(pictures)
        assert [after for _, after in pairs[:-1]] == [before for before, _ in pairs[1:]]
        assert [pair[0 if timing == "before" else 1] for pair in pairs] == pictures
        assert pairs[0 if timing == "after" else -1][0 if timing == "after" else 1] is None
    assert conventions().before(pictures, final="end")[-1] == (pictures[-1], "end")  # AndroidControl: n + 1


def test_the_detector_sees_raw_numbers_as_they_stand() -> None:
    seen = Sightings(limit=1)
    by = conventions(order="yx", scroll="plus_up", seen=seen)
    by.point([0.7, 0.2], record="r", step=4, picture=(10, 20))
    by.scroll(-3, axis="y", unit="notch", record="r", step=5, words="Scroll down")
    by.point([0.1, 0.1], record="r", step=6)
    assert [(one.raw, one.step, one.picture) for one in seen.points] == [((0.7, 0.2), 4, (10, 20))]
    assert [(one.raw, one.words) for one in seen.scrolls] == [(-3, "Scroll down")]
    assert seen.passed_over == 1
