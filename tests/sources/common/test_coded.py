"""Code with a source's own numbers, brought into the record's frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click, DragTo, MoveTo, Scroll, Swipe
from curate.model.calls import CodeError
from curate.model.render import code_of
from curate.sources.base import ReadContext
from curate.sources.common.coded import Around, Coded
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.reading import UnreadableError
from curate.sources.common.sightings import Sightings
from curate.store.media import MediaStore

PIXELS = Facts(title="x", card="", space="picture_pixel", scroll="plus_up", outcome="", licences={})


def coded(folder: Path, facts: Facts = PIXELS, **context: Any) -> Coded:
    return Coded(Conventions(facts, ReadContext(media=MediaStore(folder), **context)), "run")


def test_points_are_parts_of_the_picture_they_were_said_of(tmp_path: Path) -> None:
    actions, flags = coded(tmp_path).step("pyautogui.click(50, 50)", 0, Around(picture=(200, 100)))
    assert (actions, flags) == ([Click(0.25, 0.5)], [])


def test_a_drag_begins_where_the_step_before_ended(tmp_path: Path) -> None:
    run = coded(tmp_path)
    run.step("pyautogui.moveTo(50, 50)", 0, Around(picture=(200, 100)))
    actions, _ = run.step("pyautogui.mouseDown()\npyautogui.moveTo(150, 50)\npyautogui.mouseUp()", 1,
                          Around(picture=(200, 100)))  # fmt: skip
    assert actions == [MoveTo(0.25, 0.5), DragTo(0.75, 0.5)]


def test_a_point_off_the_picture_is_null_and_flagged(tmp_path: Path) -> None:
    actions, flags = coded(tmp_path).step("click(250, 50)", 0, Around(picture=(200, 100)))
    assert actions == [Click(None, None, raw_point=(250.0, 50.0))] and flags == ["off_screen"]
    assert code_of(actions) is None


def test_what_the_user_states_counts(tmp_path: Path) -> None:
    run = coded(tmp_path, options={"import": {"space": "permille", "scroll": "plus_down"}})
    actions, _ = run.step("moveTo(250, 500)\nscroll(3)", 0)
    assert actions == [MoveTo(0.25, 0.5), Scroll(-3)]
    actions, _ = run.step("swipe(from_coord=[100, 200], to_coord=[300, 400])", 1)
    assert actions == [Swipe(0.1, 0.2, 0.3, 0.4)]


def test_raw_numbers_are_noted_for_the_detector(tmp_path: Path) -> None:
    seen = Sightings()
    coded(tmp_path, sightings=seen).step("moveTo(50, 60)\nscroll(-3)", 4, Around((200, 100), words="Scroll down"))
    assert [(point.step, point.raw, point.picture) for point in seen.points] == [(4, (50.0, 60.0), (200, 100))]
    assert [(one.raw, one.axis, one.words) for one in seen.scrolls] == [(-3, "y", "Scroll down")]


def test_a_fault_names_its_step(tmp_path: Path) -> None:
    with pytest.raises(CodeError, match="Step 7"):
        coded(tmp_path).step("fly()", 7)
    with pytest.raises(UnreadableError, match="Step 7") as caught:
        coded(tmp_path).step("click(1, 2)", 7)
    assert caught.value.reason == "import.size_unknown"


def test_words_decide_a_scroll_whose_sign_is_in_doubt(tmp_path: Path) -> None:
    doubted = Facts(title="x", card="", space="fraction", scroll=None, outcome="", licences={})
    run = coded(tmp_path, doubted)
    for code in ("scroll(5)", "scroll(-5)"):
        assert run.step(code, 0, Around(way="down")) == ([Scroll(-5)], ["scroll_from_words"])
    with pytest.raises(UnreadableError) as caught:
        run.step("scroll(5)", 1)
    assert caught.value.reason == "import.undecided" and "import.scroll" in str(caught.value)
    stated = coded(tmp_path, doubted, options={"import": {"scroll": "plus_up"}})
    assert stated.step("scroll(5)", 0, Around(way="down")) == ([Scroll(5)], [])  # the user's word counts for more
