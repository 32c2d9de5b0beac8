"""Runs of agents on OSWorld: folders with `traj.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.factories import png
from tests.sources.folders import read_one, rejected_one

TASK = {"id": "t-1", "instruction": "Do it", "related_apps": ["os"]}


def make_run(folder: Path, *actions: Any, result: str | None = "1.0", task: dict[str, Any] | None = TASK) -> Path:
    folder.mkdir(parents=True)
    rows = []
    for number, action in enumerate(actions, start=1):
        (folder / f"{number}.png").write_bytes(png(shade=number))
        rows.append(
            {"step_num": number, "action": action, "reward": 0, "done": False, "screenshot_file": f"{number}.png"}
        )
    (folder / "traj.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if result is not None:
        (folder / "result.txt").write_text(result, encoding="utf-8")
    if task is not None:
        (folder / f"{folder.name}.json").write_text(json.dumps(task), encoding="utf-8")
    return folder


def test_a_line_s_picture_is_the_one_before_the_next_action(tmp_path: Path) -> None:
    record = read_one(
        make_run(tmp_path / "t-1", "pyautogui.press('a')", "pyautogui.press('b')", "DONE"), tmp_path / "out"
    )
    one, two, three = record.steps
    assert one.image is None and one.image_after == two.image != two.image_after == three.image
    assert three.image_after == record.final_image is not None


@pytest.mark.parametrize(
    ("result", "completed", "score"),
    [("1", True, 1.0), ("0.0\n", False, 0.0), ("0.375", None, 0.375), ("", None, None), ("yes", None, None),
     ("nan", None, None), ("7", None, None), (None, None, None)],
)  # fmt: skip
def test_the_outcome_is_in_the_result_file(
    tmp_path: Path, result: str | None, completed: bool | None, score: float | None
) -> None:
    """Not in the last action, which here claims success each time."""
    record = read_one(make_run(tmp_path / "t-1", "DONE", result=result), tmp_path / "out")
    assert record.outcome.completed is completed
    assert [one.value for one in record.scores] == ([] if score is None else [score])


def test_without_its_task_a_run_is_refused(tmp_path: Path) -> None:
    found = rejected_one(make_run(tmp_path / "t-1", "DONE", task=None), tmp_path / "out")
    assert (found.id, found.reason) == ("osworld:t-1", "import.no_task")


def test_windows_tasks_are_told_by_their_ids(tmp_path: Path) -> None:
    assert read_one(make_run(tmp_path / "a-wos", "DONE"), tmp_path / "out").platform == "windows"
    assert read_one(make_run(tmp_path / "b", "DONE"), tmp_path / "out").platform == "linux"


def test_code_that_is_no_list_of_calls_refuses_the_run(tmp_path: Path) -> None:
    code = "for i in range(3):\n    pyautogui.click(1, 1)"
    found = rejected_one(make_run(tmp_path / "t-1", "WAIT", code), tmp_path / "out")
    assert found.reason == "read.code" and "Step 2" in (found.detail or "")
