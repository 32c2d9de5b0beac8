"""Dead keys by X11's names, as our recorder writes them: what the next letter becomes."""

from __future__ import annotations

import pytest

from curate.model.actions import Write
from curate.model.events import RawEvent
from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions


@pytest.mark.parametrize(
    ("name", "letter", "text"),
    [
        ("dead_acute", "e", "é"), ("dead_tilde", "n", "ñ"), ("dead_perispomeni", "n", "ñ"), ("dead_grave", "a", "à"),
        ("dead_diaeresis", "i", "ï"), ("dead_cedilla", "c", "ç"), ("dead_abovering", "a", "å"),
        ("dead_ogonek", "a", "ą"), ("dead_caron", "s", "š"), ("dead_belowdot", "a", "ạ"), ("dead_hook", "o", "ỏ"),
        ("dead_horn", "u", "ư"),
    ],
)  # fmt: skip
def test_a_dead_key_sits_on_the_letter_after_it(name: str, letter: str, text: str) -> None:
    events = [
        RawEvent(
            index=i, time=i / 10, kind="key", key=key, code=code, pressed=down, dead=dead,
            text=("" if dead else key) if down else None,
        )
        for i, (key, code, down, dead) in enumerate(
            [(name, 48, True, True), (name, 48, False, True), (letter, 30, True, False), (letter, 30, False, False)]
        )
    ]  # fmt: skip
    steps = [item for item in reduce_events(events, ReduceOptions(platform="linux")) if isinstance(item, ReducedStep)]
    assert steps[0].actions == [Write(text)]
