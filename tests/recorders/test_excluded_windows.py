"""Which windows are excluded, and what of them shows: rules that need no server."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recorders.boxes import Box, inside
from recorders.desktop.excluded_windows import excluded_windows
from recorders.desktop.showing import SETTLED_S, grown, showing
from recorders.desktop.x11_window_facts import Facts, Top

FRAME, VAULT, DIALOGUE, MENU, OTHER = 0x100001, 0x200001, 0x200002, 0x200003, 0x300001
SIDE = 12
sides = st.tuples(st.integers(0, SIDE), st.integers(0, SIDE)).map(sorted).filter(lambda s: s[0] < s[1])
boxes = st.tuples(sides, sides).map(lambda s: (s[0][0], s[1][0], s[0][1], s[1][1]))


def window(number: int, *facts: Facts, menu: bool = False, box: Box = (0, 0, 8, 8), touched: float = 0.0) -> Top:
    return Top(number, box, True, menu, True, touched, list(facts))


def excluded(*tops: Top) -> set[int]:
    return excluded_windows(
        {top.window: top for top in tops}, lambda facts: "vault" in facts.names, lambda number: number & ~0xFFFFF
    )


def named(number: int, name: str, **more: Any) -> Facts:
    return Facts(window=number, names=(name,), client=True, **more)


def test_a_frame_goes_with_the_program_in_it_and_no_other_frame_with_it() -> None:
    other = window(FRAME + 1, Facts(window=FRAME + 1), named(OTHER, "editor"))
    assert excluded(window(FRAME, Facts(window=FRAME), named(VAULT, "vault")), other) == {FRAME}


def test_dialogues_of_dialogues_and_menus_of_the_program_go_too() -> None:
    vault = window(VAULT, named(VAULT, "vault", pid=7))
    dialogue = window(DIALOGUE, named(DIALOGUE, "helper", owner=VAULT))
    another = window(OTHER, named(OTHER, "helper", owner=DIALOGUE))
    menu = window(MENU, Facts(window=MENU), menu=True)
    of_a_helper = window(0x400001, Facts(window=0x400001, pid=7), menu=True)
    assert excluded(vault, dialogue, another, menu, of_a_helper) == {VAULT, DIALOGUE, OTHER, MENU, 0x400001}


def test_a_named_window_of_the_same_program_stays() -> None:
    assert excluded(window(VAULT, named(VAULT, "vault")), window(DIALOGUE, named(DIALOGUE, "editor"))) == {VAULT}


@given(
    top=boxes,
    above=st.lists(st.tuples(boxes, st.booleans(), st.floats(0, 2 * SETTLED_S)), max_size=5),
    moved=st.floats(0, 2 * SETTLED_S),
)
def test_a_pixel_is_saved_only_by_what_covers_it_for_certain(
    top: Box, above: list[tuple[Box, bool, float]], moved: float
) -> None:
    """Pixel by pixel, which is another way than cutting boxes."""
    now = 2 * SETTLED_S
    hidden = window(VAULT, named(VAULT, "vault"), box=top, touched=moved)
    covers = [window(OTHER + n, box=box, touched=at) for n, (box, _, at) in enumerate(above)]
    solid = {OTHER + n for n, (_, whole, _) in enumerate(above) if whole}
    pieces, again = showing(hidden, covers, now, lambda one: one.window in solid)
    for x in range(SIDE):
        for y in range(SIDE):
            saved = any(whole and inside([box], x, y) and max(at, moved) + SETTLED_S <= now for box, whole, at in above)
            assert inside(pieces, x, y) == (inside([top], x, y) and not saved)
    assert all(now < moment <= now + SETTLED_S for moment in again)


def test_a_minimised_window_shows_until_it_has_settled() -> None:
    gone = window(VAULT, named(VAULT, "vault", minimised=True, extents=(1, 2, 3, 4)), touched=5.0)
    assert showing(gone, [], 5.5, lambda one: True) == ([grown(gone)], [5.0 + SETTLED_S])
    assert grown(gone) == (-1, -3, 10, 12)
    assert showing(gone, [], 5.0 + SETTLED_S, lambda one: True) == ([], [])
