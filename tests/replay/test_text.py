"""Which characters go by keys and which through the clipboard."""

from __future__ import annotations

import itertools
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorders.replay.errors import NotPerformableError
from recorders.replay.text import paste_keys, plan_text


def test_runs_of_characters_with_and_without_keys() -> None:
    runs = plan_text("abc日本x€", lambda c: c in string.printable)
    assert [(run.text, run.by) for run in runs] == [
        ("abc", "keys"), ("日本", "clipboard"), ("x", "keys"), ("€", "clipboard"),
    ]  # fmt: skip


def test_ends_of_lines_and_tabs_are_keys_whatever_the_layout_has() -> None:
    assert [(run.text, run.by) for run in plan_text("a\r\nb\tc\r", lambda c: c.isalpha())] == [("a\nb\tc\r", "keys")]


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])), st.sets(st.characters()))
def test_no_character_is_lost_and_none_without_a_key_goes_by_keys(text: str, keys: set[str]) -> None:
    runs = plan_text(text, keys.__contains__)
    assert "".join(run.text for run in runs) == text
    assert all(c in keys for run in runs if run.by == "keys" for c in run.text)
    assert all(c not in keys for run in runs if run.by == "clipboard" for c in run.text)
    assert all(one.by != two.by for one, two in itertools.pairwise(runs))


@pytest.mark.parametrize("text", ["\x1b[2J", "rm\x00", "a\x7f", "\x9b31m", "\ud83d"])
def test_control_characters_and_halves_are_refused(text: str) -> None:
    with pytest.raises(NotPerformableError):
        plan_text(text, lambda c: True)


def test_terminals_do_not_paste_with_ctrl_v() -> None:
    assert paste_keys("mousepad", "linux") == ("ctrl", "v")
    assert paste_keys("xterm", "linux") == ("shift", "insert")
    assert paste_keys("gnome-terminal-server", "linux") == ("ctrl", "shift", "v")
    assert paste_keys(None, "windows") == ("ctrl", "v")
    assert paste_keys("Terminal", "macos") == ("command", "v")
