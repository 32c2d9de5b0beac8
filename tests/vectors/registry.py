"""Registers one check for each vector of the seed documents that describes behaviour of records and runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from curate.model.trajectory import Score, Trajectory
from tests.stages.factories import buttons, run, said

Vector = dict[str, Any]
Check = Callable[[Vector, Path], None]

CHECKS: dict[str, Check] = {}


def vector(*names: str) -> Callable[[Check], Check]:
    """Registers a function of (vector, an empty folder) as the check of the vectors of these ids."""

    def register(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(names, check))
        return check

    return register


def worded(id: str, words: list[str], **fields: Any) -> Trajectory:
    """A run whose steps have only words, as the lesson's."""
    return run(id, [said(i, each) for i, each in enumerate(words)], **fields)


def scored(id: str, value: float, steps: int = 1) -> Trajectory:
    """A run of so many steps with a reward from 1 to 5."""
    score = Score(name="reward", value=value, min=1, max=5, higher_is_better=True)
    return buttons(id, [f"x{i}" for i in range(steps)], scores=[score])
