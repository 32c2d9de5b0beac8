"""Vectors of unrolling, weights and the whole pipeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from curate.formats.base import FormatOptions, format_named, rows
from curate.model import actions as act
from curate.model.scores import reward
from curate.model.trajectory import Score, Step, Trajectory
from curate.stages import leaks, outcome, registry, unroll, weights
from curate.stages.base import DecisionInput
from tests.stages.factories import decided, kept, measured, run, said, step
from tests.vectors.copies import LESSON
from tests.vectors.registry import Vector, scored, vector


def opencua(record: dict[str, Any]) -> Trajectory:
    """A record in the released form, its typed actions standing for its code."""
    steps = [
        Step(
            index=row["index"],
            image=row["image"],
            actions=[act.Click(x=float(row["value"]["code"].split("x=")[1].split(",")[0]), y=0.1)],
            thought=row["value"]["thought"],
            action=row["value"]["action"],
            code=row["value"]["code"],
            correct=row["value"]["last_step_correct"],
            redundant=row["value"]["last_step_redundant"],
        )
        for row in record["traj"]
    ]
    return run("r", steps, record["instruction"])


def targets(record: Trajectory) -> list[int]:
    out = {row["step"] for row in decided(unroll.STAGE, [record])}
    return [s.index for s in record.steps if s.index not in out]


def examples(record: Trajectory) -> list[dict[str, Any]]:
    return list(rows(format_named("lesson"), record, targets(record), FormatOptions()))


@vector("unroll_3")
def one_example_a_step(v: Vector, folder: Path) -> None:
    assert len(examples(opencua(v["inputs"]["record"]))) == v["expected"]


@vector("unroll_8_fifth")
def fifth_example(v: Vector, folder: Path) -> None:
    made = examples(opencua(v["inputs"]["record"]))
    assert len(made) == 8
    assert made[4]["input"]["previous"] == ["a0", "a1", "a2", "a3"]
    assert made[4]["target"] == "## Thought: t4\n## Action: a4\n## Code: pyautogui.click(x=0.5, y=0.5)"


@vector("unroll_flags")
def wrong_and_redundant(v: Vector, folder: Path) -> None:
    record = opencua(v["inputs"]["record"])
    assert [i in targets(record) for i in range(4)] == v["expected"]["train_on_this"]
    assert examples(record)[-1]["input"]["previous"] == v["expected"]["last_previous"]


@vector("unroll_target_text")
def target_text(v: Vector, folder: Path) -> None:
    given = {name: v["inputs"][name] for name in ("thought", "action", "code")}
    (made,) = examples(run("r", [step(0, act.Click(x=0.1, y=0.1), **given)]))
    assert made["target"] == v["expected"]


@vector("unroll_nullable")
def unknown_is_a_target(v: Vector, folder: Path) -> None:
    correct, redundant = v["inputs"]["flags"]
    assert targets(run("r", [step(0, act.Click(x=0.1, y=0.1), correct=correct, redundant=redundant)])) == [0]


@vector("weights_scores", "weights_steps", "weights_draw")
def score_weights(v: Vector, folder: Path) -> None:
    scores = v["inputs"]["scores"]
    shares = weights.shares(scores)
    if "seed" in v["inputs"]:
        drawn = np.random.default_rng(v["inputs"]["seed"]).choice(len(scores), v["inputs"]["n"], p=shares)
        shares = (np.bincount(drawn) / len(drawn)).tolist()
    if "steps" in v["inputs"]:
        steps, wanted = v["inputs"]["steps"], v["expected"]
        runs = [scored(str(i), value, count) for i, (value, count) in enumerate(zip(scores, steps, strict=True))]
        rows = decided(weights.STAGE, runs, weights.WeightsOptions(score="reward"))
        assert sum(steps) == wanted["total"] and all(row["weight"] > 0 for row in rows)  # every step is in play
        assert sum(n for n, s in zip(steps, scores, strict=True) if s == 5) == wanted["only5"]
    else:
        assert shares == pytest.approx(v["expected"], abs=v["tol"])


@vector("rubric_direction")
def direction(v: Vector, folder: Path) -> None:
    assert v["should_be"]["5"] == "perfect"
    by_reward = [reward(Score(name="r", value=n, min=1, max=5, higher_is_better=True)) for n in range(1, 6)]
    as_printed = [reward(Score(name="r", value=n, min=1, max=5, higher_is_better=False)) for n in range(1, 6)]
    assert by_reward == [1, 2, 3, 4, 5] and as_printed == [5, 4, 3, 2, 1]


# --- the whole ------------------------------------------------------------------------------------------------


def lesson_run(number: int, row: dict[str, Any]) -> Trajectory:
    steps = [said(i, each["action"], image=each["image"]) for i, each in enumerate(row["steps"])]
    return run(f"lesson:{number}", steps, row["instruction"], apps=[row["app"]], completed=row["ok"])


def build(runs: list[Trajectory], order: list[str], options: dict[str, Any]) -> tuple[list[int], DecisionInput]:
    """The stages one after the other; how many runs are left after each."""
    given = DecisionInput(
        alive=[r.id for r in runs],
        measures={name: measured(registry.stage(name), runs, options.get(name)) for name in {*order, "nearcopies"}},
        verdicts={},
    )
    counts = [len(given.alive)]
    for name in order:
        stage = registry.stage(name)
        table = stage.decide(given, options.get(name) or stage.options())
        given = msgspec.structs.replace(given, alive=kept(table.to_pylist()), verdicts={**given.verdicts, name: table})
        counts.append(len(given.alive))
    return counts, given


def lesson_options(folder: Path, tests: list[str], apps: list[str]) -> dict[str, Any]:
    path = folder / "tests.jsonl"
    path.write_text(
        "".join(json.dumps({"id": str(i), "instruction": t}) + "\n" for i, t in enumerate(tests)), encoding="utf-8"
    )
    return {
        "outcome": outcome.OutcomeOptions(keep="completed"),
        "nearcopies": LESSON,
        "leaks": leaks.LeaksOptions(tests=str(path), apps=apps, phrases="drop"),
        "unroll": unroll.UnrollOptions(format="lesson", history=-1),
    }


@vector("build_six")
def six_runs(v: Vector, folder: Path) -> None:
    runs = [lesson_run(i, row) for i, row in enumerate(v["inputs"]["runs"])]
    options = lesson_options(folder, v["inputs"]["test_tasks"], v["inputs"]["test_apps"])
    counts, given = build(runs, ["outcome", "nearcopies", "leaks", "unroll"], options)
    made = [
        {
            "task": example["input"]["task"],
            "previous": example["input"]["previous"],
            "image": example["input"]["image"],
            "target": example["target"].removeprefix("## Action: "),
            "weight": example["weight"],
        }
        for record in runs
        if record.id in given.alive
        for example in rows(format_named("lesson"), record, range(len(record.steps)), FormatOptions(history=-1))
    ]
    assert [*counts[:4], len(made)] == list(v["expected"].values())
    assert made == v["rows"]


@vector("build_order_leak_vs_dedup", "build_order_leak_vs_dedup_reversed")
def leaks_and_copies(v: Vector, folder: Path) -> None:
    runs = [lesson_run(i, row) for i, row in enumerate(v["inputs"]["runs"])]
    options = lesson_options(folder, ["Set an alarm for 7:00 tomorrow"], [])
    for order in (["outcome", "leaks", "nearcopies"], ["outcome", "nearcopies", "leaks"]):
        assert build(runs, order, options)[0][-1] == 0  # both go, whichever comes first


@vector("build_min_score_drops")
def low_scores_stay(v: Vector, folder: Path) -> None:
    runs = [scored(f"s{value}", value) for value in v["inputs"]["scores"]]
    rows = decided(weights.STAGE, runs, weights.WeightsOptions(score="reward"))
    assert kept(rows) == ["s2", "s5"]
    assert [row["weight"] for row in rows] == [2 / 7, 5 / 7]


@vector("build_redundant_ignored")
def redundant(v: Vector, folder: Path) -> None:
    record = run("r", [step(0, act.Click(x=0.1, y=0.1), **v["inputs"]["step"]), step(1, act.Click(x=0.2, y=0.2))])
    assert targets(record) == [1]
