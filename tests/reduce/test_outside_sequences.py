"""Sequences in the rows of AgentNetTool by someone who knew the contract and the recorders, but not the code: names,
numbers and control characters as pynput reports them on Windows, macOS and X11, broken rows, and every kind of
reduction the published chain gets wrong.

`open` ones have no one certain answer: `expected`, or one of `or`, is the documented choice.
"""

from __future__ import annotations

import ast
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.model.actions import DragTo, Hotkey, KeyDown, KeyUp, Press, Terminate
from curate.model.flags import FLAGS
from curate.model.keys import PYAUTOGUI_KEYS
from curate.model.parse import parse
from curate.model.reasons import REASONS
from curate.model.render import canonical, render
from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from curate.sources.agentnettool import shortcuts
from curate.sources.parts.agentnettool_rows import event_of_row
from tests.reduce.person import accounted
from tests.reduce.test_reducer_conformance import flat

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "outside_sequences.jsonl").read_text("utf-8").splitlines()
]
CLICKS = {"click", "double_click", "triple_click", "right_click", "middle_click"}


def reduced(case: dict[str, Any]) -> tuple[list[ReducedStep], list[Stretch]]:
    platform = case.get("platform")
    start, stop = shortcuts(platform) if case.get("chords") else (None, None)
    events = [event_of_row(row, index, platform) for index, row in enumerate(case["events"])]
    items = list(reduce_events(events, ReduceOptions(platform=platform, start_chord=start, stop_chord=stop)))
    return [i for i in items if isinstance(i, ReducedStep)], [i for i in items if isinstance(i, Stretch)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_actions(case: dict[str, Any]) -> None:
    steps, _ = reduced(case)
    *acting, last = steps
    assert last.actions == [Terminate(status=None)]
    code = [line for step in acting for line in render(step.actions).splitlines()]
    assert flat(code) in [flat(answer) for answer in (case["expected"], *case.get("or", []))]
    flags = {flag for step in steps for flag in step.flags}
    assert flags >= set(case.get("flags", []))
    assert flags.isdisjoint(case.get("no_flags", []))
    assert len(acting) == case.get("steps", len(acting))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_account(case: dict[str, Any]) -> None:
    """Every row once, clicks of presses and releases only, drags with their moves, times in order, known codes."""
    steps, stretches = reduced(case)
    rows = case["events"]
    assert accounted(steps, stretches) == list(range(len(rows)))
    assert {stretch.reason for stretch in stretches} <= set(REASONS)
    assert {flag for step in steps for flag in step.flags} <= set(FLAGS)
    for step in steps:
        kinds = {rows[index].get("action") for index in step.events}
        assert step.start <= step.end
        if step.rule in CLICKS:
            assert "move" not in kinds
        if isinstance(step.actions[-1] if step.actions else None, DragTo):
            buttons = [index for index in step.events if rows[index]["action"] == "click"]
            between = range(buttons[0], buttons[-1])
            assert all(index in step.events for index in between if rows[index]["action"] == "move")
    assert all(a.start <= b.start for a, b in itertools.pairwise(steps))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_code(case: dict[str, Any]) -> None:
    """What comes out is Python, reads back as what it was, and names keys as PyAutoGUI does."""
    width, height = case.get("screen", (1920, 1080))
    for step in reduced(case)[0]:
        actions: list[Any] = []
        for action in step.actions:
            if isinstance(action, Press | KeyDown | KeyUp):
                assert action.key in PYAUTOGUI_KEYS
            elif isinstance(action, Hotkey):
                assert set(action.keys) <= PYAUTOGUI_KEYS
            x, y = getattr(action, "x", None), getattr(action, "y", None)
            if x is not None and y is not None:
                place = {"x": min(max(x / width, 0), 1), "y": min(max(y / height, 0), 1)}
                actions.append(msgspec.structs.replace(action, **place))
            else:
                actions.append(action)
        code = render(actions)
        ast.parse(code)
        assert not actions or parse(code) == canonical(actions)


def test_names_are_told_apart() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES)
