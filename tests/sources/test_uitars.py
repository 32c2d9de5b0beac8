"""UI-TARS' conversations."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from curate.model.actions import Click
from curate.model.rejected import Rejected
from curate.sources.base import ReadContext
from curate.sources.registry import source, sources
from curate.store.media import MediaStore
from tests.factories import png
from tests.sources.folders import read_all, read_one


def write(folder: Path, *calls: str, size: tuple[int, int] = (1280, 720)) -> Path:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "## User Instruction\nLook", "loss_mask": 0}]
    folder.mkdir(parents=True)
    Image.new("RGB", size).save(folder / "a.png")
    for call in calls:
        messages += [
            {"role": "user", "content": [{"type": "image", "image": "a.png"}], "loss_mask": 0},
            {"role": "assistant", "content": f"Thought: So\nAction: {call}", "loss_mask": 1},
        ]
    (folder / "talk.json").write_text(json.dumps(messages), encoding="utf-8")
    return folder / "talk.json"


def test_the_published_conversation(shared: Path, tmp_path: Path) -> None:
    """Eight clicks, their tagged points of 1000; only the last is trained on, and the pictures are placeholders."""
    path = shared / "data/sources/ui_tars/training_example.json"
    assert [name for name, known in sources().items() if known.recognise(path)] == ["uitars"]
    record = read_one(path, tmp_path)
    assert record.instruction.startswith("Buy a pop rock album CD from the United Kingdom")
    assert len(record.steps) == 8 and record.steps[0].actions == [Click(0.495, 0.03)]
    assert [step.weight for step in record.steps] == [0.0] * 7 + [1.0]
    assert record.steps[-1].code == "pyautogui.click(x=0.293, y=0.218)" and record.outcome.completed is None


def test_the_published_form_with_a_picture(shared: Path, tmp_path: Path) -> None:
    shutil.copy(shared / "data/training-formats/ui_tars_v1.json", tmp_path)
    picture = tmp_path / "images/s_df0fd37049f470c2_4.png"
    picture.parent.mkdir()
    picture.write_bytes(png())
    (step,) = read_one(tmp_path / "ui_tars_v1.json", tmp_path / "out").steps
    assert step.code == "pyautogui.click(x=0.528, y=0.269)" and step.image
    assert (step.thought or "").startswith("So far, I have")


@pytest.mark.parametrize(
    ("call", "x", "y"),
    [
        ("click(start_box='<|box_start|>(528,269)<|box_end|>')", 0.528, 0.269),  # of 1000
        ("click(point='<point>680 196</point>')", 0.528, 0.2692),  # of 1288 x 728, to which 1280 x 720 is resized
    ],
)
def test_the_tag_tells_the_frame(tmp_path: Path, call: str, x: float, y: float) -> None:
    assert read_one(write(tmp_path / "in", call), tmp_path / "out").steps[0].actions == [Click(x, y)]


def test_bare_points_are_stated_or_refused(tmp_path: Path) -> None:
    """Part E.5: 1.5 writes pixels without a tag, and v1's tags get lost: one point alone tells neither."""
    path = write(tmp_path / "in", "click(start_box='(680,196)')")
    (found,) = read_all(path, tmp_path / "out")
    assert isinstance(found, Rejected) and found.reason == "import.undecided" and "import.space" in (found.detail or "")
    for space, point in (("picture_pixel", Click(0.528, 0.2692)), ("permille", Click(0.68, 0.196))):
        context = ReadContext(media=MediaStore(tmp_path / "out"), options={"import": {"space": space}})
        (item,) = source("uitars").read(path, context)
        assert not isinstance(item, Rejected) and item.trajectory.steps[0].actions == [point]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("hotkey(key='ctrl c')", "pyautogui.hotkey('ctrl', 'c')"),
        ("type(content='it\\'s\\n')", 'pyautogui.write(message="it\'s\\n")'),
        ("scroll(start_box='<|box_start|>(500,500)<|box_end|>', direction='up')",
         "pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.scroll(5)"),
        ("scroll(start_box='<|box_start|>(500,500)<|box_end|>', direction='right')",
         "pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.hscroll(5)"),
        ("wait()", "computer.wait(seconds=5.0)"),
        ("finished(content='')", "computer.terminate(status='success')"),
        ("press_home()", "mobile.home()"),
        ("click(start_box='<|box_start|>(0,1000)<|box_end|>')\n\ntype(content='a')",
         "pyautogui.click(x=0.0, y=1.0)\npyautogui.write(message='a')"),
    ],
)  # fmt: skip
def test_calls(tmp_path: Path, call: str, code: str) -> None:
    assert read_one(write(tmp_path / "in", call), tmp_path / "out").steps[0].code == code


def test_points_over_a_thousand_refuse_the_run(tmp_path: Path) -> None:
    """Part D, case 4 (1003 in 0-1000)."""
    (found,) = read_all(write(tmp_path / "in", "click(start_box='<|box_start|>(1003,170)<|box_end|>')"), tmp_path / "o")
    assert isinstance(found, Rejected) and found.reason == "validate.coordinate_out_of_range"


def test_a_picture_within_the_message(tmp_path: Path) -> None:
    path = write(tmp_path / "in", "click(point='<point>644 364</point>')")
    picture = base64.b64encode((tmp_path / "in/a.png").read_bytes()).decode()
    talk = path.read_text(encoding="utf-8").replace('"a.png"', f'"data:image/png;base64,{picture}"')
    path.write_text(talk, encoding="utf-8")
    (step,) = read_one(path, tmp_path / "out").steps
    assert step.image is not None and step.actions == [Click(0.5, 0.5)]  # of 1288 x 728
