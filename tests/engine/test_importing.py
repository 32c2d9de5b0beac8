"""An import and a run read the same: what nobody states is decided alike by both."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from curate.engine.importing import import_inputs, read_inputs
from curate.engine.recipe import read_settings
from curate.model.trajectory import Trajectory
from curate.sources.base import Read
from curate.sources.recognise import find_inputs
from curate.store.dataset import read_records
from curate.store.media import MediaStore
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
