"""What reacts to the pointer at a target."""

from __future__ import annotations

import pytest

from curate.model.actions import Click, DragTo, Hotkey, MoveTo, Scroll, Wait
from curate.model.events import ElementAt
from curate.reduce.keyframes.targets import Target, target_at, target_of
from curate.reduce.types import ReducedStep
from curate.reduce.video.shown_region import View

VIEW = View(1366.0, 768.0, 1276, 718)


def element(box: tuple[float, float, float, float] | None, time: float = 9.9, role: str = "button") -> ElementAt:
    return ElementAt(time=time, role=role, name="x", box=box)


def step(*actions: object, flags: tuple[str, ...] = ()) -> ReducedStep:
    return ReducedStep(actions=list(actions), events=[0], start=10.0, end=10.1, rule="x", flags=list(flags))


def test_the_smallest_box_seen_there_just_before() -> None:
    elements = [element((400, 300, 700, 360)), element((480, 310, 560, 350)), element((490, 320, 510, 330), time=3.0)]
    assert target_at(500, 325, 10.0, sorted(elements, key=lambda e: e.time), VIEW) == Target(
        500, 325, (480, 310, 560, 350)
    )


@pytest.mark.parametrize(
    "seen",
    [
        None,
        element(None),
        element((600, 300, 700, 360)),  # misses the point
        element((0, 0, 1366, 700)),  # too large to light up as one
        element((480, 310, 560, 350), role="PaneControl"),
        element((480, 310, 560, 350), time=12.0),  # seen afterwards
        element((480, 310, 560, 350), time=8.0),  # long before
    ],
)
def test_else_the_square_about_the_point(seen: ElementAt | None) -> None:
    found = target_at(500, 325, 10.0, [seen] if seen else [], VIEW)
    assert found == Target(500, 325, (476, 301, 524, 349))


def test_which_point_a_step_has() -> None:
    boxes = [element((480, 310, 560, 350))]
    click = target_of(step(Click(500.0, 325.0)), 10.0, boxes, VIEW)
    assert click is not None and click.box == (480, 310, 560, 350)
    changed = target_of(step(Click(500.0, 325.0), flags=("screen_changed",)), 10.0, boxes, VIEW)
    assert changed is not None and changed.box == (476, 301, 524, 349)
    drag = target_of(step(MoveTo(100.0, 100.0), DragTo(500.0, 325.0)), 10.0, boxes, VIEW)
    scroll = target_of(step(MoveTo(100.0, 100.0), Scroll(-3)), 10.0, boxes, VIEW)
    assert drag is not None and scroll is not None and (drag.x, scroll.x) == (100.0, 100.0)
    for without in (step(Hotkey(("ctrl", "c"))), step(Wait(1.0)), step(Click(500.0, 900.0)), step(Click(None, None))):
        assert target_of(without, 10.0, boxes, VIEW) is None
