"""What is said before a recording begins of what it will hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from recorders.a11y.beforehand import NothingToldError
from recorders.options import Options
from recorders.privacy.exclusions import Exclusions, read_exclusions
from recorders.privacy.gate import FRONT_KINDS, PASSWORD_KINDS, POINTER_KINDS, Gate
from recorders.terminal.in_force import kept_out, passwords_told
from tests.recorders.test_control import move


class Silent:
    def __init__(self, *names: str, why: str | None = None) -> None:
        self._names, self._why = list(names), why

    def silent(self, own: Collection[int] = ()) -> list[str]:
        if self._why:
            raise NothingToldError(self._why)
        return self._names


def told(beforehand: Any, **options: Any) -> str | None:
    return passwords_told(beforehand, (), Options(**options))


def test_whose_passwords_would_be_recorded_is_said_by_name() -> None:
    assert told(Silent()) is None
    said = told(Silent("chromium", "xterm")) or ""
    assert said.startswith("Passwords typed in chromium and xterm would be recorded") and "ctrl+alt+page_up" in said
    assert told(Silent("chromium"), exclusions=Exclusions(apps=("Chromium",))) is None, "nothing of it is recorded"
    assert (told(Silent(why="There is no bus.")) or "").startswith("There is no bus. Passwords typed anywhere would be")
    assert "--no-a11y" in (told(None) or "")


def test_an_exclusion_that_meets_no_window_is_marked() -> None:
    given = read_exclusions(["app:KeePassXC", "app:typo", "title:private|incognito", "monitor:2"])
    windows = [("keepassxc", "Passwords"), ("chromium", "New Incognito tab"), (None, None)]
    assert kept_out(given, windows) == [
        "app:KeePassXC", "app:typo (no such window now)", "title:private|incognito", "monitor:2",
    ]  # fmt: skip
    assert kept_out(given, None) == ["app:KeePassXC", "app:typo", "title:private|incognito", "monitor:2"]


def test_how_often_something_was_kept_out_counts_what_belongs_together_once() -> None:
    gate = Gate()
    gate.hide("excluded", 10, POINTER_KINDS)
    gate.hide("excluded", 12, FRONT_KINDS)
    gate.hide("password", 14, PASSWORD_KINDS)
    gate.passes(move(20))
    gate.show("excluded", 30)
    gate.show("password", 30)
    gate.passes(move(40))
    gate.hide("excluded", 50, FRONT_KINDS)
    gate.passes(move(60))
    assert gate.episodes == {"excluded": 2, "password": 1}
