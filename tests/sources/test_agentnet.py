"""JSONL as AgentNet is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory, decode, encode
from tests.factories import png
from tests.sources.folders import read_all, read_one, rejected_one


def step(index: int, code: str, **value: Any) -> dict[str, Any]:
    known = {"thought": "I think", "action": f"Do {index}", "last_step_correct": True, "last_step_redundant": False}
    return {
        "index": index,
        "image": f"{index}.png",
        "value": {**known, "reflection": "It worked", "code": code, **value},
    }


def row(completed: bool | None = True, end: str = "success", **more: Any) -> dict[str, Any]:
    steps = [
        step(0, "pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.3, y=0.4, button='left')"),
        step(1, "pyautogui.hotkey(keys=['ctrl', 'c'])", last_step_correct=False),
        step(2, f"computer.terminate(status='{end}')"),
    ]
    return {"task_id": "abc", "instruction": "Copy the line", "task_completed": completed, "alignment_score": 7,
            "actual_task": "Copy a line", "traj": steps, **more}  # fmt: skip


def write(folder: Path, *rows: dict[str, Any], pictures: str = ".") -> Path:
    (folder / pictures).mkdir(parents=True, exist_ok=True)
    for number in range(3):
        (folder / pictures / f"{number}.png").write_bytes(png(shade=number))
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


def test_a_run(tmp_path: Path) -> None:
    for pictures in (".", "images"):
        record = read_one(write(tmp_path / pictures / "in", row(), pictures=pictures), tmp_path / "out")
        drag, copy, end = record.steps
        assert (drag.code or "").splitlines()[1] == "pyautogui.dragTo(x=0.3, y=0.4, button='left')"
        assert copy.code == "pyautogui.hotkey('ctrl', 'c')" and end.code == "computer.terminate(status='success')"
        assert (drag.correct, drag.redundant, drag.reflection) == (True, False, "It worked")
        assert copy.correct is False  # the flag is of the step it stands on
        assert (end.correct, end.redundant, end.reflection) == (None, None, None)  # nobody judged the last step
        assert (record.id, record.source.line, record.wordings) == ("agentnet:abc", 1, {"actual_task": "Copy a line"})
        assert [(score.name, score.value, score.max) for score in record.scores] == [("alignment", 7, 10)]
        assert all((step.image or "").startswith("media/") for step in record.steps)
        assert decode(encode(record)) == record


def test_the_outcome_is_what_was_judged_and_not_the_last_line_of_code(tmp_path: Path) -> None:
    cases = [
        (True, "success", "success"),
        (False, "success", None),
        (None, "success", None),
        (False, "fail", "failure"),
    ]
    for number, (completed, end, status) in enumerate(cases):
        record = read_one(write(tmp_path / str(number), row(completed, end)), tmp_path / "out")
        assert record.outcome.completed is completed
        assert record.steps[-1].actions[0].status == status  # type: ignore[union-attr]


def test_code_that_cannot_be_read_refuses_the_run(tmp_path: Path) -> None:
    bad = [
        row(traj=[step(0, "pyautogui.click(x=1.2, y=0.5)")]),
        row(traj=[step(0, "import os\nos.system('x')")]),
        row(traj=[step(0, "pyautogui.press(keys=['8000'])")]),
        row(traj=3),
        row(traj=[{**step(0, "pyautogui.press('a')"), "image": "../0.png"}]),
    ]
    first, *found = read_all(write(tmp_path / "in", row(), *bad), tmp_path / "out")
    assert isinstance(first, Trajectory)
    assert [(r.line, r.reason) for r in found if isinstance(r, Rejected)] == [
        (2, "validate.coordinate_out_of_range"), (3, "read.code"), (4, "read.code"), (5, "validate.schema"),
        (6, "read.path_refused"),
    ]  # fmt: skip
    assert all(r.detail and "\n" not in r.detail for r in found if isinstance(r, Rejected))


def test_the_published_example(shared: Path, tmp_path: Path) -> None:
    source = shared / "data/sources/agentnet/gen_cot_raw_example.jsonl"
    assert rejected_one(source, tmp_path / "out").reason == "read.media_missing"  # it comes without its pictures
    text = json.loads(source.read_text(encoding="utf-8"))
    for entry in text["traj"]:
        entry["image"] = None
    (tmp_path / "words.jsonl").write_text(json.dumps(text), encoding="utf-8")
    record = read_one(tmp_path / "words.jsonl", tmp_path / "out")
    published = [entry["value"]["code"] for entry in text["traj"]]
    assert [step.code for step in record.steps[:-1]] == published[:-1]
    assert record.steps[-1].code == "computer.terminate()" and record.outcome.completed is None


def test_the_published_record_of_a_failed_run(shared: Path, tmp_path: Path) -> None:
    """`task_completed` is false though the last step of the whole run says otherwise; the flags of step 0 are its own:
    it opened the program, and the reflection says so."""
    text = (shared / "data/sources/quoted_records/agentnet_ubuntu_0030dc52_step0.jsonl").read_text(encoding="utf-8")
    published = json.loads(text)
    (tmp_path / "agentnet_ubuntu_5k.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / published["traj"][0]["image"]).write_bytes(png())
    record = read_one(tmp_path / "agentnet_ubuntu_5k.jsonl", tmp_path / "out")
    (step,) = record.steps
    assert (step.code, record.platform) == ("pyautogui.click(x=0.018, y=0.508)", "linux")
    assert (record.outcome.completed, record.outcome.by) == (False, "model")
    assert [score.value for score in record.scores] == [6, 9, 4]
    assert step.correct is None is step.reflection  # the cut record's only step is its last, which nobody judged
