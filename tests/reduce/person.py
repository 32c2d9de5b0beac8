"""A person at mouse and keyboard, written down in one line: `script("100,100 L ~0.1 L 'hi' *enter")` are raw events.

    100,100      move there            L R M X1 X2    click          L+ L-        button down, up (any button)
    w0,-1        wheel: dx,dy          *enter         key tapped     +ctrl_l -a   key down, up
    "abc"        letters tapped one after another (␣ is the space key)            ~0.5         nothing for 0.5 s
    pause resume screen window redaction end          a control row

Each event comes 10 ms after the one before; a tap or click holds for 60 ms, letters follow after 90 ms more: the
timing of the conformance sequences.
"""

from __future__ import annotations

import re
from typing import Any

from curate.model.actions import Action
from curate.model.events import RawEvent
from curate.model.render import render
from curate.model.trajectory import Screen
from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch

TICK, HOLD, BETWEEN = 0.01, 0.06, 0.09
_BUTTONS = {"L": "left", "R": "right", "M": "middle", "X1": "x1", "X2": "x2"}
_PLACE = re.compile(r"-?[\d.]+,-?[\d.]+")
_CONTROL = {"pause", "resume", "screen", "window", "redaction", "end"}


class Person:
    """Collects the events. `typed`: whether the recorder knows what keys type (then `text` is filled in)."""

    def __init__(self, start: float = 100.0) -> None:
        self.events: list[RawEvent] = []
        self.time = start
        self.at = (0.0, 0.0)

    def event(self, kind: Any, after: float = TICK, **fields: Any) -> None:
        self.time = round(self.time + after, 6)
        self.events.append(RawEvent(index=len(self.events), time=self.time, kind=kind, **fields))

    def move(self, x: float, y: float) -> None:
        self.at = (x, y)
        self.event("move", x=x, y=y)

    def button(self, name: str, pressed: bool, after: float = TICK) -> None:
        self.event("button", after, x=self.at[0], y=self.at[1], button=name, pressed=pressed)

    def key(self, name: str, pressed: bool, after: float = TICK, **fields: Any) -> None:
        self.event("key", after, key=name, pressed=pressed, **fields)

    def tap(self, name: str, after: float = TICK) -> None:
        self.key(name, True, after)
        self.key(name, False, HOLD)

    def do(self, token: str) -> None:
        """One word of a script (␠: a space within a name)."""
        token = token.replace("␠", " ")
        if token in _CONTROL:
            screen = Screen(width=800, height=600) if token == "screen" else None
            self.event(token, screen=screen)
        elif token.startswith('"'):
            for i, char in enumerate(token[1:-1]):
                self.tap("space" if char == "␣" else char, BETWEEN if i else TICK)
        elif token[0] == "~":
            self.time += float(token[1:])
        elif token[0] == "*" and len(token) > 1:
            self.tap(token[1:])
        elif _PLACE.fullmatch(token):
            x, y = map(float, token.split(","))
            self.move(x, y)
        elif token[0] in "+-" and len(token) > 1:
            self.key(token[1:], token[0] == "+")
        elif token[0] == "w":
            dx, dy = map(float, token[1:].split(","))
            self.event("scroll", x=self.at[0], y=self.at[1], dx=dx, dy=dy)
        elif token.rstrip("+-") in _BUTTONS:
            name = _BUTTONS[token.rstrip("+-")]
            if token[-1] != "-":
                self.button(name, True)
            if token[-1] != "+":
                self.button(name, False, HOLD if token[-1] != "-" else TICK)
        else:
            raise ValueError(f"no such word in a script: {token!r}")


def script(text: str) -> list[RawEvent]:
    """The raw events of a script."""
    person = Person()
    for token in text.split(" "):  # not split(): control characters are keys here
        if token:
            person.do(token)
    return person.events


def reduce_all(events: list[RawEvent], **options: Any) -> tuple[list[ReducedStep], list[Stretch]]:
    """Steps without the terminate at the end, and stretches."""
    items = list(reduce_events(events, ReduceOptions(**options)))
    steps = [item for item in items if isinstance(item, ReducedStep)]
    if events:
        assert steps.pop().rule == "terminate"
    return steps, [item for item in items if isinstance(item, Stretch)]


def lines(steps: list[ReducedStep]) -> list[str]:
    """The steps' code in whole pixels without the `pyautogui.`, as the conformance sequences write it."""
    code: list[str] = []
    for step in steps:
        code += _lines(step.actions)
    return code


def _lines(actions: list[Action]) -> list[str]:
    code = [line.removeprefix("pyautogui.") for line in render(actions).splitlines()]
    return [re.sub(r"([xy]=-?\d+)\.0\b", r"\1", line) for line in code]


def accounted(steps: list[ReducedStep], stretches: list[Stretch]) -> list[int]:
    """Every raw index the reducer accounts for, in order, with repetitions if there are any."""
    found = [index for step in steps for index in step.events]
    for stretch in stretches:
        found += range(stretch.first, stretch.last + 1)
    return sorted(found)
