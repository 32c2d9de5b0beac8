"""AITZ and CAGUI: JSON within JSON, y before x, boxes in pixels or in fractions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click, Home, LongPress, Swipe, Terminate, Wait
from curate.model.trajectory import Trajectory
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore, read_rgb
from curate.store.trees import read_tree
from tests.sources.folders import read_all, read_one, rejected_one
from tests.sources.phones import picture, written

FIXTURES = Path(__file__).parent / "fixtures" / "aitz"


def episode(folder: Path, *steps: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, step in enumerate(steps):
        (folder / f"E_{number}.png").write_bytes(picture((100, 200), number))
        rows.append({
            "episode_id": "E", "step_id": number, "instruction": "Do it", "image_path": f"general/E/E_{number}.png",
            "result_action_text": "", "result_touch_yx": "[-1.0, -1.0]", "result_lift_yx": "[-1.0, -1.0]", **step,
        })  # fmt: skip
    return written(folder / "E.json", rows)


def test_boxes_of_aitz_are_pixels_and_those_of_cagui_fractions(tmp_path: Path) -> None:
    for number, boxes in enumerate(("[[20, 10, 40, 50]]", "[[0.1, 0.1, 0.2, 0.5]]")):
        step = {"result_action_type": 6, "ui_positions": boxes, "ui_text": '["a"]', "ui_types": '["TEXT"]'}
        record = read_one(episode(tmp_path / str(number), step), tmp_path / "out")
        (node,) = read_tree(MediaStore(tmp_path / "out"), record.steps[0].tree or "").nodes
        assert node.box == (0.1, 0.1, 0.6, 0.3)  # left 10 of 100, top 20 of 200, 50 wide, 40 high


@pytest.mark.parametrize(
    ("touch", "reason"),
    [("[0.5; 0.5]", "validate.schema"), ("[0.5]", "validate.schema"),
     ("[1.5, 0.5]", "validate.coordinate_out_of_range"), ("[true, 0.5]", "validate.coordinate_out_of_range")],
)  # fmt: skip
def test_a_point_that_is_none_refuses_the_episode(tmp_path: Path, touch: str, reason: str) -> None:
    step = {"result_action_type": 4, "result_touch_yx": touch, "result_lift_yx": touch}
    assert rejected_one(episode(tmp_path / "in", step), tmp_path).reason == reason


def test_long_presses_and_waiting_of_cagui(tmp_path: Path) -> None:
    record = next(one for one in read_all(FIXTURES / "cagui/raw", tmp_path) if isinstance(one, Trajectory))
    assert [step.actions for step in record.steps] == [
        [LongPress(x=0.1475, y=0.2275)], [Wait(1.0)], [Terminate("impossible")],
    ]  # fmt: skip


def test_nobodys_home_folder_comes_along(tmp_path: Path) -> None:
    assert "anna" not in repr(read_all(FIXTURES / "coat/raw", tmp_path))


def test_the_public_row_of_cagui(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/quoted_records/cagui_domestic_step_abridged.json"
    (row,) = json.loads(public.read_text(encoding="utf-8"))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / row["image_path"].rsplit("/", 1)[-1]).write_bytes(picture((122, 271)))
    record = read_one(written(tmp_path / "in/a.json", [row]), tmp_path / "out")
    assert record.steps[0].actions == [Click(x=0.1475, y=0.2275)] and record.steps[0].image_size == (1220, 2712)
    assert record.source.url == "https://huggingface.co/datasets/OpenBMB/CAGUI"
    assert record.lineage == ["The last step here is 0, of a run of 10 steps."]


def test_the_public_sample(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/aitz_coat"
    assert [one.source for one in find_inputs([public]).inputs] == ["aitz"]
    record = read_one(public, tmp_path)
    assert (record.id, record.outcome.completed, record.outcome.by) == ("aitz:523638528775825151", True, "human")
    # The finger goes up from y 0.541 to 0.001: the words say "scroll up", and the drawer that stands below comes.
    assert [step.actions for step in record.steps] == [
        [Home()], [Swipe(x=0.5074, y=0.5411, to_x=0.5789, to_y=0.0011)], [Click(x=0.607, y=0.4984)],
        [Terminate("success")],
    ]  # fmt: skip
    assert [step.action for step in record.steps][:2] == ["press the home button", "scroll up"]
    media = MediaStore(tmp_path)
    assert all(step.image and not step.flags and step.thought and step.reflection for step in record.steps)
    shown = read_rgb(media.read(record.steps[2].image or ""))
    assert shown is not None and shown.shape == (600, 270, 3)
    first = read_tree(media, record.steps[0].tree or "").nodes[0]
    assert (first.name, first.box) == ("M", (0.063, 0.09, 0.1074, 0.1033))  # 54, 17, 8, 12 of 270 x 600
