"""Which moment a picture is of: keys, the wheel, drags, waits, the end, and actions that come too soon to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.model.actions import DragTo, MoveTo, Press, Scroll, Terminate, Wait, Write
from tests.reduce.film import GROUND, Film, Picture, blank, box, button, choose, inside, patch, text


@pytest.mark.parametrize(("answer", "blind"), [(0.05, False), (0.4, True)])
def test_acting_within_a_moment_of_the_last_act(tmp_path: Path, answer: float, blind: bool) -> None:
    """The second key comes 0.13 s after the first was released. Where the first one's answer is on the screen by then,
    all is well; where it comes later, the person acted blind."""

    def draw(time: float) -> Picture:
        return box(blank(), 100, 100, 400, 200, 60) if time >= 1.0 + answer else blank()

    film = Film(draw, length=3.0)
    film.move(0.1, 0.3, (50, 50), (60, 60))
    film.key(1.0, "a")
    first = film.step([Write("a")], 0, 1.0, 1.03)
    film.key(1.16, "enter")
    second = film.step([Press("enter")], 0, 1.16, 1.19)
    found = choose(film.recording(tmp_path), [first, second])[1]
    assert found.picture.keyframe is not None and found.picture.keyframe.rule == "last_before"
    assert abs(found.picture.keyframe.time + film.events[0].time - 1.16) < 0.04
    assert ("acted_blind" in found.picture.flags) == blind


def test_a_target_that_changed_at_the_last_moment(tmp_path: Path) -> None:
    """Another button takes the target's place 0.08 s before the press: the person did not act on that."""

    def draw(time: float) -> Picture:
        picture = button()
        return text(box(picture, 460, 40, 580, 90, 40), "Other", 500, 66, 230) if time >= 2.0 else picture

    film = Film(draw, length=2.6, pointer=True)
    film.move(0.2, 0.9, (100, 300), (520, 60))
    step = film.click(2.08, 520, 60)
    found = choose(film.recording(tmp_path), [step])[0]
    assert "late_change" in found.picture.flags


def test_a_highlight_that_comes_with_the_pointer_at_the_last_moment_is_no_late_change(tmp_path: Path) -> None:
    """A quick hand: onto the button and pressed within a tenth of a second."""
    film = Film(lambda time: button(lit=inside(film.place(time), (480, 45, 560, 75))), length=2.6)
    film.move(1.85, 2.0, (100, 300), (520, 60))
    step = film.click(2.05, 520, 60)
    found = choose(film.recording(tmp_path), [step])[0]
    assert found.picture.flags == []


def test_typing_scrolls_and_drags(tmp_path: Path) -> None:
    """Typing: before the first key. Scrolling: as a click where the wheel turns. Dragging: before the press, where it
    begins."""

    def draw(time: float) -> Picture:
        letters = "hello"[: max(0, int((time - 1.0) / 0.1))] if time >= 1.05 else ""
        return box(text(blank(), letters, 40, 60), 480, 200, 500, 220, 90)

    film = Film(draw, length=8.0, pointer=True)
    film.move(0.2, 0.4, (200, 100), (60, 60))
    for number, letter in enumerate("hello"):
        film.key(1.0 + number * 0.1, letter)
    typed = film.step([Write("hello")], 0, 1.0, 1.43)
    film.move(2.5, 3.0, (60, 60), (400, 300))
    film.add("scroll", 3.4, x=400.0, y=300.0, dy=-1.0)
    scrolled = film.step([MoveTo(400.0, 300.0), Scroll(-1)], 0, 3.4, 3.4)
    film.move(4.4, 5.0, (400, 300), (490, 210))
    film.add("button", 5.5, x=490.0, y=210.0, button="left", pressed=True)
    film.move(5.6, 6.4, (490, 210), (300, 210))
    film.add("button", 6.5, x=300.0, y=210.0, button="left", pressed=False)
    dragged = film.step([MoveTo(490.0, 210.0), DragTo(300.0, 210.0)], 0, 5.5, 6.5)
    zero = film.events[0].time
    first, second, third = (
        found.picture.keyframe for found in choose(film.recording(tmp_path), [typed, scrolled, dragged])
    )
    assert first is not None and first.time + zero < 1.0 and first.pointer_on_target is None and first.hover is None
    assert second is not None and second.rule == "latest_away" and 2.5 < second.time + zero < 3.0
    assert third is not None and third.rule == "latest_away" and 4.4 < third.time + zero < 5.0


def test_a_wait_shows_what_was_not_ready_yet(tmp_path: Path) -> None:
    """Nothing is done for seven seconds; after five the page comes. The wait's picture is the screen without it."""
    film = Film(lambda time: box(blank(), 100, 100, 500, 300, 60) if time >= 6.0 else text(blank(), "Loading", 40, 40))
    film.length = 9.0
    film.move(0.2, 0.5, (50, 50), (60, 60))
    clicked = film.click(0.9, 60, 60)
    wait = film.step([Wait(7.0)], 0, 0.98, 8.0)
    found = choose(film.recording(tmp_path), [clicked, wait])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "before_change"
    assert 5.8 < keyframe.time + film.events[0].time < 6.0 and abs(patch(found, 200, 150, 400, 250) - GROUND) < 5


@pytest.mark.parametrize("walk", [True, False])
def test_the_end_is_shown_before_the_gesture_that_stops_the_recording(tmp_path: Path, walk: bool) -> None:
    """A recorder stopped by a click on its own button: the pointer walks there and a panel opens under it. A recorder
    stopped by keys: the last frame before them."""

    def draw(time: float) -> Picture:
        return box(button(), 500, 250, 640, 360, 30) if walk and time >= 3.6 else button()

    film = Film(draw, length=4.2)
    film.move(0.2, 0.5, (50, 50), (520, 60))
    clicked = film.click(0.9, 520, 60)
    if walk:
        film.move(3.2, 3.9, (520, 60), (600, 300))
    end = film.step([Terminate()], 0, 4.0, 4.0)
    found = choose(film.recording(tmp_path), [clicked, end])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and abs(patch(found, 550, 270, 630, 350) - GROUND) < 5
    time = keyframe.time + film.events[0].time
    assert (2.9 < time < 3.2) if walk else (3.7 < time < 4.0)


def test_a_point_off_the_picture_has_no_target(tmp_path: Path) -> None:
    """The display grew; the video goes on showing its top left part. The picture is the last before the press."""
    film = Film(lambda _: button(), length=2.5)
    film.move(0.2, 0.8, (50, 50), (300, 700))
    step = film.click(1.5, 300, 700)
    keyframe = choose(film.recording(tmp_path), [step])[0].picture.keyframe
    assert keyframe is not None and keyframe.rule == "last" and keyframe.pointer is None
    assert keyframe.pointer_on_target is None and keyframe.floor_on_target is None


def test_without_a_video_and_before_its_first_frame_there_is_no_picture(tmp_path: Path) -> None:
    """The step is kept and says so; nothing is shown that was not on the screen."""
    film = Film(lambda _: button(), length=2.5, zero=1.0)
    film.move(0.2, 0.4, (50, 50), (520, 60))
    early = film.click(0.6, 520, 60)
    later = film.click(2.0, 520, 60)
    recording = film.recording(tmp_path)
    first, second = choose(recording, [early, later])
    assert first.picture.flags == ["keyframe_missing"] and first.rgb is None and first.picture.keyframe is None
    assert second.rgb is not None
    recording.video = None
    assert [found.picture.flags for found in choose(recording, [early, later])] == [["keyframe_missing"]] * 2
