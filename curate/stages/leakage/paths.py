"""What a run does, held against known solutions of test tasks: the same actions in the same order, in the same app or
site. Weak evidence: two people may well do the same."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.constants import LEAK_PATH_TOKENS
from curate.model.trajectory import Trajectory
from curate.stages.copies.tokens import tokens
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.pack import BenchmarkTask


class Paths:
    """The solutions of the test tasks, those of LEAK_PATH_TOKENS actions and more."""

    def __init__(self, tasks: Sequence[BenchmarkTask]) -> None:
        self._tests: dict[tuple[str, ...], list[BenchmarkTask]] = {}
        for task in tasks:
            if len(task.solution) >= LEAK_PATH_TOKENS:
                self._tests.setdefault(task.solution, []).append(task)

    def __bool__(self) -> bool:
        return bool(self._tests)

    def hit(self, record: Trajectory, places: Sequence[str]) -> Hit | None:
        """The first test task whose solution the run is; `places`: its apps and sites. A task that names no place
        may be in any."""
        path = tuple(tokens(record.steps))
        for task in self._tests.get(path, ()):
            there = {*task.apps, *task.sites}
            if not there or there & set(places):
                return Hit(test=task.id, kind="path", evidence=f"{len(path)} actions", share=1.0)
        return None
