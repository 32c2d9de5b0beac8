"""After a pause nothing is known of the keyboard: what is done then reduces as in a recording that begins there."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.events import RawEvent
from tests.reduce.person import Person, accounted, lines, reduce_all

CHORDS: dict[str, Any] = {
    "stop_chord": ("ctrl", "alt", "end"),
    "control_chords": (("ctrl", "alt", "home"), ("ctrl", "alt", "page_up"), ("ctrl", "alt", "shift", "end")),
}
WORK = [
    "+ctrl_l *a -ctrl_l", "+ctrl_l *c -ctrl_l", "+ctrl_l *end -ctrl_l", '"ab"', "*a", "*b", "+shift *x -shift",
    "*enter", "100,100 L", "200,150 L L", "50,60 w0,-1", "*home", "+alt_l *tab -alt_l",
    "+ctrl_l +alt_l *t -alt_l -ctrl_l", "+ctrl_r *v -ctrl_r",
]  # fmt: skip
PRIVATE = [
    "+ctrl_l +alt_l +page_up redaction -page_up -alt_l -ctrl_l ~3 redaction",
    "+ctrl_l +alt_l +page_up redaction -ctrl_l -page_up -alt_l ~3 redaction",
]
HELD = ["+shift", "+ctrl_l", "+alt_gr", "+w", "+cmd", "*caps_lock", "+ctrl_l +c", "+home", "+page_up"]
LETTERS = {"shift": 50, "ctrl_l": 37, "alt_l": 64, "ctrl_r": 105, "alt_gr": 108, "cmd": 133, "home": 110, "end": 115}
PAUSE = "+ctrl_l +alt_l +home pause ~5 resume".split()
LATE = st.lists(st.sampled_from(["-home", "-alt_l", "-ctrl_l"]), unique=True)


def told(words: list[str], codes: bool) -> list[RawEvent]:
    """The events of the words, half a second apart. `codes`: from a recorder that knows keys and repeats."""
    person = Person()
    for word in " ".join(words).split():
        person.do(word)
    if not codes:
        return person.events
    return [event if event.kind != "key" else _known(event) for event in person.events]


def _known(event: RawEvent) -> RawEvent:
    key = str(event.key)
    code = LETTERS.get(key, ord(key) if len(key) == 1 else 200 + sum(map(ord, key)) % 50)
    return msgspec.structs.replace(event, code=code, repeat=False if event.pressed else None)


def done(words: list[str], codes: bool) -> list[str]:
    events = told(words, codes)
    steps, stretches = reduce_all(events, **CHORDS)
    assert accounted(steps, stretches) == [event.index for event in events]
    return lines(steps)


@pytest.mark.parametrize("codes", [False, True])
def test_the_shortcut_after_a_pause_is_a_step_and_the_stop_keys_are_none(codes: bool) -> None:
    before = ['"hello"', *PAUSE, "~1"]
    after = ["+ctrl_l *a -ctrl_l +ctrl_l *c -ctrl_l +ctrl_l *end -ctrl_l", '"x"', "~1 +ctrl_l +alt_l +end -end"]
    assert done([*before, *after], codes) == [
        "write(message='hello')", "hotkey('ctrl', 'a')", "hotkey('ctrl', 'c')", "hotkey('ctrl', 'end')",
        "write(message='x')",
    ]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    before=st.lists(st.sampled_from([*WORK, *PRIVATE]), max_size=3),
    held=st.sampled_from(["", *HELD]),
    late=LATE,
    after=st.lists(st.sampled_from([*WORK, *PRIVATE, " ".join(PAUSE)]), max_size=4),
    stops=st.sampled_from(["", "~1 +ctrl_l +alt_l +end", "~1 +ctrl_l +alt_l +end -alt_l -end -ctrl_l"]),
    codes=st.booleans(),
)
def test_what_is_done_after_a_pause_is_reduced_as_in_a_new_recording(
    before: list[str], held: str, late: list[str], after: list[str], stops: str, codes: bool
) -> None:
    first = [*before, "~1", held, *PAUSE]
    rest = ["~1", *after, stops]
    assert done([*first, *late, *rest], codes) == done(first, codes) + done([*late, *rest], codes)


@settings(max_examples=60, deadline=None)
@given(
    before=st.lists(st.sampled_from(WORK), max_size=3), chord=st.sampled_from([*PRIVATE, " ".join(PAUSE)]),
    after=st.lists(st.sampled_from(WORK), max_size=3), codes=st.booleans(),
)  # fmt: skip
def test_a_recording_stopped_out_of_sight_ends_with_what_was_seen(
    before: list[str], chord: str, after: list[str], codes: bool
) -> None:
    hidden = chord.rpartition(" ~")[0]  # the hole lasts until the end: no input in it, the stop keys neither
    assert done([*before, "~1", hidden, "end"], codes) == done(before, codes)
    whole = done([*before, "~1", chord, "~1", *after, "~1 +ctrl_l +alt_l +end"], codes)
    assert whole == done(before, codes) + done(after, codes)
