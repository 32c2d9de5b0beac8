"""`pipelines/lesson.yaml` against the counts that the lesson prints for its own six runs, and the runs on which the
lesson's order of stages gives a wrong answer: there our own order gives the right one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.engine.recipe import load_recipe
from tests.factories import write_records
from tests.runs import curate, examples, run_here

OUR_ORDER = ["order=[outcome, leaks, nearcopies, unroll]", "leaks.spread=true"]


@pytest.fixture(scope="module")
def vectors(shared: Path) -> dict[str, dict[str, Any]]:
    found = msgspec.json.decode((shared / "vectors" / "seed_vectors.json").read_bytes())
    return {vector["id"]: vector for vector in found["vectors"]}


def counts(report: dict[str, Any]) -> dict[str, int]:
    """The lesson's names for what is left after each stage."""
    names = {"outcome": "passed judge", "nearcopies": "after near-copies", "leaks": "after leak check"}
    kept = {names[stage["name"]]: stage["kept"] for stage in report["stages"] if stage["name"] in names}
    return {"in": report["read"], **kept, "training examples": sum(report["examples"].values())}


def write_runs(path: Path, runs: list[dict[str, Any]]) -> Path:
    return write_records(path, [msgspec.json.encode(run) for run in runs])


def test_the_six_runs_give_the_printed_counts_and_rows(vectors: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    six = vectors["build_six"]
    summary = run_here([write_runs(tmp_path / "six.jsonl", six["inputs"]["runs"])], tmp_path / "run", recipe="lesson")
    assert counts(summary.report) == six["expected"]
    for example, row in zip(examples(tmp_path / "run"), six["rows"], strict=True):
        assert (example["input"]["task"], example["input"]["previous"]) == (row["task"], row["previous"])
        assert Path(example["input"]["image"]).name == row["image"]
        assert example["weight"] == row["weight"] and row["target"] in example["target"]


def test_the_recipes_own_test_task_and_app_are_the_lessons(vectors: dict[str, dict[str, Any]]) -> None:
    given = vectors["build_six"]["inputs"]
    leaks = load_recipe("lesson").options["leaks"]
    assert list(leaks.apps) == given["test_apps"]
    tasks = [msgspec.json.decode(line)["instruction"] for line in Path(leaks.tests).read_bytes().splitlines()]
    assert tasks == given["test_tasks"]


def test_a_leaked_copy_takes_its_clean_looking_twin_along_in_either_order(
    vectors: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    for name in ("build_order_leak_vs_dedup", "build_order_leak_vs_dedup_reversed"):
        path = write_runs(tmp_path / f"{name}.jsonl", vectors[name]["inputs"]["runs"])
        theirs = run_here([path], tmp_path / f"{name}-theirs", recipe="lesson")
        assert counts(theirs.report) == vectors[name]["expected"], "the lesson's order gives what the lesson gave"
        ours = run_here([path], tmp_path / f"{name}-ours", OUR_ORDER, recipe="lesson")
        assert counts(ours.report)["after leak check"] == 0 and examples(tmp_path / f"{name}-ours") == []


def test_a_redundant_step_is_not_trained_on(tmp_path: Path) -> None:
    steps = [
        {"action": "tap Settings", "image": "0.png", "correct": True, "redundant": True},
        {"action": "tap Sound", "image": "1.png", "correct": True, "redundant": False},
    ]
    run = {"instruction": "Mute the tablet now", "app": "settings", "ok": True, "steps": steps}
    run_here([write_runs(tmp_path / "a.jsonl", [run])], tmp_path / "run", recipe="lesson")
    (example,) = examples(tmp_path / "run")
    assert "tap Sound" in example["target"] and example["input"]["previous"] == ["tap Settings"]


def test_the_command_prints_them(vectors: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    path = write_runs(tmp_path / "six.jsonl", vectors["build_six"]["inputs"]["runs"])
    done = curate("run", path, "--recipe", "lesson", "--out", tmp_path / "run", "--json")
    told = msgspec.json.decode(done.stdout)
    assert told["read"] == 6 and told["examples"] == {"train": 6}
