"""What the report says of splits and of the test's tasks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from statistics import mean

import pytest

from curate.engine.report.splitting import choices
from curate.stages.measures.twins import expected_twins
from curate.stages.split import STAGE, SplitOptions
from tests.stages.factories import buttons, decided, measured


def shelf(apps: int = 8, tasks: int = 3, recordings: int = 2) -> list:
    """The lesson's 48 runs: 8 apps, 3 tasks in each, each recorded twice."""
    return [
        buttons(f"{a}-{t}-{r}", [f"x{r}{i}" for i in range(5)], f"Task {t} in app {a}", apps=[f"app{a}"])
        for a in range(apps)
        for t in range(tasks)
        for r in range(recordings)
    ]


def found_twins(runs: Iterable[tuple[str, str]]) -> int:
    """How many test runs have another run of their task in train. `runs`: (task, split) of each."""
    by_split: dict[str, Counter[str]] = {"train": Counter(), "test": Counter()}
    for task, split in runs:
        by_split[split][task] += 1
    return sum(count for task, count in by_split["test"].items() if task in by_split["train"])


def test_the_lessons_figures_8_1_0_and_0():
    found = {row.by: row for row in choices(measured(STAGE, shelf()), 10 / 48)}
    assert {by: round(found[by].twins, 1) for by in ("run", "task", "app")} == {"run": 8.1, "task": 0.0, "app": 0.0}
    assert {by: (found[by].groups, found[by].largest) for by in ("run", "task", "app")} == {
        "run": (48, 1), "task": (24, 2), "app": (8, 6),
    }  # fmt: skip
    assert {row.test for row in found.values()} == {10}
    assert sum(row.twins for row in found.values()) == found["run"].twins


@pytest.mark.parametrize("by", ["task", "app", "template", "actor", "site"])
def test_other_splits_have_no_twins(by):
    rows = decided(STAGE, shelf(), SplitOptions(by=by, test=10 / 48))
    tasks = {run.id: run.instruction for run in shelf()}
    assert found_twins((tasks[row["id"]], row["split"]) for row in rows) == 0


def test_expected_twins_are_the_mean_over_draws():
    tasks = [0] * 5 + [1] * 3 + [2, 2] + list(range(3, 13))
    draw = random.Random(7)
    found = []
    for _ in range(4000):
        test = set(draw.sample(range(len(tasks)), 6))
        found.append(found_twins((str(t), "test" if i in test else "train") for i, t in enumerate(tasks)))
    assert mean(found) == pytest.approx(expected_twins(tasks, 6), abs=0.06)
