"""The lints of whole runs, before any threshold: length, scrolls, loops, gaps, the missing end, coordinates, dates, and
what the screens said about captchas, logins and payments.

Nearly every run has none of the rare ones, and that is seen at once: by one look over the words of a batch, by counting
what could repeat, by comparing numbers. Only what is left is gone into step by step."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, get_args

from curate.model.actions import HScroll, Pointed, Scroll, Swipe, Terminate
from curate.model.trajectory import Step, Trajectory
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import loop_of, rough_key
from curate.stages.measures.risk_words import (
    LABELLED,
    SHOWN_KINDS,
    begins_to_write,
    first_writing,
    holds_piece,
    may_mention,
    may_write,
    mentions,
    run_text,
    shown_text,
)

Row = tuple[Any, ...]
_POINTED = frozenset(get_args(Pointed))


def measure_runs(records: Sequence[Trajectory]) -> list[Row]:
    """A row for each run, in the order of `stages.validate.MEASURES`."""
    said = may_mention([run_text(record) for record in records])
    rows = []
    for record, shows in zip(records, said, strict=True):
        measures, writing = _measures(record)
        rows.append((*measures, *(_first_shown(record) if shows else _NOTHING), writing))
    return rows


def _measures(record: Trajectory) -> tuple[Row, dict[str, Any] | None]:
    """What does not hang on words that a screen shows, and the first step that changes something for others."""
    steps = record.steps
    indices = [step.index for step in steps]
    glance = _glance(steps)
    loop = loop_of(steps, glance.rough)
    fault, order, gap = None if glance.sound else _bad_coordinate(record), None, None
    if indices != list(range(len(indices))):
        order, gap = _not_ascending(indices), _gap(indices)
    row = (
        record.id,
        len(steps),
        glance.scrolls,
        count_words(record.instruction),
        fault or order,
        "validate.coordinate_out_of_range" if fault else "validate.schema" if order else None,
        gap,
        indices[loop[0]] if loop else None,
        loop[1] if loop else None,
        bool(steps) and any(isinstance(action, Terminate) for action in steps[-1].actions),
        indices,
        next(iter(named_dates(record.instruction)), None),
    )
    return row, _found(*first_writing(steps)) if glance.may_write else None


class _Glance(NamedTuple):
    """What one look at each step of a run tells: how many scrolls, `rough_key` of each, whether every coordinate is
    plainly a fraction, and whether any step `may_write`."""

    scrolls: int
    rough: list[object]
    sound: bool
    may_write: bool


def _glance(steps: Sequence[Step]) -> _Glance:
    rough: list[object] = []
    scrolls, sound, writing = 0, True, False
    for step in steps:
        element, actions = step.element, step.actions
        name = element.name if element is not None and element.box is None else None
        if name and len(actions) == 1 and type(action := actions[0]) in _POINTED:  # most steps
            rough.append(name)
            writing = writing or (type(action) in LABELLED and begins_to_write(name))
            x, y = action.x, action.y  # type: ignore[union-attr]
            if x is None or y is None or not (0 <= x <= 1 and 0 <= y <= 1):
                sound = False
            continue
        rough.append(rough_key(step))
        writing = writing or may_write(step)
        if element is not None and element.box is not None:
            sound = sound and all(0 <= value <= 1 for value in element.box)
        for action in actions:
            kind = type(action)
            if kind in _POINTED:
                x, y = action.x, action.y  # type: ignore[union-attr]
                if x is None or y is None or not (0 <= x <= 1 and 0 <= y <= 1):
                    sound = False
            elif kind is Scroll or kind is HScroll:
                scrolls += 1
            elif kind is Swipe:
                sound = False
    return _Glance(scrolls, rough, sound, writing)


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def count_words(text: str) -> int:
    """Words of an instruction; of Chinese and Japanese, which put no spaces, two characters count as one."""
    if text.isascii():
        return len(text.split())
    rest, characters = _UNSPACED.subn(" ", text)
    return len(rest.split()) + (characters + 1) // 2


_NOTHING = (None,) * len(SHOWN_KINDS)


def _first_shown(record: Trajectory) -> list[dict[str, Any] | None]:
    """For each kind where a run first shows it: the step's index (null: in the instruction) and the words."""
    shown = [shown_text(step) for step in record.steps]
    together = "\n".join([*shown, record.instruction]).lower()
    found: list[dict[str, Any] | None] = []
    for kind in SHOWN_KINDS:
        step, words = None, None
        if holds_piece(kind, together):
            said = ((at.index, mentions(kind, text)) for at, text in zip(record.steps, shown, strict=True))
            step, words = next((one for one in said if one[1]), (None, None))
            words = words or mentions(kind, record.instruction)
        found.append(_found(step, words))
    return found


def _found(step: int | None, words: str | None) -> dict[str, Any] | None:
    return {"step": step, "words": words} if words else None


def _not_ascending(indices: list[int]) -> str | None:
    for before, after in pairwise(indices):
        if after <= before:
            return f"step index {after} follows {before}"
    return None


def _gap(indices: list[int]) -> str | None:
    for expected, index in enumerate(indices):
        if index > expected:
            return f"step {expected} is missing"
    return None


def _bad_coordinate(record: Trajectory) -> str | None:
    """The first coordinate that is no fraction, in words."""
    for step in record.steps:
        for name, value in _coordinates(step):
            if value is not None and not _is_fraction(value):
                return f"step {step.index}: {name} is {value}"
    return None


def _is_fraction(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1


def _coordinates(step: Step) -> list[tuple[str, float | None]]:
    found: list[tuple[str, float | None]] = []
    for action in step.actions:
        if isinstance(action, Pointed | Swipe):
            found += [("x", action.x), ("y", action.y)]
        if isinstance(action, Swipe):
            found += [("to_x", action.to_x), ("to_y", action.to_y)]
    if step.element and step.element.box:
        found += [("box", value) for value in step.element.box]
    return found
