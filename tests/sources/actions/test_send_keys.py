"""Keys as Windows' automation tools write them."""

from __future__ import annotations

import pytest

from curate.model import actions as act
from curate.sources.actions.send_keys import read_keys
from curate.sources.common.reading import UnreadableError


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("{VK_CONTROL}c", [act.Hotkey(("ctrl", "c"))]),  # part D, case 9
        ("{VK_CONTROL}{VK_SHIFT}{HOME}", [act.Hotkey(("ctrl", "shift", "home"))]),
        ("{VK_MENU}", [act.Press("alt")]),  # alone, it opens a menu
        ("^s%{F4}", [act.Hotkey(("ctrl", "s")), act.Hotkey(("alt", "f4"))]),
        ("{TAB 3}", [act.Press("tab", 3)]),
        ("a b{ENTER}", [act.Write("a b"), act.Press("enter")]),
        ("{VK_SHIFT down}x{VK_SHIFT up}", [act.KeyDown("shift"), act.Write("x"), act.KeyUp("shift")]),
        ("{+}1{%}", [act.Write("+1%")]),  # a sign in braces is itself
        ("", []),
    ],
)
def test_keys(text: str, actions: list[act.Action]) -> None:
    assert read_keys(text) == actions


@pytest.mark.parametrize("text", ["{NOSUCHKEY}", "{TAB many}", "{TAB 0}", "{TAB 99999}"])
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_keys(text)
