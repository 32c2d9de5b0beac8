"""GUI-360: one JSONL file a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from curate.model.actions import Click
from curate.sources.registry import sources
from tests.sources.folders import read_one


def place(folder: Path, row: dict[str, Any], size: tuple[int, int]) -> Path:
    picture = folder / str(row["step"]["screenshot_clean"]).replace("\\", "/")
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size).save(picture)
    (folder / "run.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder / "run.jsonl"


@pytest.mark.parametrize("size", [(1040, 736), (1036, 728)])
def test_the_published_step(shared: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    """Points are pixels of the recorded window, 1040 x 736, whichever copy of the picture is beside them: at
    (630, 241.5), in the formula bar. Its text is typed over what stood there."""
    path = shared / "data/sources/quoted_records/gui360_excel_4s_1_step2_abridged.jsonl"
    assert [name for name, known in sources().items() if known.recognise(path)] == ["gui360"]
    record = read_one(place(tmp_path, json.loads(path.read_text(encoding="utf-8")), size), tmp_path / "out")
    (step,) = record.steps
    assert step.actions[0] == Click(round(630 / 1040, 4), round(241.5 / 736, 4))
    assert (step.code or "").splitlines()[1:] == ["pyautogui.hotkey('ctrl', 'a')",
                                                  "pyautogui.write(message='=ATAN(1)')"]  # fmt: skip
    assert step.element is not None and step.element.name == "Formula Bar" and step.element.box is not None
    left, top, right, bottom = step.element.box
    assert left < 630 / 1040 < right and top < 241.5 / 736 < bottom
    assert (record.outcome.completed, record.outcome.by, record.platform) == (True, "model", "windows")
    assert record.apps == ["excel"] and step.index == 2 and step.flags == ["step_gap"]


def test_slashes_of_both_kinds(shared: Path, tmp_path: Path) -> None:
    """Part D, case 14."""
    path = shared / "data/sources/quoted_records/gui360_excel_4s_1_step2_abridged.jsonl"
    row = json.loads(path.read_text(encoding="utf-8"))
    row["step"]["screenshot_clean"] = "images\\excel_4s_1/action_step4.png"
    assert read_one(place(tmp_path, row, (1040, 736)), tmp_path / "out").steps[0].image


def test_a_run_of_the_benchmark_says_so(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/sources/quoted_records/gui360_excel_4s_1_step2_abridged.jsonl"
    row = json.loads(path.read_text(encoding="utf-8"))
    record = read_one(place(tmp_path / "test/data/excel", row, (1040, 736)), tmp_path / "out")
    assert record.lineage == ["gui360: a run of the benchmark's own part"]
