"""The lesson's own runs: words for actions, names of pictures nobody has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from tests.factories import png
from tests.sources.folders import read_all, read_one, rejected_one

RUN = {
    "instruction": "Silence the tablet",
    "app": "settings",
    "ok": True,
    "steps": [{"action": "tap Sound", "image": "s_0.png"}, {"action": "scroll down", "image": "s_1.png"}],
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_run(tmp_path: Path) -> None:
    record = read_one(write(tmp_path / "runs.jsonl", RUN), tmp_path / "out")
    assert (record.instruction, record.apps, record.outcome.completed) == ("Silence the tablet", ["settings"], True)
    assert [step.action for step in record.steps] == ["tap Sound", "scroll down"]
    assert all(step.actions == [] and step.code is None and step.correct is None for step in record.steps)
    assert [step.image for step in record.steps] == ["s_0.png", "s_1.png"]
    assert (record.source.name, record.source.file, record.source.line) == ("lesson", "runs.jsonl", 1)


def test_pictures_that_are_there_become_media(tmp_path: Path) -> None:
    (tmp_path / "s_0.png").write_bytes(png())
    record = read_one(write(tmp_path / "runs.jsonl", RUN), tmp_path / "out")
    assert (record.steps[0].image or "").startswith("media/") and record.steps[1].image == "s_1.png"


@pytest.mark.parametrize("ok", [True, False, None])
def test_what_the_judge_said_is_the_outcome(tmp_path: Path, ok: bool | None) -> None:
    record = read_one(write(tmp_path / "runs.jsonl", {**RUN, "ok": ok}), tmp_path / "out")
    assert record.outcome.completed is ok


def test_bad_rows(tmp_path: Path) -> None:
    hostile = {**RUN, "steps": [{"action": "tap", "image": "../x.png"}]}
    rows = [RUN, {**RUN, "steps": 3}, hostile, {"instruction": 1, "steps": []}]
    found = read_all(write(tmp_path / "runs.jsonl", *rows), tmp_path / "out")
    assert isinstance(found[0], Trajectory)
    assert [(row.line, row.reason) for row in found[1:] if isinstance(row, Rejected)] == [
        (2, "validate.schema"), (3, "read.path_refused"), (4, "validate.schema"),
    ]  # fmt: skip
    assert rejected_one(write(tmp_path / "one.jsonl", hostile), tmp_path / "out").file == "one.jsonl"


def test_the_lessons_six_runs(shared: Path, tmp_path: Path) -> None:
    vectors = json.loads((shared / "vectors/seed_vectors.json").read_text(encoding="utf-8"))["vectors"]
    (six,) = [vector["inputs"]["runs"] for vector in vectors if vector["id"] == "build_six"]
    found = read_all(write(tmp_path / "six.jsonl", *six), tmp_path / "out")
    assert len(found) == 6 and len({record.id for record in found}) == 6
    for record, run in zip(found, six, strict=True):
        assert isinstance(record, Trajectory)
        assert [(step.action, step.image) for step in record.steps] == [(s["action"], s["image"]) for s in run["steps"]]
