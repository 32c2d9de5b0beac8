"""GUI-Odyssey: thousandths, the finger's two points, a reason where a run was given up."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Action, Back, Click, Home, LongPress, Swipe, Terminate, Write
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from tests.sources.folders import read_one, rejected_one
from tests.sources.phones import picture, written


def episode(folder: Path, *steps: dict[str, Any], **more: Any) -> Path:
    entries = []
    for number, step in enumerate(steps):
        (folder / "screenshots").mkdir(parents=True, exist_ok=True)
        (folder / "screenshots" / f"5_{number}.png").write_bytes(picture((90, 200), number))
        entries.append({"step": number, "screenshot": f"5_{number}.png", "info": "", **step})
    row = {
        "episode_id": "5", "device_info": {"w": 1080, "h": 2400}, "task_info": {"instruction": "Do it", "app": ["X"]},
        "step_length": len(entries), "steps": entries, **more,
    }  # fmt: skip
    return written(folder / "annotations" / "5.json", row)


@pytest.mark.parametrize(
    ("step", "meant"),
    [
        ({"action": "CLICK", "info": [[374, 621], [374, 621]]}, Click(x=0.374, y=0.621)),  # not pixels of 1080 x 2400
        ({"action": "CLICK", "info": "KEY_HOME"}, Home()),
        ({"action": "CLICK", "info": "KEY_BACK"}, Back()),
        ({"action": "LONG_PRESS", "info": [[0, 1000], [0, 1000]]}, LongPress(x=0.0, y=1.0)),
        ({"action": "SCROLL", "info": [[500, 800], [500, 200]]}, Swipe(x=0.5, y=0.8, to_x=0.5, to_y=0.2)),
        ({"action": "TEXT", "info": "a, b"}, Write("a, b")),
        ({"action": "TYPE", "info": "a"}, Write("a")),  # what its documentation calls it
        ({"action": "COMPLETE"}, Terminate("success")),
        ({"action": "INCOMPLETE"}, Terminate("failure")),
    ],
)
def test_what_an_action_says(tmp_path: Path, step: dict[str, Any], meant: Action) -> None:
    assert read_one(episode(tmp_path / "in", step), tmp_path / "out").steps[0].actions == [meant]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"action": "CLICK", "info": [[1001, 1], [1001, 1]]}, "validate.coordinate_out_of_range"),
        ({"action": "CLICK", "info": [[1, 1]]}, "validate.coordinate_out_of_range"),
        ({"action": "CLICK", "info": [["1", 1], [1, 1]]}, "validate.coordinate_out_of_range"),
        ({"action": "CLICK", "info": "KEY_VOLUME"}, "import.unsupported_action"),
        ({"action": "ZOOM"}, "import.unsupported_action"),
        ({"action": "TEXT", "step": -1}, "validate.schema"),
    ],
)
def test_what_has_no_meaning_refuses_the_episode(tmp_path: Path, step: dict[str, Any], reason: str) -> None:
    assert rejected_one(episode(tmp_path / "in", step), tmp_path / "out").reason == reason


def test_a_run_given_up_says_why(tmp_path: Path) -> None:
    steps = [{"action": "TEXT", "info": "a"}, {"action": "INCOMPLETE", "ps": "No flights"}]
    outcome = read_one(episode(tmp_path / "in", *steps), tmp_path / "out").outcome
    assert (outcome.completed, outcome.by, outcome.reason) == (False, "human", "No flights")


def test_recent_apps_and_empty_texts_leave_their_steps_without_action(tmp_path: Path) -> None:
    steps = [{"action": "CLICK", "info": "KEY_APPSELECT"}, {"action": "TEXT", "info": ""}]
    record = read_one(episode(tmp_path / "in", *steps), tmp_path / "out")
    assert [(step.actions, step.flags) for step in record.steps] == [
        ([], ["unsupported_action"]), ([], ["text_unverified"]),
    ]  # fmt: skip


def test_pictures_may_lie_in_an_archive_beside_the_annotations(tmp_path: Path) -> None:
    file = episode(tmp_path / "in", {"action": "TEXT", "info": "a"})
    shown = tmp_path / "in/screenshots/5_0.png"
    with zipfile.ZipFile(tmp_path / "in/screenshots.zip", "w") as archive:
        archive.write(shown, "screenshots/5_0.png")
    content = shown.read_bytes()
    shown.unlink()
    shown.parent.rmdir()
    record = read_one(file, tmp_path / "out")
    assert MediaStore(tmp_path / "out").read(record.steps[0].image or "") == content


def test_the_public_annotation(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/quoted_records/gui_odyssey_6565803623678743_abridged.json"
    assert [one.source for one in find_inputs([public]).inputs] == ["gui_odyssey"]
    row = json.loads(public.read_text(encoding="utf-8"))
    (tmp_path / "in/screenshots").mkdir(parents=True)
    (tmp_path / "in/screenshots/6565803623678743_0.png").write_bytes(picture((108, 240)))
    record = read_one(written(tmp_path / "in/annotations/a.json", row), tmp_path / "out")
    (step,) = record.steps
    assert step.actions == [Click(x=0.374, y=0.621)] and step.low_level == "Open the Chrome browser."
    assert step.image and record.apps == ["Chrome", "X"] and record.outcome.completed is None
    assert record.lineage == ["The last step here is 0, of a run of 12 steps."]
