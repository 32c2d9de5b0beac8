"""Keyframes on films whose right frame is known, and why it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.model.actions import Press
from curate.model.events import ElementAt
from tests.reduce.film import GROUND, WIDTH, Film, Picture, blank, box, button, choose, inside, patch, text

FAR = 0.05 * WIDTH
MENU = (300, 100, 460, 260)
ITEM = (310, 140, 450, 164)


@pytest.mark.parametrize("pointer", [False, True])
def test_a_menu_that_opened_is_in_the_picture_and_the_pointer_is_not_yet_on_its_item(
    tmp_path: Path, pointer: bool
) -> None:
    """The first click opens a menu 0.4 s later. The person looks, goes to an item and clicks it. Before the menu is
    another screen; at the end the pointer is on the item. Right: the latest frame with the menu and the pointer 5 % of
    the width away."""

    def draw(time: float) -> Picture:
        picture = button()
        return text(box(picture, *MENU, 60), "Item", 320, 156, 230) if time >= 0.9 else picture

    film = Film(draw, length=3.2, pointer=pointer)
    film.move(0.0, 0.3, (100, 300), (520, 60))
    first = film.click(0.5, 520, 60)
    film.move(1.6, 2.4, (520, 60), (380, 152))
    second = film.click(2.9, 380, 152)
    film.elements = [ElementAt(time=2.89, role="menuitem", name="Item", box=ITEM)]
    recording = film.recording(tmp_path)
    found = choose(recording, [first, second])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "latest_away"
    assert abs(patch(found, 310, 200, 450, 250) - 60) < 5  # the menu is open
    place = film.place(keyframe.time)
    assert place is not None and not inside(place, ITEM)
    assert ((place[0] - 380) ** 2 + (place[1] - 152) ** 2) ** 0.5 >= FAR
    later = film.place(keyframe.time + 0.15)  # and hardly a later one would do
    assert later is not None and ((later[0] - 380) ** 2 + (later[1] - 152) ** 2) ** 0.5 < FAR
    assert keyframe.pointer_on_target is False and found.picture.flags == []


@pytest.mark.parametrize("pointer", [False, True])
def test_a_button_that_lights_up_under_the_pointer_is_shown_unlit(tmp_path: Path, pointer: bool) -> None:
    """The button lights up while the pointer is on it. Its box is not known. Right: the frame before, whose button is
    dark: the same state but for the highlight."""
    film = Film(lambda time: button(lit=inside(film.place(time), (480, 45, 560, 75))), length=2.6, pointer=pointer)
    film.move(0.2, 0.4, (100, 300), (110, 290))
    film.move(1.2, 1.6, (110, 290), (520, 60))
    step = film.click(2.2, 520, 60)
    found = choose(film.recording(tmp_path), [step])[0]
    assert abs(patch(found, 490, 66, 515, 74) - 120) < 5
    assert found.picture.keyframe is not None and found.picture.keyframe.rule == "latest_away"
    assert found.picture.keyframe.pointer_on_target is False


def test_a_row_that_lights_up_wider_than_the_point_is_shown_unlit(tmp_path: Path) -> None:
    """A row of a list lights up along its whole width, and the pointer comes along the row. 24 px about the point
    would let it in; what is seen to react is the whole row."""
    row = (60, 160, 560, 192)

    def draw(time: float) -> Picture:
        picture = text(blank(), "Row", 80, 182)
        return text(box(picture, *row, 160), "Row", 80, 182) if inside(film.place(time), row) else picture

    film = Film(draw, length=3.2, pointer=True)
    film.move(0.3, 0.9, (300, 330), (110, 176))
    film.move(1.4, 1.9, (110, 176), (420, 176))
    step = film.click(2.6, 420, 176)
    found = choose(film.recording(tmp_path), [step])[0]
    assert abs(patch(found, 200, 165, 380, 190) - GROUND) < 5
    assert found.picture.keyframe is not None and found.picture.keyframe.time < 1.0


@pytest.mark.parametrize("by", [6, 8, -6])
def test_a_row_that_lights_up_ever_so_faintly_too(tmp_path: Path, by: int) -> None:
    """Lists of web pages light up by a few levels, less than makes another state. The pointer comes from the row below
    and is in the target's row, but not yet near the point, when it is last seen away from it."""
    rows = [(60, top, 560, top + 80) for top in (80, 160, 240)]

    def draw(time: float) -> Picture:
        picture = blank()
        for row in rows:
            if inside(film.place(time), row):
                box(picture, *row, GROUND + by)
            text(picture, "Two books are due", 80, row[1] + 30)
        return picture

    film = Film(draw, length=2.6)
    film.only_changes = True
    film.move(0.3, 0.7, (620, 340), (100, 300))
    film.move(1.2, 1.6, (100, 300), (300, 180))
    step = film.click(2.2, 300, 180)
    found = choose(film.recording(tmp_path), [step])[0]
    assert found.picture.keyframe is not None and found.picture.keyframe.rule == "latest_away"
    assert abs(patch(found, 200, 205, 540, 235) - GROUND) < 2
    assert not found.picture.flags


def test_a_clock_a_spinner_and_a_caret_do_not_make_an_earlier_frame_another_state(tmp_path: Path) -> None:
    """All three change all the time, and while the pointer rests on the button for two seconds. The pointer was away
    only before: that frame is right, though clock, spinner and caret differ in it."""

    def draw(time: float) -> Picture:
        picture = text(button(), f"12:00:{int(time) % 60:02}", 540, 350)
        box(picture, 40 + 12 * (int(time * 10) % 8), 40, 52 + 12 * (int(time * 10) % 8), 52, 40)
        return box(picture, 200, 200, 202, 216, 0) if int(time * 2) % 2 else picture

    film = Film(draw, length=9.0)
    film.move(5.0, 5.4, (100, 300), (300, 200), (520, 60))
    step = film.click(8.4, 520, 60)
    found = choose(film.recording(tmp_path), [step])[0]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "latest_away"
    assert keyframe.time + film.events[0].time < 5.4 and keyframe.pointer_on_target is False


def test_a_countdown_in_its_first_seconds_does_not_either(tmp_path: Path) -> None:
    """A dialogue counts down and was not there before; one change is seen while the pointer is on its button. Every
    later frame has the pointer there, so the frame with the other number is right."""

    def draw(time: float) -> Picture:
        if time < 1.0:
            return button()
        picture = box(blank(), 100, 80, 540, 280, 60)
        text(picture, f"Reverting in {12 - int(time - 0.2)} seconds", 120, 120, 230)
        return box(picture, 400, 220, 500, 250, 110)

    film = Film(draw, length=4.5, pointer=True)
    first_moves = film.move(0.0, 0.3, (300, 300), (520, 60))
    first = first_moves.click(0.5, 520, 60)
    film.move(2.5, 2.9, (520, 60), (450, 235))
    second = film.click(4.1, 450, 235)
    found = choose(film.recording(tmp_path), [first, second])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.pointer_on_target is False and not keyframe.erased
    assert abs(patch(found, 120, 200, 380, 270) - 60) < 5


def test_a_second_press_on_the_same_spot_says_that_the_pointer_was_there_already(tmp_path: Path) -> None:
    """The pointer never left: every picture has it on the target. Honest: the last frame, flagged."""
    film = Film(lambda time: text(button(), "1" if time > 1.0 else "0", 200, 200), length=3.0, pointer=True)
    film.move(0.2, 0.6, (100, 300), (520, 60))
    first = film.click(0.9, 520, 60)
    second = film.click(2.5, 520, 60)
    found = choose(film.recording(tmp_path), [first, second])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "inherited" and keyframe.pointer_on_target is True
    assert "pointer_inherited" in found.picture.flags and keyframe.floor_on_target is True
    assert abs(keyframe.time + film.events[0].time - 2.35) < 0.05


def test_a_patch_is_rebuilt_from_an_earlier_frame_with_the_same_surroundings(tmp_path: Path) -> None:
    """The menu opens late, with the pointer where its item will be, so that no frame since the last action has the menu
    and the pointer elsewhere. It was open before, with the pointer elsewhere: the patch comes from there, and says so.
    The menu's other entry is what it is now."""

    def draw(time: float) -> Picture:
        picture = button()
        if 0.5 <= time < 1.2 or time >= 3.0:
            text(box(picture, *MENU, 60), "Item", 320, 156, 230)
            text(picture, "old" if time < 2 else "new", 320, 256, 230)
        return picture

    film = Film(draw, length=4.6, pointer=True)
    film.settings = {"qp": "4"}
    film.move(0.1, 0.4, (60, 300), (520, 60))
    film.move(1.4, 1.6, (520, 60), (530, 55))
    first = film.click(2.0, 530, 55)
    film.move(2.3, 2.7, (530, 55), (380, 152))
    second = film.click(4.2, 380, 152)
    film.elements = [ElementAt(time=4.19, role="menuitem", name="Item", box=ITEM)]
    found = choose(film.recording(tmp_path), [first, second])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "erased" and keyframe.erased
    assert "pointer_near" not in found.picture.flags and found.rgb is not None
    film.pointer = False
    assert abs(found.rgb.astype(int) - film.frame(4.0)).max() < 40  # as it would look without a pointer


def test_a_list_that_opens_under_the_resting_pointer_says_that_it_was_there(tmp_path: Path) -> None:
    """Opened by a key while the pointer rests where its item is: the pointer has been on the target since the last
    action, however the list looked before."""

    def draw(time: float) -> Picture:
        picture = text(blank(), "Title", 30, 30)
        if 0.5 <= time < 1.2 or time >= 3.0:
            text(box(picture, *MENU, 60), "Item", 320, 156, 230)
        return picture

    film = Film(draw, length=4.6, pointer=True)
    film.move(0.1, 0.4, (60, 300), (80, 300))
    film.key(0.45, "down")
    opened = film.step([Press("down")], 0, 0.45, 0.48)
    film.key(1.15, "esc")
    film.move(1.4, 1.8, (80, 300), (380, 152))
    film.key(2.9, "down")
    again = film.step([Press("down")], 0, 2.9, 2.93)
    step = film.click(4.2, 380, 152)
    film.elements = [ElementAt(time=4.19, role="menuitem", name="Item", box=ITEM)]
    found = choose(film.recording(tmp_path), [opened, again, step])[2]
    keyframe = found.picture.keyframe
    assert keyframe is not None
    assert "pointer_inherited" in found.picture.flags and keyframe.pointer_on_target is True


def test_a_menu_that_opens_late_under_the_pointer_is_erased_or_flagged(tmp_path: Path) -> None:
    """After the click the pointer moves a little, onto where the item will be, and rests; the menu opens half a second
    later. Frames with the pointer away lack the menu, so none serves."""

    def draw(time: float) -> Picture:
        picture = text(button(), "Title", 30, 30)
        if time >= 2.5:
            text(box(picture, *MENU, 60), "Item", 320, 156, 230)
        return picture

    film = Film(draw, length=4.6, pointer=True)
    film.move(0.2, 0.8, (60, 300), (520, 60))
    first = film.click(1.0, 520, 60)
    film.move(1.3, 1.7, (520, 60), (380, 152))
    second = film.click(4.0, 380, 152)
    film.elements = [ElementAt(time=3.99, role="menuitem", name="Item", box=ITEM)]
    found = choose(film.recording(tmp_path), [first, second])[1]
    keyframe = found.picture.keyframe
    assert keyframe is not None and abs(patch(found, 310, 200, 450, 250) - 60) < 5  # the state is right
    assert keyframe.pointer_on_target is True and ("pointer_near" in found.picture.flags or keyframe.erased)


def test_where_none_is_far_the_farthest_is_taken(tmp_path: Path) -> None:
    """The pointer stays within 5 % of the width; it was farthest in the middle of the film."""
    film = Film(lambda time: box(blank(), 290, 140, 310, 160, 120), length=3.4, pointer=True)
    film.move(0.0, 0.1, (300, 150), (306, 152))
    film.move(1.0, 1.1, (306, 152), (329, 150))
    film.move(1.8, 1.9, (329, 150), (316, 150))
    film.move(2.4, 2.5, (316, 150), (300, 150))
    step = film.click(3.0, 300, 150)
    film.elements = [ElementAt(time=2.99, role="button", name="x", box=(290, 140, 310, 160))]
    found = choose(film.recording(tmp_path), [step])[0]
    keyframe = found.picture.keyframe
    assert keyframe is not None and keyframe.rule == "farthest"
    assert film.place(keyframe.time + film.events[0].time) == (329, 150)


def test_an_action_without_moves_is_said_to_have_the_pointer_on_it(tmp_path: Path) -> None:
    """Where the pointer was before is not known; nothing says that it was elsewhere."""
    film = Film(lambda _: button(), length=2.5)
    step = film.click(1.5, 520, 60)
    found = choose(film.recording(tmp_path), [step])[0]
    assert "pointer_inherited" in found.picture.flags and found.rgb is not None


@pytest.mark.parametrize(("setting", "place"), [("previous", (100, 300)), ("recorded", None), ("none", None)])
def test_the_pointer_is_drawn_where_the_setting_says(
    tmp_path: Path, setting: str, place: tuple[int, int] | None
) -> None:
    """`previous`: where the last action ended, as a live agent sees it. `recorded`: where it was when the frame was on
    the screen. `none`: nowhere."""
    film = Film(lambda _: blank(), length=3.4)
    film.move(0.2, 0.5, (50, 50), (100, 300))
    first = film.click(1.0, 100, 300)
    film.move(2.0, 2.3, (100, 300), (520, 60))
    second = film.click(3.0, 520, 60)
    found = choose(film.recording(tmp_path), [first, second], pointer=setting)[1]
    assert found.rgb is not None and found.picture.keyframe is not None
    if setting == "recorded":
        place = tuple(round(v) for v in film.place(found.picture.keyframe.time + 0.2) or ())  # type: ignore[assignment]
    if place is None:
        assert found.rgb.min() > GROUND - 8
    else:
        around = found.rgb[max(place[1], 0) : place[1] + 18, place[0] : place[0] + 12]
        assert around.min() < 60
        rest = found.rgb.copy()
        rest[place[1] - 2 : place[1] + 22, place[0] - 2 : place[0] + 15] = GROUND
        assert rest.min() > GROUND - 8
