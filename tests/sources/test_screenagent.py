"""ScreenAgent's sessions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.model import actions as act
from curate.sources.actions.screenagent import read_action
from curate.sources.registry import sources
from tests.factories import png
from tests.sources.folders import read_one


def test_the_published_session(shared: Path, tmp_path: Path) -> None:
    """Seven rows: a plan, three actions, each with a judgement after it. Points are pixels of 1024 x 768."""
    source = shared / "data/sources/screenagent/adp_sample_raw.json"
    assert [name for name, known in sources().items() if known.recognise(source)] == ["screenagent"]
    shutil.copy(source, tmp_path)
    rows = json.loads(source.read_text(encoding="utf-8"))[0]
    (tmp_path / "images").mkdir()
    for number, row in enumerate(rows):
        (tmp_path / "images" / row["saved_image_name"]).write_bytes(png(shade=number))
    record = read_one(tmp_path / source.name, tmp_path / "out")
    assert (record.instruction, record.platform) == ("Enlarge the displayed webpage", "linux")
    assert record.task.steps == ["打开浏览器设置菜单", "点击放大按钮，使网页显示更大", "关闭浏览器设置菜单"]
    menu, zoom, close = record.steps
    assert menu.actions == close.actions == [act.Click(round(1008 / 1024, 4), round(73 / 768, 4))]
    assert zoom.actions == [act.DoubleClick(round(963 / 1024, 4), round(279 / 768, 4))]
    assert menu.low_level == "Open Browser Settings Menu" and close.low_level == "Close Browser Settings Menu"
    assert (menu.reflection or "").startswith("According to the picture given, we open the setting menu")
    assert menu.image_after and zoom.image_after and record.final_image == close.image_after is not None
    assert (menu.thought or "").startswith("According to the image on the screen") and "```" not in (menu.thought or "")
    assert record.outcome.completed is None


def mouse(kind: str, **more: Any) -> dict[str, Any]:
    return {"action_type": "MouseAction", "mouse_action_type": kind, **more}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (mouse("click", mouse_button="right", mouse_position={"width": 3, "height": 4}), [act.RightClick(3, 4)]),
        (mouse("click", mouse_button="left"), [act.Click(7, 8)]),
        (mouse("move", mouse_position={"width": 3, "height": 4}), [act.MoveTo(3, 4)]),
        (mouse("drag", mouse_position={"width": 3, "height": 4}), [act.MoveTo(7, 8), act.DragTo(3, 4)]),
        (mouse("scroll_up", scroll_repeat=2), ("up", 2)),
        (mouse("scroll_down", scroll_repeat=0), None),
        (mouse("down"), None),
        ({"action_type": "KeyboardAction", "keyboard_key": "Ctrl+A"}, [act.Hotkey(("ctrl", "a"))]),
        ({"action_type": "KeyboardAction", "keyboard_key": "Super_L"}, [act.Press("win")]),
        ({"action_type": "KeyboardAction", "keyboard_text": "Hi\n"}, [act.Write("Hi\n")]),
        ({"action_type": "KeyboardAction", "keyboard_key": "prose of a kind"}, None),
        ({"action_type": "WaitAction", "wait_time": 0.5}, [act.Wait(0.5)]),
        ({"action_type": "Unheard"}, None),
    ],
)  # fmt: skip
def test_actions(given: dict[str, Any], expected: Any) -> None:
    assert read_action(given, (7, 8), "linux") == expected
