"""Keyframes on films whose right frame is known, and why it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.model.actions import DragTo, MoveTo, Press, Scroll, Terminate, Wait, Write
from curate.model.events import ElementAt
from tests.reduce.film import GROUND, WIDTH, Film, Picture, blank, box, choose, patch, text

FAR = 0.05 * WIDTH
MENU = (300, 100, 460, 260)
ITEM = (310, 140, 450, 164)


def button(lit: bool = False) -> Picture:
    """A screen with one button about (520, 60)."""
    return box(blank(), 480, 45, 560, 75, 150 if lit else 120)


def inside(place: tuple[float, float] | None, area: tuple[int, int, int, int]) -> bool:
    return place is not None and area[0] <= place[0] < area[2] and area[1] <= place[1] < area[3]


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
