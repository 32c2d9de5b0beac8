"""How varied the training data is and who made it, against a count in plain Python over the records themselves."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.report.diversity import mean_distance
from curate.model.trajectory import Trajectory
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, write_records
from tests.runs import run_here

TASKS = ("Open the door", "Close the door!", "Buy two tickets", "open the door", "Send 3 mails to Ana")
WAYS = (
    ["click A", "click B", "write x", "press enter", "click C"],
    ["click D", "click E", "write y", "press tab", "click F", "click G"],
    ["click H", "click I", "click J", "click K", "click L", "write z"],
)


def records() -> list[Trajectory]:
    """Fifteen runs: each task in each way, by people and programs in turn, over two apps."""
    return [
        make_trajectory(
            f"made:{k}",
            way,
            instruction=task,
            app=("notes", "mail")[k % 2],
            actor="human" if k % 3 else "program",
        )
        for k, (task, way) in enumerate(itertools.product(TASKS, WAYS))
    ]


def report_of(tmp_path: Path, made: Sequence[Trajectory], *sets: str) -> dict[str, Any]:
    write_records(tmp_path / "in.jsonl", made)
    run_here([tmp_path / "in.jsonl"], tmp_path / "run", ["nearcopies.action=weight", *sets])
    return RunFolder(tmp_path / "run").read_report()


def cosine(one: Iterable[str], other: Iterable[str]) -> float:
    a, b = Counter(one), Counter(other)
    lengths = math.sqrt(sum(n * n for n in a.values())) * math.sqrt(sum(n * n for n in b.values()))
    return sum(a[word] * b[word] for word in a) / lengths


def plain(runs: Sequence[Trajectory]) -> dict[str, Any]:
    """The same numbers, pair by pair."""
    words = [re.findall(r"\w+", run.instruction.lower()) for run in runs]
    far = [1 - cosine(a, b) for a, b in itertools.combinations(words, 2)]
    task = [" ".join(said) for said in words]
    goals = {(app, name) for run, name in zip(runs, task, strict=True) for app in run.apps}
    places = {app for run in runs for app in run.apps}
    return {
        "runs": len(runs),
        "tasks": len(set(task)),
        "places": len(places),
        "goals_per_place": round(len(goals) / len(places), 2),
        "words": round(sum(map(len, words)) / len(runs), 2),
        "vocabulary": len({word for said in words for word in said}),
        "distance": pytest.approx(sum(far) / len(far), abs=1e-4),
        "paths": len({tuple(step.action or "" for step in run.steps) for run in runs}),
        "with_path": len(runs),
    }


def test_diversity_is_that_of_a_plain_count(tmp_path: Path) -> None:
    made = records()
    report = report_of(tmp_path, made, "split.test=0")
    trained = report["trajectories"]
    assert trained == len(made)
    by = {row.pop("who"): row for row in report["diversity"]}
    people = [run for run in made if run.actor.kind == "human"]
    assert by["all"] == plain(made)
    assert by["people"] == plain(people)
    assert by["others"] == plain([run for run in made if run.actor.kind != "human"])


def test_one_kind_of_actor_is_one_row(tmp_path: Path) -> None:
    people = [run for run in records() if run.actor.kind == "human"]
    report = report_of(tmp_path, people, "split.test=0")
    assert [row["who"] for row in report["diversity"]] == ["all"]


def test_mixture_adds_up_to_the_run(tmp_path: Path) -> None:
    report = report_of(tmp_path, records(), "split.test=0")
    rows, found = report["mixture"]["rows"], report["mixture"]
    assert sum(row["runs"] for row in rows) == report["read"]
    assert sum(row["trained"] for row in rows) == report["trajectories"]
    assert sum(row["targets"] for row in rows) == sum(report["examples"].values())
    assert sum(row["weight"] for row in rows) == pytest.approx(report["weights"]["total"], abs=1e-4)
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=1e-3)
    people = [row for row in rows if row["actor"] == "human"]
    assert found["people_runs"]["yes"] == sum(row["trained"] for row in people) == 10
    assert found["people_targets"]["yes"] == sum(row["targets"] for row in people)
    assert found["people_weight"] == pytest.approx(sum(row["share"] for row in people), abs=1e-3)


def test_distance_of_the_published_example() -> None:
    """Three vectors (1,0), (0,1), (1,0): pairwise 1, 0, 1, so 2/3 (formula of the goal diversity of DigiData)."""
    assert mean_distance(2**2 + 1**2, 3) == pytest.approx(2 / 3, abs=1e-4)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)).filter(lambda v: math.hypot(*v) > 0.1), min_size=2))
def test_distance_is_the_mean_over_all_pairs(vectors: list[tuple[float, float]]) -> None:
    units = [(x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in vectors]
    pairs = [1 - (a[0] * b[0] + a[1] * b[1]) for a, b in itertools.combinations(units, 2)]
    squared = sum(x for x, _ in units) ** 2 + sum(y for _, y in units) ** 2
    assert mean_distance(squared, len(units)) == pytest.approx(sum(pairs) / len(pairs), abs=1e-3)


def test_one_run_has_no_distance() -> None:
    assert mean_distance(1.0, 1) is None
