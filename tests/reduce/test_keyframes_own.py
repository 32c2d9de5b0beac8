"""Keyframes of recordings whose every frame has its own time and shows no pointer, as ours do: right up to the moment
before an act, with nothing that the pointer lights up, and nothing that is nobody's business."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from curate.model.actions import Press, Wait, Write
from curate.model.events import RawEvent
from curate.reduce.keyframes.pictures import Chosen
from curate.reduce.video.pointer_track import TrackBuilder
from tests.reduce.film import GROUND, Film, Picture, blank, box, choose, patch, text

LOSSLESS = {"qp": "0", "preset": "ultrafast", "g": "20"}
BUTTON = (400, 40, 560, 80)


def own(draw: Callable[[float], Picture], length: float) -> Film:
    """A film as our recorder makes it: a frame where something changed, exact, with its time."""
    return Film(draw, length=length, fps=25, only_changes=True, pixels="yuv444p", settings=LOSSLESS)


def made(film: Film, steps: list[Any], folder: Path) -> list[Chosen]:
    return choose(film.recording(folder, "film.mkv"), steps)


def shown_at(film: Film, found: Chosen) -> float:
    assert found.picture.keyframe is not None
    return found.picture.keyframe.time + film.events[0].time


def over(film: Film, area: tuple[int, int, int, int], time: float) -> bool:
    place = film.place(time)
    return place is not None and area[0] <= place[0] < area[2] and area[1] <= place[1] < area[3]


def test_what_came_a_tenth_of_a_second_before_the_act_is_in_the_picture(tmp_path: Path) -> None:
    """A notice elsewhere appears 0.1 s before a key is pressed: the picture is the screen just before the key, where
    that of a video of unsure times would be older."""
    film = own(lambda time: box(blank(), 20, 300, 200, 340, 60) if time >= 1.9 else blank(), 2.6)
    film.move(0.1, 0.3, (50, 50), (60, 60))
    film.key(2.02, "enter")
    found = made(film, [film.step([Press("enter")], 0, 2.02, 2.05)], tmp_path)[0]
    assert abs(patch(found, 30, 310, 190, 330) - 60) < 3 and not found.picture.flags


def test_a_button_beside_which_a_tooltip_came_is_shown_without_both(tmp_path: Path) -> None:
    """The hand rests 0.9 s on the button; after 0.5 s of that a tooltip comes, which touches the button's edge."""

    def draw(time: float) -> Picture:
        on = over(film, BUTTON, time)
        picture = box(blank(), *BUTTON, 150 if on else 120)
        return text(box(picture, 470, 76, 590, 96, 245), "Press to save", 474, 91) if time >= 1.5 and on else picture

    film = own(draw, 2.4)
    film.move(0.2, 0.9, (100, 300), (470, 60))
    found = made(film, [film.click(1.9, 470, 60)], tmp_path)[0]
    keyframe = found.picture.keyframe
    assert keyframe is not None and not keyframe.erased and keyframe.pointer_on_target is False
    assert abs(patch(found, 405, 45, 460, 75) - 120) < 3  # unlit
    assert abs(patch(found, 570, 84, 588, 94) - GROUND) < 3  # no tooltip
    assert not found.picture.flags


def test_cards_that_light_up_one_after_the_other(tmp_path: Path) -> None:
    """From a click on the first of three cards to the third: all three fade for a quarter of a second."""
    cards = [(40 + 190 * i, 120, 220 + 190 * i, 260) for i in range(3)]

    def draw(time: float) -> Picture:
        picture = blank()
        for number, card in enumerate(cards):
            lit = np.mean([over(film, card, time - back) for back in (0.02, 0.08, 0.14, 0.2)])
            text(box(picture, *card, 250 - round(30 * float(lit))), f"Card {number}", card[0] + 20, 160)
        return picture

    film = own(draw, 3.2)
    film.move(0.1, 0.5, (100, 320), (120, 200))
    first = film.click(0.9, 120, 200)
    film.move(1.6, 2.3, (120, 200), (520, 190))
    second = film.click(2.5, 520, 190)
    found = made(film, [first, second], tmp_path)[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and not keyframe.erased and not found.picture.flags
    assert abs(patch(found, 440, 200, 560, 240) - 250) < 3


def test_the_far_end_of_a_card_is_the_card_too(tmp_path: Path) -> None:
    """In haste: the pointer is on the card's near end, far from the click's point, when the only frames are taken in
    which the card is already lit. No such frame is shown without saying so."""
    card = (100, 100, 560, 220)

    def draw(time: float) -> Picture:
        lit = over(film, card, time - 0.02)
        return text(box(blank(), *card, 215 if lit else 250), "One wide card", 300, 150)

    film = own(draw, 1.6)
    film.move(0.1, 0.3, (60, 300), (110, 215))
    film.move(0.3, 0.75, (110, 215), (500, 150))
    found = made(film, [film.click(0.9, 500, 150)], tmp_path)[0]
    lit = abs(patch(found, 200, 170, 400, 210) - 250) > 3
    assert not lit or "pointer_on_target" in found.picture.flags


def test_a_film_that_plays_is_no_state(tmp_path: Path) -> None:
    """Squares move all the time; the person acts twice within two seconds, so that nobody rests for long."""

    def draw(time: float) -> Picture:
        picture = box(blank(), *BUTTON, 150 if over(film, BUTTON, time) else 120)
        box(picture, 40, 200, 300, 320, 20)
        for i in range(6):
            at = 60 + 40 * i, round(240 + 30 * np.sin(9 * time + i))
            cv2.circle(picture, at, 14, (40 * i, 220, 250 - 40 * i), -1)
        return picture

    film = own(draw, 3.0)
    film.move(0.2, 0.5, (100, 100), (60, 60))
    first = film.click(0.7, 60, 60)
    film.move(1.9, 2.3, (60, 60), (470, 60))
    second = film.click(2.55, 470, 60)
    found = made(film, [first, second], tmp_path)[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and not keyframe.erased and not found.picture.flags
    assert abs(patch(found, 410, 45, 550, 75) - 120) < 3


def test_a_menu_that_closed_as_the_pointer_left_is_no_highlight(tmp_path: Path) -> None:
    """A menu is open while the pointer is on it. The picture of the next click elsewhere is without the menu."""
    menu = (40, 40, 200, 160)

    def draw(time: float) -> Picture:
        picture = box(blank(), *BUTTON, 120)
        for row in range(4):
            text(picture, f"Line {row} of the page below", 30, 70 + 30 * row)
        if over(film, menu, time):
            box(picture, *menu, 250)
            for row in range(3):
                text(picture, ("Open", "Save as", "Print")[row], 60, 75 + 36 * row)
        return picture

    film = own(draw, 3.0)
    film.move(0.1, 0.4, (320, 320), (100, 70))
    first = film.click(0.8, 100, 70)
    film.move(1.5, 2.1, (100, 70), (480, 60))
    second = film.click(2.3, 480, 60)
    found = made(film, [first, second], tmp_path)[1]
    want = draw(2.29)
    assert found.rgb is not None
    assert np.abs(found.rgb[40:160, 40:200].astype(int) - want[40:160, 40:200]).max() < 12


def test_the_release_of_a_key_asks_for_no_answer(tmp_path: Path) -> None:
    """`s` is on the screen at once; it is let go just before enter, whose answer comes after 0.1 s."""

    def draw(time: float) -> Picture:
        picture = text(blank(), "ls" if time >= 1.02 else "l", 60, 100)
        return box(picture, 40, 140, 500, 300, 90) if time >= 1.25 else picture

    film = own(draw, 2.0)
    film.move(0.1, 0.2, (10, 10), (20, 20))
    film.add("key", 0.9, key="l", pressed=True)
    film.add("key", 1.0, key="s", pressed=True)
    film.add("key", 1.12, key="l", pressed=False)
    film.add("key", 1.15, key="enter", pressed=True)
    film.add("key", 1.2, key="enter", pressed=False)
    steps = [film.step([Write("ls")], 0, 0.9, 1.0), film.step([Press("enter")], 4, 1.15, 1.2)]
    assert [found.picture.flags for found in made(film, steps, tmp_path)] == [[], []]


def test_a_caret_that_blinks_is_not_what_was_waited_for(tmp_path: Path) -> None:
    """A page is loaded 3 s into a wait of 7 s, over a caret that had blinked since the wait began."""

    def draw(time: float) -> Picture:
        if time >= 4.0:
            return text(blank(), "Loaded", 200, 200)
        picture = box(blank(), 300, 100, 500, 130, 240)
        return box(picture, 310, 104, 312, 126, 0) if int(time / 0.4) % 2 else picture

    film = own(draw, 9.0)
    film.move(0.1, 0.4, (50, 50), (320, 115))
    clicked = film.click(0.9, 320, 115)
    waited = film.step([Wait(7.0)], 0, 0.98, 7.98)
    found = made(film, [clicked, waited], tmp_path)[1]
    assert shown_at(film, found) == pytest.approx(3.8, abs=0.25)


@pytest.mark.parametrize("kind", ["pause", "private", "own"])
def test_no_picture_comes_from_a_span_that_is_hidden(tmp_path: Path, kind: str) -> None:
    """The screen was as at the click before the span already; within it, pictures are black (or show the recorder).
    Neither those nor, should nothing have been taken since, any other."""

    def draw(time: float) -> Picture:
        return box(blank(), 0, 0, 640, 360, 0) if 1.0 <= time < 2.0 else box(blank(), *BUTTON, 120)

    def tell(begins: bool, time: float) -> None:
        if kind == "pause":
            film.add("pause" if begins else "resume", time)
        elif kind == "private":
            film.add("redaction", time, detail="private", since=1.0)
        else:
            film.add("window", time, own=begins)

    film = own(draw, 3.4)
    film.move(0.1, 0.4, (100, 200), (110, 210))
    tell(True, 1.0)
    tell(False, 1.96 if kind == "own" else 2.0)
    early = film.click(1.98, 470, 60)  # before the first picture after the span
    film.move(2.3, 2.8, (110, 210), (470, 60))
    late = film.click(3.0, 470, 60)
    none, found = made(film, [early, late], tmp_path)
    assert none.rgb is None and none.picture.flags == ["keyframe_missing"]
    assert abs(patch(found, 405, 45, 555, 75) - 120) < 3 and 2.0 <= shown_at(film, found) < 3.0


def test_spans_that_are_hidden() -> None:
    """A redaction has a row where it begins and one where it ends, or only the latter; a pause may never end."""
    builder = TrackBuilder()
    rows: list[dict[str, Any]] = [
        {"time": 1.0, "kind": "redaction", "detail": "password", "since": 1.0},
        {"time": 2.0, "kind": "redaction", "detail": "password", "since": 1.0},
        {"time": 4.0, "kind": "redaction", "detail": "excluded", "since": 3.0},
        {"time": 5.0, "kind": "window", "own": True},
        {"time": 6.0, "kind": "window", "own": False},
        {"time": 7.0, "kind": "pause"},
    ]
    for index, row in enumerate(rows):
        builder.add(RawEvent(index=index, **row))
    track = builder.track()
    hidden = [time for time in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 99.0) if track.hidden_at(time)]
    assert hidden == [1.5, 3.5, 5.5, 99.0]
    assert track.hidden_at(5.5, frozenset({"own"})) and not track.hidden_at(5.5, frozenset({"pause"}))


def test_a_caret_a_clock_and_a_spinner_do_not_keep_a_hasty_hand_from_its_picture(tmp_path: Path) -> None:
    """Nobody rests for a second: a press every 0.4 s. A caret blinks, seconds tick, a spinner turns; the button lights
    up 0.1 s before each press."""

    def draw(time: float) -> Picture:
        picture = box(blank(), *BUTTON, 150 if over(film, BUTTON, time) else 120)
        if time % 0.9 < 0.6:
            box(picture, 100, 200, 102, 216, 20)
        text(picture, f"10:41:{10 + int(time)}", 500, 340)
        turn = int(time / 0.09) % 4
        return box(
            picture, 240 + 16 * (turn % 2), 300 + 16 * (turn // 2), 256 + 16 * (turn % 2), 316 + 16 * (turn // 2), 60
        )

    film = own(draw, 8.0)
    for number in range(14):
        at = 1.0 + 0.4 * number
        film.move(at, at + 0.1, (100, 100), (80, 120))
        film.click(at + 0.14, 80, 120, held=0.04)
    film.move(6.62, 6.8, (80, 120), (480, 60))
    step = film.click(6.9, 480, 60)
    found = made(film, [step], tmp_path)[0]
    assert found.picture.keyframe is not None and not found.picture.keyframe.erased and not found.picture.flags
    assert abs(patch(found, 410, 50, 550, 70) - 120) < 3 and shown_at(film, found) < 6.8


def test_a_picture_is_not_older_than_what_the_last_press_did_where_it_was(tmp_path: Path) -> None:
    """A card lights up; 0.1 s after it was pressed it gets an edge; as the pointer leaves, it goes out. The picture of
    the next press shows the edge."""
    card = (60, 60, 200, 160)

    def draw(time: float) -> Picture:
        picture = box(
            box(blank(), *BUTTON, 150 if over(film, BUTTON, time) else 120), *card, 230 if time < 2.4 else 215
        )
        if over(film, card, time):
            box(picture, *card, 200)
        if time >= 2.25:
            cv2.rectangle(picture, card[:2], card[2:], (40, 40, 40), 2)
        return picture

    film = own(draw, 3.2)
    film.move(1.0, 1.5, (300, 300), (130, 110))
    film.click(2.1, 130, 110, held=0.05)
    film.move(2.3, 2.5, (130, 110), (480, 60))
    found = made(film, [film.click(2.6, 480, 60)], tmp_path)[0]
    edge = float(np.mean(found.rgb[60:160, 60:62])) if found.rgb is not None else 255.0
    assert edge < 120 or found.picture.flags or (found.picture.keyframe and found.picture.keyframe.erased)
    assert shown_at(film, found) >= 2.24


def test_a_count_on_the_target_that_changed_while_the_pointer_was_away_is_state(tmp_path: Path) -> None:
    """A press elsewhere makes "5" on the next target a "6", before the pointer comes there and lights it up."""

    def draw(time: float) -> Picture:
        picture = box(blank(), *BUTTON, 150 if over(film, BUTTON, time) else 120)
        return text(picture, "Basket 6" if time >= 2.2 else "Basket 5", 440, 66)

    film = own(draw, 3.2)
    film.move(1.0, 1.4, (300, 300), (130, 210))
    film.click(2.1, 130, 210, held=0.05)
    film.move(2.3, 2.55, (130, 210), (480, 60))
    found = made(film, [film.click(2.65, 480, 60)], tmp_path)[0]
    assert shown_at(film, found) >= 2.19 and abs(patch(found, 405, 42, 430, 48) - 120) < 3


def test_a_film_plays_again_when_the_page_over_it_goes_and_somebody_hurries(tmp_path: Path) -> None:
    """A film plays for two seconds, a page covers it, goes again as a button is pressed, and the next press comes 0.4 s
    later: the pointer far away in the picture, the film at any place."""

    def draw(time: float) -> Picture:
        if 2.5 <= time < 3.55:
            return box(blank(), 0, 0, 640, 360, 235)
        picture = box(blank(), *BUTTON, 150 if over(film, BUTTON, time) else 120)
        box(picture, 60, 200, 220, 300, 20)
        for number in range(5):
            y = 220 + int(30 * (1 + np.sin(7 * time + number)))
            box(picture, 64 + 30 * number, y, 84 + 30 * number, y + 18, 200)
        return picture

    film = own(draw, 4.4)
    film.move(0.1, 0.3, (300, 300), (300, 310))
    film.click(2.4, 300, 310, held=0.05)
    film.click(3.45, 300, 310, held=0.05)
    film.move(3.6, 3.85, (300, 310), (480, 60))
    found = made(film, [film.click(3.92, 480, 60)], tmp_path)[0]
    assert found.picture.keyframe is not None and not found.picture.keyframe.erased and not found.picture.flags
    assert shown_at(film, found) >= 3.54 and abs(patch(found, 410, 50, 550, 70) - 120) < 3
