"""A machine for tests of plans: a US keyboard, a screen, nothing behind it."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

from curate.model.actions import Action
from curate.model.trajectory import Origin, Platform, Screen, Span, Step, Trajectory
from recorders.replay.keyboard import Stroke
from recorders.replay.machine import Machine

NAMED = "enter tab esc ctrl alt shift win insert delete home end up down left right f5 space backspace".split()


class UsKeyboard:
    trouble: str | None = None

    def character(self, character: str) -> Stroke | None:
        return Stroke(character) if character in string.printable[:95] else None

    def key(self, name: str) -> Stroke | None:
        return Stroke(name) if name in NAMED else self.character(name)

    def lend(self, characters: Iterable[str]) -> set[str]:
        return set()

    def give_back(self) -> None:
        pass


def machine(platform: Platform = "linux", width: int = 1000, height: int = 500, gui: Any = None) -> Machine:
    return Machine(gui=gui, platform=platform, width=width, height=height, keyboard=UsKeyboard())


def record(*steps: list[Action], size: tuple[int, int] = (1000, 500), flags: list[str] | None = None) -> Trajectory:
    """Steps a second apart."""
    return Trajectory(
        id="r",
        source=Origin(name="recording"),
        instruction="try it",
        platform="linux",
        steps=[
            Step(
                index=i, actions=list(actions), screen=Screen(width=size[0], height=size[1]), flags=flags or [],
                time=Span(start=float(i), end=i + 0.1),
            )
            for i, actions in enumerate(steps)
        ],
    )  # fmt: skip
