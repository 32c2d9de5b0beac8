"""What a keyboard is to a replay: which keys make a character, and which PyAutoGUI name a key has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec


class Stroke(msgspec.Struct, frozen=True):
    """A press of `key` (a name that PyAutoGUI's keyDown takes here) while `held` are down."""

    key: str
    held: tuple[str, ...] = ()


class Keyboard(Protocol):
    """The keyboard of this desktop as its layout is now."""

    def character(self, character: str) -> Stroke | None:
        """How a character is typed; None where no key of the layout makes it."""
        ...

    def key(self, name: str) -> Stroke | None:
        """How a key of a record (`enter`, `ctrl`, `a`) is pressed; None where the keyboard has none of this name."""
        ...

    def lend(self, characters: Iterable[str]) -> set[str]:
        """Give characters that the layout lacks a key of their own, where keys are free; those that got one."""
        ...

    def give_back(self) -> None:
        """Leave the keyboard as it was before `lend`."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why text would not come out as written now, as a sentence."""
        ...
