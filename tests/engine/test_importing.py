"""An import and a run read the same: what nobody states is decided alike by both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from curate.engine.exporting import export
from curate.engine.importing import import_inputs, read_inputs
from curate.engine.recipe import read_settings
from curate.formats.base import FormatOptions, formats
from curate.model.trajectory import Trajectory
from curate.sources.base import Read
from curate.sources.recognise import find_inputs
from curate.store.dataset import read_records
from curate.store.media import MediaStore
from tests.factories import png
from tests.runs import run_here

TAPS = [(140, 290), (12, 40), (75, 150), (147, 11), (80, 222), (33, 261), (101, 97), (64, 300)]


def digidata(folder: Path, taps: list[tuple[int, int]]) -> Path:
    """DigiData's form, whose scale is not documented, with pixels of pictures of 150 x 300."""
    (folder / "images").mkdir(parents=True)
    Image.new("RGB", (150, 300), (250, 250, 250)).save(folder / "images" / "a.png")
    rows = [
        {
            "episode_id": "e1", "step_id": number, "episode_len": len(taps), "app": "clock", "complete": True,
            "action": f"tap({x},{y})", "goal": "Set an alarm", "action_history": [], "xml": None,
            "image": "images/a.png", "image_history": [],
        }
        for number, (x, y) in enumerate(taps)
    ]  # fmt: skip
    path = folder / "digidata_train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def clicks(records: list[Trajectory]) -> list[str | None]:
    return [step.code for record in records for step in record.steps]


def test_an_undocumented_scale_is_decided_alike_by_both(tmp_path: Path) -> None:
    path = digidata(tmp_path / "data", TAPS)
    import_inputs("auto", [path], tmp_path / "ds")
    run_here([path], tmp_path / "run", ["validate.min_steps=1"])
    imported, ran = list(read_records(tmp_path / "ds")), list(read_records(tmp_path / "run"))
    assert clicks(imported)[0] == "pyautogui.click(x=0.9333, y=0.9667)"
    assert clicks(imported) == clicks(ran) and len(clicks(ran)) == len(TAPS)
    for record in (*imported, *ran):
        assert any("space picture_pixel" in note for note in record.lineage), record.lineage


def test_too_little_to_decide_is_refused_by_both(tmp_path: Path) -> None:
    path = digidata(tmp_path / "data", [(70, 60)])
    media, options = MediaStore(tmp_path / "media"), read_settings(())
    read = read_inputs(find_inputs([path]).inputs, options, media, tmp_path / "fetched")
    refused = [item for _, item in read if not isinstance(item, Read)]
    assert [row.reason for row in refused] == ["import.undecided"]
    summary = run_here([path], tmp_path / "run")
    (row,) = [json.loads(line) for line in (summary.out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert row["reason"] == "import.undecided" and "--set import.space" in row["detail"]


def agentnet(path: Path, steps: list[dict[str, object]]) -> Path:
    """A line as AgentNet has it; `steps`: picture and code of each."""
    traj = [{"index": number, "image": step["image"], "value": step} for number, step in enumerate(steps)]
    row = {"task_id": "t", "instruction": "Open the settings of the editor", "traj": traj, "task_completed": True}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def step(image: str | None, code: str = "pyautogui.click(x=0.5, y=0.5)", **more: object) -> dict[str, object]:
    return {"image": image, "code": code, "action": "Click it", **more}


SOUND = png(64, 48)
JPEG_HEAD = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
DAMAGED = {
    "cut": SOUND[:-20], "half": SOUND[: len(SOUND) // 2], "empty": b"", "page": b"<!DOCTYPE html><p>404 Not Found",
    "turned bit": SOUND[:60] + bytes([SOUND[60] ^ 1]) + SOUND[61:], "head of a jpeg": JPEG_HEAD, "zeros": b"\0" * 500,
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_picture_that_is_none_is_told_and_is_in_no_row(tmp_path: Path, kind: str) -> None:
    (tmp_path / "good.png").write_bytes(SOUND)
    (tmp_path / "bad.png").write_bytes(DAMAGED[kind])
    path = agentnet(tmp_path / "a.jsonl", [step("good.png"), step("bad.png"), step("good.png")])
    done = import_inputs("auto", [path], tmp_path / "ds")
    (count,) = done.sources
    assert (count.pictures, count.missing, count.damaged, count.without) == (2, 0, 1, 0)
    assert done.manifest.media["files"] == 1
    (record,) = read_records(tmp_path / "ds")
    assert record.steps[1].image is None and {"picture_damaged", "picture_missing"} <= set(record.steps[1].flags)
    names = [name for name, form in formats().items() if not form.by_run and name != "transitions"]
    for name in names:
        out = tmp_path / f"{name}.jsonl"
        options = FormatOptions(images=3 if "images" in formats()[name].reads(FormatOptions()) else None)
        told = export(tmp_path / "ds", name, out, None, options)
        assert told.left_out.get("images.unreadable") == 1, name
        assert out.read_bytes().count(b"media/") in (0, 2, 3), name  # of two rows; the second may show the first's too
    summary = run_here([path], tmp_path / "run", ["validate.min_steps=1"])
    rows = (summary.out / "steps_left_out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [(row["step"], row["reason"]) for row in map(json.loads, rows)] == [(1, "images.unreadable")]


def test_records_without_any_picture_that_serves_are_refused_by_a_run(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"")
    path = agentnet(tmp_path / "a.jsonl", [step("bad.png")])
    summary = run_here([path], tmp_path / "run", ["validate.min_steps=1"])
    (row,) = [json.loads(line) for line in (summary.out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert row["reason"] == "read.media_damaged" and "bad.png" in row["detail"]


def test_whatever_a_source_passes_on_a_dataset_holds_normal_records(tmp_path: Path) -> None:
    """Our own records as somebody else's program wrote them: long fractions, no code, no words."""
    steps = [
        {"index": 0, "actions": [{"type": "click", "x": 0.123456789, "y": 2 / 3}], "code": None, "action": None},
        {"index": 1, "actions": [{"type": "write", "text": "a\tb"}], "code": "pyautogui.click(x=0.1, y=0.1)"},
        {"index": 2, "actions": [{"type": "wait", "seconds": 1.0}], "action": "  Wait for it  "},
    ]
    row = {"schema": "trajectory.v1", "id": "a", "source": {"name": "mine"}, "instruction": "Do it ", "steps": steps}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    import_inputs("auto", [path], tmp_path / "ds")
    (record,) = read_records(tmp_path / "ds")
    first, second, third = record.steps
    assert first.code == "pyautogui.click(x=0.1235, y=0.6667)" and first.flags == ["words_generated"] and first.action
    assert (first.actions[0].x, first.actions[0].y) == (0.1235, 0.6667)  # type: ignore[union-attr]
    assert second.code == "pyautogui.write(message='a\\tb')"
    assert (third.action, third.flags, record.instruction) == ("Wait for it", [], "Do it")
    summary = run_here([path], tmp_path / "run", ["validate.min_steps=1", "outcome.keep=all"])
    (ran,) = read_records(summary.out)
    assert [one.code for one in ran.steps] == [one.code for one in record.steps]
    assert [one.action for one in ran.steps] == [one.action for one in record.steps]
