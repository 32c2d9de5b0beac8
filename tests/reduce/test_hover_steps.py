"""Hovers: a step only where the pointer's rest by itself opened what the next action uses."""

from __future__ import annotations

from dataclasses import dataclass

from curate.reduce.events.reducer import reduce_events
from curate.reduce.hover_steps import insert_hovers, pointer_rests, without_hovers
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from tests.reduce.person import accounted, lines, script

Box = tuple[float, float, float, float]
MENU: Box = (80, 120, 300, 400)
ITEM: Box = (80, 190, 300, 215)  # lights up under the pointer
SUBMENU: Box = (300, 180, 500, 300)


@dataclass
class Shown:
    """A screen on which boxes are there from one time to another; what differs between two times is what changed."""

    boxes: list[tuple[Box, float, float]]

    def _at(self, time: float) -> set[Box]:
        return {box for box, start, end in self.boxes if start <= time < end}

    def changed(self, start: float, end: float) -> bool:
        return bool(self.changed_regions(start, end))

    def changed_regions(self, start: float, end: float) -> list[Box]:
        return sorted(self._at(start) ^ self._at(end))


def hovered(text: str, *boxes: tuple[Box, float, float]) -> list[str]:
    """Code of the steps; times of boxes are seconds from the script's start."""
    events = script(text)
    items = list(reduce_events(events, ReduceOptions()))
    steps = [item for item in items if isinstance(item, ReducedStep)]
    stretches = [item for item in items if isinstance(item, Stretch)]
    screen = Shown([(box, 100 + start, 100 + end) for box, start, end in boxes])
    done = list(insert_hovers(steps, pointer_rests(events), screen, (1920, 1080)))
    left = list(without_hovers(stretches, done))
    assert accounted(done, left) == list(range(len(events)))
    assert [step.start for step in done] == sorted(step.start for step in done)
    return lines(done)[:-1]


OPEN_MENU = "900,900 L ~2 100,100 ~1 150,200 L"  # the pointer reaches 100,100 at 2.1 s and leaves at 3.1 s
BY_HAND = ["click(x=900, y=900)", "click(x=150, y=200)"]
WITH_HOVER = ["click(x=900, y=900)", "moveTo(x=100, y=100)", "click(x=150, y=200)"]


def test_a_menu_that_opens_under_a_resting_pointer() -> None:
    assert hovered(OPEN_MENU, (MENU, 2.4, 99)) == WITH_HOVER


def test_a_menu_that_opens_before_the_pointer_rests() -> None:
    approach = "900,900 L ~2 300,100 190,100 150,100 ~0.05 120,100 ~0.05 100,100 ~1 150,200 L"
    assert hovered(approach, (MENU, 2.15, 99)) == WITH_HOVER
    assert hovered(approach, (MENU, 2.09, 99)) == BY_HAND  # the pointer was still far away


def test_a_neighbour_that_opens_on_the_way() -> None:
    approach = "900,900 L ~2 300,100 190,100 150,100 ~0.05 120,100 ~0.05 100,100 ~1 150,200 L"
    assert hovered(approach, ((200, 120, 420, 300), 2.1, 2.15), (MENU, 2.15, 99)) == WITH_HOVER


def test_the_previous_response_may_come_during_the_approach() -> None:
    slow = "900,900 L ~0.3 190,100 ~0.5 150,100 ~0.2 100,100 ~1 150,200 L"
    assert hovered(slow, (MENU, 0.5, 99)) == BY_HAND
    assert hovered(slow, (MENU, 0.95, 99)) == WITH_HOVER


def test_nothing_opened() -> None:
    assert hovered(OPEN_MENU) == BY_HAND


def test_it_opened_elsewhere() -> None:
    assert hovered(OPEN_MENU, ((700, 700, 900, 900), 2.4, 99)) == BY_HAND


def test_the_next_action_is_not_in_it() -> None:
    assert hovered("900,900 L ~2 100,100 ~1 1500,200 L", (MENU, 2.4, 99)) == [
        "click(x=900, y=900)",
        "click(x=1500, y=200)",
    ]


def test_it_closed_again_before_the_action() -> None:
    assert hovered("900,900 L ~2 100,100 ~1 500,500 ~1 150,200 L", (MENU, 2.4, 3.5)) == BY_HAND


def test_the_previous_click_may_have_opened_it() -> None:
    assert hovered("900,900 L ~0.2 100,100 ~1 150,200 L", (MENU, 0.6, 99)) == BY_HAND


def test_it_was_changing_anyway() -> None:
    assert hovered(OPEN_MENU, (MENU, 1.8, 2.3), (MENU, 2.4, 99)) == BY_HAND


def test_resting_where_one_clicked() -> None:
    assert hovered("100,100 L ~2 101,100 ~1 150,200 L", (MENU, 2.4, 99)) == [
        "click(x=100, y=100)",
        "click(x=150, y=200)",
    ]


def test_a_page_that_loads_is_no_menu() -> None:
    assert hovered(OPEN_MENU, ((0, 0, 1920, 1080), 2.4, 99)) == BY_HAND


def test_passing_by_is_no_rest() -> None:
    assert hovered("900,900 L ~2 100,100 ~0.1 150,200 L", (MENU, 2.15, 99)) == BY_HAND


def test_the_approach_to_the_target_is_no_hover() -> None:
    assert hovered("900,900 L ~2 140,190 ~1 150,200 L", (MENU, 2.4, 99)) == BY_HAND


def test_a_menu_and_its_submenu() -> None:
    text = "900,900 L ~2 100,100 ~1 200,200 ~1 400,250 L"
    assert hovered(text, (MENU, 2.4, 99), (ITEM, 3.12, 99), (SUBMENU, 3.5, 99)) == [
        "click(x=900, y=900)",
        "moveTo(x=100, y=100)",
        "moveTo(x=200, y=200)",
        "click(x=400, y=250)",
    ]


def test_typing_needs_no_hover() -> None:
    assert hovered('900,900 L ~2 100,100 ~1 150,200 "a"', (MENU, 2.4, 99)) == [
        "click(x=900, y=900)",
        "write(message='a')",
    ]


def test_trembling_hand_still_rests() -> None:
    assert hovered("900,900 L ~2 100,100 ~0.3 102,101 ~0.3 99,100 ~0.4 150,200 L", (MENU, 2.8, 99)) == WITH_HOVER
