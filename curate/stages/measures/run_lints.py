"""The lints of whole runs, before any threshold: length, scrolls, loops, gaps, the missing end, coordinates, dates, and
what the screens said about captchas, logins and payments.

Nearly every run has none of the rare ones, and that is seen at once, by a look over columns of all steps: what they
say, what could repeat, numbers. Only what is left is gone into step by step."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.model.actions import HScroll, Pointed, Scroll, Swipe, Terminate
from curate.model.steps import Steps, is_kind
from curate.model.trajectory import Step, Trajectory
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import loop_of, may_loop, rough_key
from curate.stages.measures.risk_words import (
    SHOWN_KINDS,
    first_writings,
    may_show,
    mentions,
    pieces_in,
    shown_text,
)

Row = tuple[Any, ...]


def measure_runs(steps: Steps) -> list[Row]:
    """A row for each run, in the order of `stages.validate.MEASURES`."""
    shows, writings = may_show(steps), first_writings(steps)
    unsound = set(steps.run[_unsound(steps)].tolist())
    scrolls = steps.counted(steps.acted[_SCROLLS[steps.kinds]])
    ends = set(steps.acted[_ENDS[steps.kinds]].tolist())
    rough, all_indices = _rough_keys(steps), steps.of("index")
    repeats = may_loop(rough, steps.run)
    rows = []
    for run, (record, (first, last)) in enumerate(zip(steps.records, steps.bounds, strict=True)):
        indices = all_indices[first:last]
        loop = loop_of(record.steps, rough[first:last]) if run in repeats else None
        fault, order, gap = _bad_coordinate(record) if run in unsound else None, None, None
        if indices != list(range(len(indices))):
            order, gap = _not_ascending(indices), _gap(indices)
        rows.append(
            (
                record.id,
                len(indices),
                scrolls[run],
                count_words(record.instruction),
                fault or order,
                "validate.coordinate_out_of_range" if fault else "validate.schema" if order else None,
                gap,
                indices[loop[0]] if loop else None,
                loop[1] if loop else None,
                bool(indices) and last - 1 in ends,
                indices,
                next(iter(named_dates(record.instruction)), None),
                *(_first_shown(shows[run], record.instruction) if run in shows else _NOTHING),
                _found(*writings.get(run, (None, None))),
            )
        )
    return rows


_SCROLLS, _ENDS, _SWIPES = is_kind(Scroll, HScroll), is_kind(Terminate), is_kind(Swipe)


def _rough_keys(steps: Steps) -> list[object]:
    """`rough_key` of each step, which is the element's name for most."""
    each = zip(steps.element_names, steps.of("actions"), steps.all, strict=True)
    return [name if name and actions else rough_key(step) for name, actions, step in each]


def _unsound(steps: Steps) -> NDArray[np.int64]:
    """The steps of which not every coordinate is plainly a fraction."""
    x, y = steps.points
    plain = (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)  # null is no number
    boxes = [None if element is None else element.box for element in steps.of("element")]
    wrong = [at for at, box in enumerate(boxes) if box is not None and not all(0 <= value <= 1 for value in box)]
    pointed = steps.acted[steps.pointed_at[~plain]]
    return np.concatenate([pointed, steps.acted[_SWIPES[steps.kinds]], np.array(wrong, np.int64)])


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def count_words(text: str) -> int:
    """Words of an instruction; of Chinese and Japanese, which put no spaces, two characters count as one."""
    if text.isascii():
        return len(text.split())
    rest, characters = _UNSPACED.subn(" ", text)
    return len(rest.split()) + (characters + 1) // 2


_NOTHING = (None,) * len(SHOWN_KINDS)


def _first_shown(steps: Sequence[Step], instruction: str) -> list[dict[str, Any] | None]:
    """For each kind where a run first shows it: the step's index (null: in the instruction) and the words. `steps`:
    those that may show one."""
    shown = [shown_text(step) for step in steps]
    together = "\n".join([*shown, instruction]).lower()
    found: list[dict[str, Any] | None] = []
    for kind in SHOWN_KINDS:
        step, words = None, None
        pieces = pieces_in(kind, together)
        if pieces:
            said = ((at.index, mentions(kind, text, pieces)) for at, text in zip(steps, shown, strict=True))
            step, words = next((one for one in said if one[1]), (None, None))
            words = words or mentions(kind, instruction, pieces)
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
