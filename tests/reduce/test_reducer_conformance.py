"""The reducer on what others recorded: 64 sequences with what is right, and a real Windows recording."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from curate.model.render import render
from curate.reduce.events.reducer import reduce_events
from curate.reduce.review import apply_review
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from curate.sources.parts.agentnettool_rows import event_of_row, read_events
from tests.reduce.person import accounted

STOP = ("ctrl", "alt", "t")
START = ("ctrl", "alt", "r")
# Sequences without one certain answer where ours is another one; docs/reducer.md says why.
OTHER_CHOICES = {
    "x1_back_button": [],
    "x2_forward_button": [],
    "long_press_1.5s": [("click", 100, 100)],
    "hold_backspace": [],
    "idle_20s": [("click", 100, 100)],
}


def flat(code: list[str]) -> list[tuple[Any, ...]]:
    """Code as tuples in which spellings that do the same are the same: joined writes, single presses, one pair of
    keyDown and keyUp around neighbours, a scroll's place named once."""
    out: list[tuple[Any, ...]] = []
    place: tuple[float, float] | None = None
    for line in code:
        call = ast.parse(line, mode="eval").body
        assert isinstance(call, ast.Call)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        args = [ast.literal_eval(a) for a in call.args]
        named = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
        if "x" in named:
            here = (round(named["x"]), round(named["y"]))
            again = (
                out
                and "scroll" in out[-1][0]
                and place
                and max(abs(a - b) for a, b in zip(place, here, strict=True)) <= 10
            )
            if name == "moveTo" and again:
                continue
            place = here
            out.append((name, *here, *([named["button"]] if "button" in named else [])))
        elif name == "write":
            text = named.get("message", args[0] if args else "")
            out.append((name, out.pop()[1] + text if out and out[-1][0] == "write" else text))
        elif name == "press":
            out += [(name, args[0] if args else named["key"])] * named.get("presses", 1)
        elif name == "keyDown" and out and out[-1] == ("keyUp", *args):
            out.pop()
        elif name != "terminate":
            out.append((name, *args))
    return out


def code(steps: list[ReducedStep]) -> list[str]:
    return [line for step in steps for line in render(step.actions).splitlines()]


def sequences(shared: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (shared / "data/reducer/sequences.jsonl").read_text("utf-8").splitlines()]


def test_the_64_sequences(shared: Path) -> None:
    right, choices = [], {}
    for row in sequences(shared):
        events = [event_of_row(raw, index) for index, raw in enumerate(row["events"])]
        items = list(reduce_events(events, ReduceOptions(stop_chord=STOP)))
        steps = [item for item in items if isinstance(item, ReducedStep)]
        stretches = [item for item in items if isinstance(item, Stretch)]
        assert accounted(steps, stretches) == list(range(len(events))), row["name"]
        got = flat(code(steps))
        for key, end in (("sentinel_first_click", 0), ("sentinel_last_click", -1)):
            if row[key] and got and got[end] == ("click", *row[key]):
                got.pop(end)
        if got == flat(row["expected"]):
            right.append(row["name"])
        else:
            assert not row["certain"], (row["name"], got)
            choices[row["name"]] = got
    assert len(right) + len(choices) == 64
    assert choices == OTHER_CHOICES


def reduced(shared: Path) -> list[ReducedStep | Stretch]:
    unreadable: list[tuple[int, str]] = []
    events = read_events(shared / "data/agentnet-recording/events.jsonl", unreadable)
    options = ReduceOptions(start_chord=START, stop_chord=STOP, platform="windows")
    items = list(reduce_events(events, options))
    assert unreadable == []
    return items


def test_real_recording(shared: Path) -> None:
    """Counted and read off by hand from its events."""
    items = reduced(shared)
    steps = [item for item in items if isinstance(item, ReducedStep)]
    stretches = [item for item in items if isinstance(item, Stretch)]
    assert accounted(steps, stretches) == list(range(4099))
    expected = """click 1328 745;rightClick 1305 393;click 1268 406;moveTo 621 206;dragTo 561 213 left;click 360 256;
        moveTo 541 602;scroll -3;click 562 277;click 544 316;click 732 563;click 640 176;click 1039 556;click 846 782;
        click 827 843;click 835 872;click 435 790;click 436 708;click 1056 566;click 773 785;click 773 785;
        moveTo 1212 756;scroll -6;click 218 636;click 756 306;click 697 680;moveTo 1084 779;scroll -6;scroll 4"""
    wanted = [" ".join(part.split()) for part in expected.replace("\n", "").split(";")]
    assert [" ".join(map(str, action)) for action in flat(code(steps))] == wanted
    assert len(steps) == 26
    assert render(steps[-1].actions) == "computer.terminate()"
    assert {s.reason for s in stretches} == {"reduce.pointer_motion", "reduce.stop_chord"}
    assert sum(s.last - s.first + 1 for s in stretches if s.reason == "reduce.stop_chord") == 4


def test_real_recording_with_its_review(shared: Path) -> None:
    """The published actions of the same recording, its automatic success apart."""
    kept = {
        json.loads(line)["event_start_idx"]
        for line in (shared / "data/agentnet-recording/reduced_events_complete.jsonl").read_text("utf-8").splitlines()
    }
    items = list(apply_review(reduced(shared), kept))
    steps = [item for item in items if isinstance(item, ReducedStep)]
    stretches = [item for item in items if isinstance(item, Stretch)]
    assert accounted(steps, stretches) == list(range(4099))
    published = json.loads((shared / "data/sources/agentnet/gen_cot_raw_example.jsonl").read_text("utf-8"))
    want = [line for step in published["traj"] for line in step["value"]["code"].split("\n")][:-1]
    got = [re.sub(r"x=([\d.]+), y=([\d.]+)", _as_fractions, line) for line in code(steps)[:-1]]
    assert got == want
    assert len(steps) == 15
    assert "reduce.removed_by_annotator" in {s.reason for s in stretches}


def _as_fractions(found: re.Match[str]) -> str:
    return f"x={round(float(found[1]) / 1366, 4)}, y={round(float(found[2]) / 768, 4)}"


def sketch(events: list[Any], hold: bool = False) -> list[dict[str, Any]]:
    """The lesson's sketch form as raw rows, one press an event with its release right after; a modifier is held until
    the key or click it goes with is up (`hold`: to the end)."""
    rows: list[dict[str, Any]] = []
    x = y = 0.5
    time = 0.0
    held: str | None = None

    def row(**fields: Any) -> None:
        nonlocal time
        time = round(time + 0.05, 6)
        rows.append({"time_stamp": time, **fields})

    for kind, value in events:
        if kind == "move":
            x, y = value
            row(action="move", x=x * 1000, y=y * 1000)
        elif kind in ("down", "up"):
            button = value if isinstance(value, str) else "left"
            row(action="click", x=x * 1000, y=y * 1000, button=button, pressed=kind == "down")
            if kind == "up" and held:
                row(action="release", name=held)
                held = None
        elif kind == "wheel":
            row(action="scroll", x=x * 1000, y=y * 1000, dx=0, dy=value)
        elif value in ("ctrl", "shift"):
            held = value
            row(action="press", name=value)
        else:
            row(action="press", name=value)
            row(action="release", name=value)
            if held and not hold:
                row(action="release", name=held)
                held = None
    return rows + ([{"time_stamp": time + 0.05, "action": "release", "name": held}] if held else [])


VECTORS = {
    "reduce_toy_sketch": [
        "click 100 200",
        "click 300 300",
        "moveTo 400 500",
        "scroll -7",
        "click 420 610",
        "press f2",
        "hotkey ctrl a",
        "write final.txt",
        "press enter",
    ],
    "reduce_bug_drag": ["moveTo 100 100", "dragTo 500 500 left"],
    "reduce_bug_double_click": ["doubleClick 100 100"],
    "reduce_bug_right_click": ["rightClick 100 100"],
    "reduce_bug_shift_capital": ["write Hi"],
    "reduce_bug_held_ctrl_two_keys": ["hotkey ctrl c", "hotkey ctrl v"],
    "reduce_bug_apostrophe": ["write it's"],
    "reduce_bug_backslash": ["write C:\\n"],
    "reduce_bug_newline": ["write a", "press enter"],
    "reduce_bug_ctrl_click": ["keyDown ctrl", "click 200 200", "keyUp ctrl", "write a"],
    "reduce_bug_scroll_cancels": ["moveTo 500 500", "scroll -3", "scroll 3"],
    "reduce_bug_scroll_two_places": ["moveTo 200 200", "scroll -3", "moveTo 800 800", "scroll -2"],
    "reduce_bug_text_then_up_only": ["write ab"],
    "reduce_bug_backspace": ["write fona"],
    "reduce_bug_space_key": ["write hi yo"],
}


@pytest.mark.parametrize("name", sorted(VECTORS))
def test_where_the_lessons_sketch_is_wrong(shared: Path, name: str) -> None:
    """`should_be` of each vector in pixels of a 1000x1000 screen."""
    vectors = json.loads((shared / "vectors/seed_vectors.json").read_text("utf-8"))["vectors"]
    vector = next(v for v in vectors if v["id"] == name)
    rows = sketch(vector["inputs"]["events"], hold=name == "reduce_bug_held_ctrl_two_keys")
    items = reduce_events([event_of_row(row, i) for i, row in enumerate(rows)], ReduceOptions())
    steps = [item for item in items if isinstance(item, ReducedStep)]
    assert [" ".join(map(str, action)) for action in flat(code(steps))] == VECTORS[name]


def test_the_lessons_golden_example(shared: Path) -> None:
    """363 raw events become 8 actions."""
    vectors = json.loads((shared / "vectors/seed_vectors.json").read_text("utf-8"))["vectors"]
    vector = next(v for v in vectors if v["id"] == "reduce_toy_363")
    rows = [_toy_row(event) for event in vector["inputs"]["events"]]
    assert len(rows) == 363
    items = reduce_events([event_of_row(row, i) for i, row in enumerate(rows)], ReduceOptions())
    steps = [item for item in items if isinstance(item, ReducedStep)]
    assert [action[0] for action in flat(code(steps)) if action[0] != "moveTo"] == [
        "click", "click", "scroll", "click", "press", "hotkey", "write", "press",
    ]  # fmt: skip
    assert ("scroll", -7) in flat(code(steps))
    assert ("write", "final.txt") in flat(code(steps))


def _toy_row(event: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"time_stamp": event["t"], "x": event.get("x"), "y": event.get("y")}
    kind = event["type"]
    if kind == "move":
        return row | {"action": "move"}
    if kind.startswith("button"):
        return row | {"action": "click", "button": event.get("button", "left"), "pressed": kind.endswith("down")}
    if kind in ("wheel", "scroll"):
        return row | {"action": "scroll", "dx": event.get("dx", 0), "dy": event["dy"]}
    return row | {"action": "press" if kind.endswith("down") else "release", "name": event["key"]}
