"""A step drawn on its picture: what is drawn is where the record says, whatever the record holds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from curate.model.actions import Action, Click, DragTo, HScroll, MoveTo, Press, Scroll, Swipe, Write
from curate.model.trajectory import Element, Step
from curate.view.drawn_action import draw, lines_of, marks_of, pointer_after

fractions = st.floats(0, 1).map(lambda value: round(value, 4))


def step(*actions: Action, **more: object) -> Step:
    return Step(index=3, actions=list(actions), **more)  # type: ignore[arg-type]


@given(fractions, fractions)
def test_a_click_is_a_ring_at_its_pixels_and_the_picture_changes_only_around_it(x: float, y: float) -> None:
    (mark,) = marks_of(step(Click(x=x, y=y)), 300, 200)
    assert mark.kind == "ring" and mark.at == (x * 300, y * 200)
    grey = Image.new("RGB", (300, 200), (128, 128, 128))
    drawn = np.asarray(draw(grey, step(Click(x=x, y=y)))).astype(int)
    rows, columns = np.nonzero((drawn != 128).any(axis=2))
    assert len(rows), "nothing was drawn"
    near = np.hypot(columns - x * 300, rows - y * 200)
    assert near.max() < 100 and near.min() < 6
    assert np.asarray(grey).min() == 128, "the picture itself was drawn on"


def test_arrows_go_where_the_content_or_the_finger_goes() -> None:
    (swipe,) = marks_of(step(Swipe(x=0.5, y=0.8, to_x=0.5, to_y=0.2)), 100, 100)
    assert swipe.kind == "arrow" and swipe.at == (50, 80) and swipe.to == (50, 20)
    (drag,) = marks_of(step(MoveTo(x=0.1, y=0.2), DragTo(x=0.3, y=0.4)), 100, 100)
    assert drag.at == (10, 20) and drag.to == (30, 40)
    for action, across, down in (
        (Scroll(amount=3), 0, -1), (Scroll(amount=-3), 0, 1), (HScroll(amount=2), 1, 0), (HScroll(amount=-2), -1, 0)
    ):  # fmt: skip
        (mark,) = marks_of(step(MoveTo(x=0.5, y=0.5), action), 100, 100)
        assert mark.to is not None
        assert np.sign(mark.to[0] - 50) == across and np.sign(mark.to[1] - 50) == down


def test_where_the_step_does_not_say_where() -> None:
    (alone,) = marks_of(step(Scroll(amount=1)), 100, 100)
    assert not alone.sure
    (carried,) = marks_of(step(DragTo(x=1, y=1)), 100, 100, pointer=(0.5, 0.5))
    assert carried.at == (50, 50) and carried.to == (100, 100)
    assert not marks_of(step(DragTo(x=1, y=1)), 100, 100)[0].sure
    assert marks_of(step(Click(raw_point=(-50.0, 3.0))), 100, 100) == []
    assert marks_of(step(Click(element_id="12"), Press(key="enter")), 100, 100) == []


def test_the_pointer_is_followed_and_lost() -> None:
    assert pointer_after([Click(x=0.1, y=0.2), Write(text="x")], None) == (0.1, 0.2)
    assert pointer_after([Swipe(x=0, y=0, to_x=1, to_y=0.5)], None) == (1, 0.5)
    assert pointer_after([Click(raw_point=(-9.0, 1.0))], (0.1, 0.2)) is None
    assert pointer_after([Click(element_id="7")], (0.1, 0.2)) == (0.1, 0.2)


@given(st.text(max_size=50), fractions, fractions, fractions, fractions)
def test_whatever_was_recorded_is_drawn(text: str, a: float, b: float, c: float, d: float) -> None:
    box = (min(a, c), min(b, d), max(a, c), max(b, d))
    element = Element(role=text, name=text, box=box)
    odd = step(Write(text=text), Click(x=a, y=b), Swipe(x=a, y=b, to_x=c, to_y=d), element=element, action=text)
    assert draw(Image.new("RGB", (40, 30)), odd).size == (40, 30)
    assert all(line.isprintable() for line in lines_of(odd))
