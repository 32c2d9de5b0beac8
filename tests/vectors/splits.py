"""Vectors of leaks and splits."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from curate.model.trajectory import Trajectory
from curate.stages import leaks, split
from tests.stages.factories import buttons, decided, reasons
from tests.vectors.registry import Vector, vector


def leaked(train: str, test: str, folder: Path) -> dict[str, str]:
    path = folder / "tests.jsonl"
    path.write_text(json.dumps({"id": "t", "instruction": test}), encoding="utf-8")
    return reasons(
        decided(leaks.STAGE, [buttons("r", ["x"], train)], leaks.LeaksOptions(tests=str(path), phrases="drop"))
    )


@vector("leak_phrases")
def phrases(v: Vector, folder: Path) -> None:
    found = [bool(leaked(train, test, folder)) for train, test in v["inputs"]["pairs"]]
    assert found == v["should_be"]


def shelf(apps: int, tasks: int, recordings: int) -> list[Trajectory]:
    return [
        buttons(f"{a}-{t}-{r}", [f"x{r}"], f"Task {t} of app {a}", apps=[f"app{a}"])
        for a in range(apps)
        for t in range(tasks)
        for r in range(recordings)
    ]


@vector("split_by_task", "split_by_app")
def drawn_line(v: Vector, folder: Path) -> None:
    given, wanted = v["inputs"], v["expected"]
    runs = shelf(given["apps"], given["tasks_per_app"], given["recordings"])
    by = "task" if "test_tasks" in given else "app"
    rows = decided(split.STAGE, runs, split.SplitOptions(by=by, test=wanted["test_runs"] / len(runs)))
    parts = {part: {row["id"] for row in rows if row["split"] == part} for part in ("train", "test")}
    assert len(parts["test"]) == wanted["test_runs"]
    task, app = ({part: {id.rsplit("-", n)[0] for id in ids} for part, ids in parts.items()} for n in (1, 2))
    assert len(task["train"] & task["test"]) == wanted["twins_in_train"]
    assert (not app["train"] & app["test"]) == wanted["apps_unseen"]


@vector("split_twins")
def twins(v: Vector, folder: Path) -> None:
    tasks = [str(i // 2) for i in range(v["inputs"]["runs"])]
    assert split.expected_twins(tasks, v["inputs"]["test"]) == pytest.approx(v["expected"], abs=v["tol"])


@vector("split_80_20")
def eighty_twenty(v: Vector, folder: Path) -> None:
    runs = [buttons(f"r{i}", [f"x{i}"], f"Task {i} here", apps=[]) for i in range(v["inputs"]["attempts"])]
    rows = decided(split.STAGE, runs, split.SplitOptions(by="run", test=0.2))
    assert Counter(row["split"] for row in rows) == {"train": v["expected"]["train"], "test": v["expected"]["check"]}
