"""Rows as AgentNetTool and DuckTrack write them: real ones, and everything a hand-made or broken file may hold."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.events import RawEvent
from curate.sources.parts.agentnettool_rows import event_of_row, read_events


def key(**row: Any) -> RawEvent:
    return event_of_row({"time_stamp": 1.0, "action": "press", **row}, 7)


def test_every_kind() -> None:
    move = event_of_row({"time_stamp": 30679.83, "action": "move", "x": 961, "y": 606, "event_idx": 0}, 0)
    assert move == RawEvent(index=0, time=30679.83, kind="move", x=961.0, y=606.0)
    click = {"time_stamp": 2, "action": "click", "x": 1, "y": 2, "button": "right", "pressed": False}
    assert event_of_row(click, 3) == RawEvent(
        index=3, time=2.0, kind="button", x=1.0, y=2.0, button="right", pressed=False
    )
    wheel = event_of_row({"time_stamp": 2, "action": "scroll", "x": 1, "y": 2, "dx": 0, "dy": -1}, 4)
    assert (wheel.kind, wheel.dx, wheel.dy) == ("scroll", 0.0, -1.0)
    assert event_of_row({"time_stamp": 2, "action": "pause"}, 5).kind == "pause"
    assert event_of_row({"time_stamp": 2, "action": "release", "name": "a"}, 5).pressed is False


@pytest.mark.parametrize(
    ("row", "name", "code", "dead"),
    [
        ({"name": "ctrl_l", "pynput_key": "Key.ctrl_l"}, "ctrl_l", None, False),
        ({"name": "T", "pynput_key": "<84>"}, "T", 84, False),
        ({"name": "C", "pynput_key": repr("\x03")}, "\x03", None, False),
        ({"name": "I", "pynput_key": repr("\t")}, "\t", None, False),
        ({"name": "a", "pynput_key": "'a'"}, "a", None, False),
        ({"name": "[", "pynput_key": "'['"}, "[", None, False),
        ({"name": "\\", "pynput_key": repr("\\")}, "\\", None, False),
        ({"name": "'", "pynput_key": repr("'")}, "'", None, False),
        ({"name": "^", "pynput_key": "['^']"}, "^", None, True),
        ({"name": "$Unknown (255)$", "pynput_key": "<255>"}, "$Unknown (255)$", 255, False),
        ({"pynput_key": "'q'"}, "q", None, False),
        ({"name": 7}, None, None, False),
    ],
)
def test_keys(row: dict[str, Any], name: str | None, code: int | None, dead: bool) -> None:
    event = key(**row)
    assert (event.key, event.code, event.dead, event.index) == (name, code, dead, 7)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2),
)


@given(
    st.dictionaries(
        st.sampled_from(["time_stamp", "action", "x", "y", "dx", "dy", "button", "pressed", "name", "pynput_key"]),
        JSON | st.sampled_from(["move", "click", "scroll", "press", "release"]),
    )
)
def test_any_row_gives_an_event(row: dict[str, Any]) -> None:
    event = event_of_row(row, 3)
    assert event.index == 3
    assert math.isfinite(event.time) or event.kind == "unknown"
    assert isinstance(event.key, str | None) and isinstance(event.button, str | None)


def test_broken_lines_are_told_and_leave_gaps(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_bytes(
        b'{"time_stamp": 1.0, "action": "move", "x": 1, "y": 1}\n'
        b"{oops\n"
        b'{"action": "move", "x": 1, "y": 1}\n'
        b"[1, 2]\n"
        b'{"time_stamp": 2.0, "action": "dance"}\n'
        b'{"time_stamp": 3.0, "action": "press", "name": "\\ud83d"}\n'
        b'{"time_stamp": 4.0, "action": "move", "x": 1'
    )
    unreadable: list[tuple[int, str]] = [(99, "from an earlier pass")]
    events = list(read_events(file, unreadable))
    assert [(event.index, event.kind) for event in events] == [(0, "move"), (4, "unknown"), (5, "key")]
    assert events[2].key == "\ud83d"
    assert [line for line, _ in unreadable] == [2, 3, 4, 7]
