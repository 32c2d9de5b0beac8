"""AgentNetBench: tasks of an offline benchmark, each one JSON file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from curate.model.actions import Terminate
from curate.model.trajectory import Trajectory
from curate.sources.base import ReadContext
from curate.sources.common.sightings import Sightings
from curate.sources.registry import source
from curate.store.media import MediaStore
from tests.factories import png
from tests.sources.folders import read_all, read_one


def test_the_published_tasks(shared: Path, tmp_path: Path) -> None:
    """Codes stay as they are published, points lie in their elements, step numbers with their gaps; nobody says how
    it ended. Two of the pictures are there."""
    folder = shared / "data/sources/agentnetbench"
    spotify, orwell = read_all(folder, tmp_path)
    assert isinstance(spotify, Trajectory) and isinstance(orwell, Trajectory)
    for record, gaps in ((spotify, [3, 10, 12]), (orwell, [2, 6, 9])):
        published = json.loads((folder / f"{record.source.id}.json").read_text(encoding="utf-8"))["steps"]
        assert [step.index for step in record.steps] == [step["step_num"] for step in published]
        assert [step.index for step in record.steps if "step_gap" in step.flags] == gaps
        assert record.outcome.completed is None and record.source.license == "MIT"
        assert isinstance(record.steps[-1].actions[0], Terminate)
        for step, one in zip(record.steps, published, strict=True):
            assert step.code == one["action"].replace("keys=['enter']", "'enter'")
            boxes = [box for action in one["ground_truth_actions"] for box in action["metadata"].get("bboxes", [])]
            assert (step.element is not None) == bool(boxes)
            assert step.action == one["inner_monologue"]["low_level_instruction"]
    assert (spotify.platform, orwell.platform) == ("macos", "windows")
    assert spotify.steps[6].code == "pyautogui.moveTo(x=0.4496, y=0.7349)\npyautogui.scroll(-54)"
    assert [step.index for step in orwell.steps if step.image] == [4]


def test_every_point_of_the_published_tasks_lies_in_its_box(shared: Path, tmp_path: Path) -> None:
    """What the detector gets to see: raw points with the box of their target."""
    seen = Sightings()
    for path in sorted((shared / "data/sources/agentnetbench").glob("*.json")):
        context = ReadContext(media=MediaStore(tmp_path), sightings=seen)
        assert len(list(source("agentnetbench").read(path, context))) == 1
    boxed = [point for point in seen.points if point.box is not None]
    assert len(boxed) >= 10
    for point in boxed:
        (left, top, right, bottom), (x, y) = point.box or (0, 0, 0, 0), point.raw
        assert left <= x <= right and top <= y <= bottom, point


def test_the_line_break_of_an_expected_text_stays(tmp_path: Path) -> None:
    """Where a step has no code, the expected text is typed with the line break that means Enter."""
    expected = [{"type": "write", "params": {"text": "it's\n"}, "metadata": {}}]
    step = {"step_num": 0, "image": "a.png", "action": None, "ground_truth_actions": expected}
    task = {"task_id": "s", "user_task_description": "Type", "steps": [step]}
    (tmp_path / "images").mkdir()
    (tmp_path / "images/a.png").write_bytes(png())
    (tmp_path / "s.json").write_text(json.dumps(task), encoding="utf-8")
    assert read_one(tmp_path / "s.json", tmp_path / "out").steps[0].code == 'pyautogui.write(message="it\'s\\n")'
    shutil.rmtree(tmp_path / "out")
