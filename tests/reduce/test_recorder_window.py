"""The recorder itself in a recording: its shortcuts, its window, and the ways there are no actions; all else is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from tests.reduce.person import Person, accounted, lines, reduce_all, script

PAUSE, PRIVATE = ("ctrl", "alt", "home"), ("ctrl", "alt", "page_up")
OPTIONS = {"stop_chord": ("ctrl", "alt", "end"), "control_chords": (PAUSE, PRIVATE)}


@dataclass
class Story:
    """A script with windows: `[own]` and `[app]` come to the front."""

    text: str
    person: Person = field(default_factory=Person)

    def events(self) -> list[Any]:
        for token in self.text.split():
            if token in ("[own]", "[app]", "[none]"):
                title = None if token == "[none]" else token
                self.person.event("window", app=title and token.strip("[]"), title=title, own=token == "[own]")
            else:
                self.person.do(token)
        return self.person.events


def reduced(text: str, **options: Any) -> tuple[list[str], dict[str, int]]:
    """Lines of code, and how many input events went to each of the recorder's reasons."""
    events = Story(text).events()
    steps, stretches = reduce_all(events, **{**OPTIONS, **options})
    assert accounted(steps, stretches) == [event.index for event in events]
    counts: dict[str, int] = {}
    for stretch in stretches:
        counts[stretch.reason or ""] = counts.get(stretch.reason or "", 0) + stretch.last - stretch.first + 1
    return lines(steps), {reason.removeprefix("reduce."): count for reason, count in counts.items()}


@pytest.mark.parametrize(
    ("text", "code", "taken"),
    [
        ("100,100 L +ctrl_l +alt_l +home -home -alt_l -ctrl_l pause resume ~1 200,200 L",
         ["click(x=100, y=100)", "click(x=200, y=200)"], 6),
        ("100,100 L +ctrl_l +alt_l +home pause resume -home -alt_l -ctrl_l ~1 200,200 L",
         ["click(x=100, y=100)", "click(x=200, y=200)"], 6),
        ('"ab" +alt_gr +ctrl_r *page_up redaction redaction -ctrl_r -alt_gr "cd"',
         ["write(message='ab')", "write(message='cd')"], 6),
        ('"a" +ctrl_l ~0.4 +ctrl_l +alt_l ~0.4 +home +home +home -home -ctrl_l -alt_l "b"', ["write(message='ab')"], 9),
        ("+ctrl_l *c +alt_l *home -alt_l -ctrl_l *x", ["hotkey('ctrl', 'c')", "write(message='x')"], 4),
        ("+ctrl_l +alt_l *home *page_up -alt_l -ctrl_l *x", ["write(message='x')"], 8),
        ("+ctrl_l +alt_l *delete -alt_l -ctrl_l", ["hotkey('ctrl', 'alt', 'delete')"], 0),
        ("+ctrl_l +alt_l +shift *home -shift -alt_l -ctrl_l", ["hotkey('ctrl', 'alt', 'shift', 'home')"], 0),
        ("*home +ctrl_l *home -ctrl_l", ["press('home')", "hotkey('ctrl', 'home')"], 0),
        ("+ctrl_l 100,100 L 150,150 L -ctrl_l", None, 0),
    ],
)  # fmt: skip
def test_shortcuts_of_the_recorder_are_no_actions(text: str, code: list[str] | None, taken: int) -> None:
    done, reasons = reduced(text)
    assert done == (code if code is not None else reduced(text, control_chords=())[0])
    assert reasons.get("control_chord", 0) == taken


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # the walk back: by keys, by the task bar, and what is done there
        ("[app] 100,100 L ~2 +alt_l *tab [own] -alt_l ~1 +ctrl_l *c", ["click(x=100, y=100)"]),
        ("[app] 100,100 L ~2 +alt_l +tab [own] -tab -alt_l +ctrl_l *c", ["click(x=100, y=100)"]),
        ("[app] 100,100 L ~2 +alt_l *tab ~1 *tab ~1 *tab -alt_l [own] ~1 *q", ["click(x=100, y=100)"]),
        ("[app] 100,100 L ~2 200,300 300,400 400,590 L [own] 300,300 L *q", ["click(x=100, y=100)"]),
        ("[app] 100,100 L ~2 200,300 ~0.2 400,590 L+ [own] L- *enter", ["click(x=100, y=100)"]),
        ("[app] 100,100 L ~2 +cmd *2 -cmd [own] *q", ["click(x=100, y=100)"]),
        # a visit in between, and the way back to the task
        ('[app] "ab" ~1 +alt_l *tab -alt_l [own] ~2 +alt_l *tab [app] -alt_l ~0.2 "cd"',
         ["write(message='ab')", "write(message='cd')"]),
        ("[app] *a +alt_l *tab -alt_l [own] 90,90 ~1 50,50 L+ [app] L- 60,60 L",
         ["write(message='a')", "click(x=60, y=60)"]),
        # before the first other window
        ("[own] *enter 50,50 L [app] 100,100 L", ["click(x=100, y=100)"]),
        ("50,50 *x [own] *enter [none] 100,100 L", ["click(x=100, y=100)"]),
        # what is an act although the recorder's window came after it
        ("[app] 100,100 L ~1 +ctrl_l *w -ctrl_l [own] *q", ["click(x=100, y=100)", "hotkey('ctrl', 'w')"]),
        ("[app] 100,100 L ~1 +alt_l *f4 -alt_l [own] *q", ["click(x=100, y=100)", "hotkey('alt', 'f4')"]),
        ("[app] 100,100 L ~5 [own] *q", ["click(x=100, y=100)"]),
        # switching between other windows is an act
        ("[app] +alt_l *tab -alt_l [app] 100,100 L", ["hotkey('alt', 'tab')", "click(x=100, y=100)"]),
    ],
)  # fmt: skip
def test_the_recorders_window_is_in_no_action(text: str, code: list[str]) -> None:
    assert reduced(text)[0] == code


def test_the_run_ends_before_the_walk_back() -> None:
    events = Story("[app] 100,100 L ~2 200,300 300,400 400,590 L [own] ~1 +ctrl_l *c end").events()
    items = list(reduce_events(events, ReduceOptions(**OPTIONS)))
    last = [item for item in items if isinstance(item, ReducedStep)][-1]
    assert last.rule == "terminate"
    assert last.start == next(e.time for e in events if e.x == 200.0)
    reasons = {s.reason for s in items if isinstance(s, Stretch)}
    assert "reduce.recorder_window" in reasons


@pytest.mark.parametrize(
    ("text", "detail", "code"),
    [
        ("100,100 L ~1 +ctrl_l *c -ctrl_l 5,5 ~0.5", "interrupt", ["click(x=100, y=100)"]),
        ("100,100 L ~1 +ctrl_l +c ~0.5", "interrupt", ["click(x=100, y=100)"]),
        ("100,100 L ~1 +ctrl_l *c -ctrl_l ~9", "interrupt", ["click(x=100, y=100)", "hotkey('ctrl', 'c')"]),
        ("100,100 L ~1 +ctrl_l *c -ctrl_l", "seconds", ["click(x=100, y=100)", "hotkey('ctrl', 'c')"]),
        ("100,100 L ~1 +ctrl_l *c -ctrl_l 7,7 L", "interrupt",
         ["click(x=100, y=100)", "hotkey('ctrl', 'c')", "click(x=7, y=7)"]),
    ],
)  # fmt: skip
def test_ctrl_c_that_ended_it_is_no_action(text: str, detail: str, code: list[str]) -> None:
    story = Story(text)
    story.events()
    story.person.event("end", detail=detail)
    steps, stretches = reduce_all(story.person.events, **OPTIONS)
    assert lines(steps) == code
    assert accounted(steps, stretches) == [event.index for event in story.person.events]


TOKENS = ["+ctrl_l", "-ctrl_l", "+alt_l", "-alt_l", "*home", "*tab", "*a", "L", "L+", "L-", "100,100", "300,50",
          "[own]", "[app]", "[none]", "pause", "resume", "~0.3", "~2", "~7", "w0,-1", "*page_up",
          "+home", "-home"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_whatever_happens_every_event_is_accounted_for_and_nothing_of_the_own_window_acts(tokens: list[str]) -> None:
    events = Story(" ".join(tokens)).events()
    steps, stretches = reduce_all(events, **OPTIONS)
    assert accounted(steps, stretches) == [event.index for event in events]
    own, mine = False, set()
    for event in events:
        own = event.own if event.kind == "window" else own
        if own and event.kind in ("move", "button", "scroll", "key"):
            mine.add(event.index)
    assert not mine & {index for step in steps for index in step.events}


def test_without_own_windows_and_chords_nothing_changes() -> None:
    text = '[app] "ab" 100,100 L 200,200 L+ 300,300 L- w0,-1 +ctrl_l *c -ctrl_l +alt_l *tab -alt_l [app] *enter'
    plain = script(text.replace("[app] ", "window "))
    told = Story(text).events()
    assert lines(reduce_all(plain)[0]) == lines(reduce_all(told, **OPTIONS)[0])
