"""The lints of whole runs, before any threshold: length, scrolls, loops, gaps, the missing end, coordinates, dates, and
what the screens said about captchas, logins and payments.

Nearly every run has none of the rare ones, and that is seen at once: by one look over the words of a batch, by counting
what could repeat, by comparing numbers. Only what is left is gone into step by step."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, get_args

from curate.model.actions import HScroll, Pointed, Scroll, Swipe, Terminate
from curate.model.trajectory import Step, Trajectory
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import loop_of
from curate.stages.measures.risk_words import SHOWN_KINDS, Kind, mentions, needles_in, run_text, shown_text
from curate.stages.measures.risk_words import first_writing as first_writing_of

Row = tuple[Any, ...]
_POINTED = frozenset(get_args(Pointed))
_SCROLLS = (Scroll, HScroll)


def measure_runs(records: Sequence[Trajectory]) -> list[Row]:
    """A row for each run, in the order of `stages.validate.MEASURES`."""
    said = [run_text(record) for record in records]
    together = "\n".join(said)
    needles = {kind: needles_in(kind, together) for kind in SHOWN_KINDS}
    rows = []
    for record, text in zip(records, said, strict=True):
        shown = [
            _first_shown(kind, record) if any(needle in text for needle in needles[kind]) else None
            for kind in SHOWN_KINDS
        ]
        rows.append((*_measures(record), *shown, _found(*first_writing_of(record.steps))))
    return rows


def _measures(record: Trajectory) -> Row:
    """What does not hang on words that a screen shows."""
    steps = record.steps
    indices = [step.index for step in steps]
    kinds = [type(action) for step in steps for action in step.actions]
    loop = loop_of(steps)
    fault, order, gap = _bad_coordinate(record), None, None
    if indices != list(range(len(indices))):
        order, gap = _not_ascending(indices), _gap(indices)
    return (
        record.id,
        len(steps),
        sum(map(kinds.count, _SCROLLS)),
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


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def count_words(text: str) -> int:
    """Words of an instruction; of Chinese and Japanese, which put no spaces, two characters count as one."""
    if text.isascii():
        return len(text.split())
    rest, characters = _UNSPACED.subn(" ", text)
    return len(rest.split()) + (characters + 1) // 2


def _first_shown(kind: Kind, record: Trajectory) -> dict[str, Any] | None:
    """Where a run first shows something of the kind: the step's index (null: in the instruction) and the words."""
    for step in record.steps:
        if words := mentions(kind, shown_text(step)):
            return _found(step.index, words)
    return _found(None, mentions(kind, record.instruction))


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
        if not _places_are_sound(step):
            for name, value in _coordinates(step):
                if value is not None and not _is_fraction(value):
                    return f"step {step.index}: {name} is {value}"
    return None


def _places_are_sound(step: Step) -> bool:
    """Whether every coordinate is a fraction, seen at once: those of points and boxes; False says nothing."""
    element = step.element
    if element is not None and element.box is not None:
        for value in element.box:
            if type(value) is not float or not 0 <= value <= 1:
                return False
    for action in step.actions:
        if type(action) in _POINTED:
            x, y = action.x, action.y  # type: ignore[union-attr]
            if type(x) is not float or type(y) is not float or not (0 <= x <= 1 and 0 <= y <= 1):
                return False
        elif type(action) is Swipe:
            return False
    return True


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
