"""What holds for any events at all: nothing is lost or counted twice, steps are in order, nothing raises; and the
cost: one pass, memory that does not grow with the recording."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.events import RawEvent
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.model.render import code_of
from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from tests.reduce.person import accounted

KEYS = [
    "a", "A", "e", "é", "ê", "^", "´", "space", " ", "1", "!", "@", "enter", "tab", "esc", "backspace", "delete",
    "left", "f4", "shift", "shift_r", "ctrl_l", "ctrl_r", "alt_l", "alt_r", "alt_gr", "cmd", "caps_lock", "num_lock",
    "$Unknown (255)$", "<65457>", "<65032>", "\x03", "\x01", "\r", "\x7f", "T", "t", "r", "😀", "\ud83d", "\ude00",
    "dead_acute", "multi_key", "unknown", "Entrée", "Key.space", "\u0301", "", None,
]  # fmt: skip
BUTTONS = ["left", "left", "left", "right", "middle", "x1", "Button.left", "", None]
PLACES = st.sampled_from([0.0, 3.0, 5.0, 100.0, 104.0, 300.0, -64.0, math.nan, None])
GAPS = st.sampled_from([0.0, 0.001, 0.01, 0.01, 0.05, 0.1, 0.3, 0.6, 2.0, 5.0, 30.0, 130.0, -0.05, -0.2, -3.0])


@st.composite
def any_event(draw: Any) -> dict[str, Any]:
    kind = draw(
        st.sampled_from(["move"] * 3 + ["button"] * 4 + ["key"] * 6 + ["scroll"] * 2)
        | st.sampled_from(["pause", "resume", "screen", "window", "pointer", "redaction", "end", "unknown"])
    )
    fields: dict[str, Any] = {"kind": kind}
    if kind in ("move", "button", "scroll"):
        fields |= {"x": draw(PLACES), "y": draw(PLACES)}
    if kind == "button":
        fields |= {"button": draw(st.sampled_from(BUTTONS)), "pressed": draw(st.sampled_from([True, False, None]))}
    if kind == "scroll":
        turn = st.sampled_from([-1.0, 0.0, 0.0, 1.0, 0.25, math.inf])
        fields |= {"dx": draw(turn), "dy": draw(turn)}
    if kind == "key":
        fields |= {
            "key": draw(st.sampled_from(KEYS)),
            "pressed": draw(st.sampled_from([True, True, False, False, None])),
            "code": draw(st.sampled_from([None, None, 24, 65, 84])),
            "text": draw(st.sampled_from([None, None, None, "", "a", "é", "\x03", "\r"])),
            "dead": draw(st.sampled_from([False, False, False, True])),
            "repeat": draw(st.sampled_from([None, None, True, False])),
        }
    return fields


@st.composite
def any_events(draw: Any) -> list[RawEvent]:
    time, index = 100.0, 0
    events = []
    for fields in draw(st.lists(any_event(), max_size=60)):
        gap = draw(GAPS)
        time += gap
        index += draw(st.sampled_from([1, 1, 1, 1, 2]))  # unreadable rows leave gaps
        events.append(RawEvent(index=index, time=draw(st.sampled_from([time] * 9 + [math.nan])), **fields))
    return events


OPTIONS = [
    ReduceOptions(),
    ReduceOptions(start_chord=("ctrl", "alt", "r"), stop_chord=("ctrl", "alt", "t"), status="failure"),
    ReduceOptions(platform="macos", stop_chord=("command", "t")),
    ReduceOptions(platform="linux"),
]


@settings(max_examples=600, deadline=None)
@given(events=any_events(), options=st.sampled_from(OPTIONS))
def test_any_events(events: list[RawEvent], options: ReduceOptions) -> None:
    items = list(reduce_events(events, options))
    steps = [item for item in items if isinstance(item, ReducedStep)]
    stretches = [item for item in items if isinstance(item, Stretch)]
    assert accounted(steps, stretches) == [event.index for event in events]
    assert all(REASONS[stretch.reason or ""] for stretch in stretches)
    assert all(flag in FLAGS for step in steps for flag in step.flags)
    for step in steps:
        assert step.events == sorted(step.events)
        assert step.start <= step.end
        code = code_of(step.actions) or ""
        code.encode()  # text without half characters
        assert step.actions or {"unsupported_button", "unknown_key"} & set(step.flags)
    readable = any(math.isfinite(event.time) and event.kind != "unknown" for event in events)
    if steps:
        assert steps[-1].rule == "terminate"
        assert readable
    if all(a.time <= b.time for a, b in pairwise(events)):
        assert [step.start for step in steps] == sorted(step.start for step in steps)


@settings(max_examples=200, deadline=None)
@given(events=any_events())
def test_same_events_same_steps(events: list[RawEvent]) -> None:
    assert list(reduce_events(events, OPTIONS[1])) == list(reduce_events(iter(events), OPTIONS[1]))


def long_recording(count: int) -> Iterator[RawEvent]:
    """`count` events of a person who moves, clicks, types with shift and scrolls, over and over."""
    index = 0
    while True:
        for place in range(60):
            yield RawEvent(index=index, time=index * 0.01, kind="move", x=float(place), y=float(index % 700))
            index += 1
        row: list[dict[str, Any]] = [
            {"kind": "button", "button": "left", "pressed": True, "x": 9.0, "y": 9.0},
            {"kind": "button", "button": "left", "pressed": False, "x": 9.0, "y": 9.0},
            {"kind": "key", "key": "shift", "pressed": True},
            {"kind": "key", "key": "A", "pressed": True},
            {"kind": "key", "key": "A", "pressed": False},
            {"kind": "key", "key": "shift", "pressed": False},
            {"kind": "scroll", "dy": -1.0, "x": 9.0, "y": 9.0},
            {"kind": "key", "key": "esc", "pressed": True},
            {"kind": "key", "key": "esc", "pressed": False},
        ]
        for fields in row:
            yield RawEvent(index=index, time=index * 0.01, **fields)
            index += 1
        if index >= count:
            return


def test_streams_in_bounded_memory() -> None:
    """200,000 events: each is read once, and what is held does not grow (a list of them would take 40 MB)."""
    read = 0

    def watched() -> Iterator[RawEvent]:
        nonlocal read
        for event in long_recording(200_000):
            read += 1
            yield event

    tracemalloc.start()
    seen = steps = 0
    furthest = 0
    peaks = []
    for item in reduce_events(watched(), ReduceOptions()):
        if isinstance(item, ReducedStep):
            steps += 1
            seen += len(item.events)
            if item.events:
                furthest = max(furthest, read - item.events[-1])
        else:
            seen += item.last - item.first + 1
        if steps % 2000 == 0:
            peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert seen == read >= 200_000
    assert furthest < 1000  # a step is handed on within ten seconds of its last event
    assert peaks[-1] < 4_000_000
    assert peaks[-1] < peaks[len(peaks) // 4] * 1.5 + 100_000  # CPython keeps up to 2,000 freed tuples of 48 bytes


def test_a_lost_release_holds_back_a_minute_at_most() -> None:
    """Ctrl goes down and never up: the wait for its release is bounded by time, and the rest streams on."""
    read = 0

    def events() -> Iterator[RawEvent]:
        nonlocal read
        yield RawEvent(index=0, time=0.0, kind="key", key="ctrl_l", pressed=True)
        for index in range(1, 20_000):
            read = index
            pressed = index % 2 == 1
            yield RawEvent(index=index, time=index * 0.05, kind="key", key="esc", pressed=pressed)

    first = next(item for item in reduce_events(events(), ReduceOptions()) if isinstance(item, ReducedStep))
    assert first.events
    assert read * 0.05 < 70


def _unreleased(kind: str, count: int) -> Iterator[RawEvent]:
    for index in range(count):
        fields: dict[str, Any] = {"kind": "key", "key": chr(0x4E00 + index % 20_000)}
        if kind == "buttons":
            fields = {"kind": "button", "button": f"button{index}", "x": 1.0, "y": 1.0}
        yield RawEvent(index=index, time=index * 0.001, pressed=True, **fields)


@pytest.mark.parametrize("kind", ["keys", "buttons"])
def test_presses_without_any_release_take_linear_time(kind: str) -> None:
    """20,000 presses of as many keys or buttons: a second's work; with a look at all that are down, minutes."""
    begun = time.process_time()
    items = list(reduce_events(_unreleased(kind, 20_000), ReduceOptions()))
    assert time.process_time() - begun < 10
    steps = [item for item in items if isinstance(item, ReducedStep)]
    assert accounted(steps, [item for item in items if isinstance(item, Stretch)]) == list(range(20_000))
