"""OpenAdapt: episodes and recordings."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from curate.model import actions as act
from curate.model.rejected import Rejected
from curate.sources.actions.openadapt import read_action, scroll_of
from curate.sources.registry import sources
from tests.factories import png
from tests.sources.folders import make_video, read_all, read_one, rejected_one

RECORDING = Path(__file__).parent / "fixtures/openadapt/recording/raw/capture_1"


def test_the_published_sample(shared: Path, tmp_path: Path) -> None:
    """Six steps in fractions, a success."""
    source = shared / "data/sources/openadapt/openadapt_ml_sample_data.json"
    assert [name for name, known in sources().items() if known.recognise(source)] == ["openadapt"]
    shutil.copy(source, tmp_path)
    (tmp_path / "screenshots").mkdir()
    for number in range(6):
        (tmp_path / f"screenshots/step_{number}.png").write_bytes(png(shade=number))
    record = read_one(tmp_path / source.name, tmp_path / "out")
    assert (record.id, record.instruction) == ("openadapt:episode_001", "Log into the application")
    assert [step.code for step in record.steps] == [
        "pyautogui.click(x=0.5, y=0.4)", "pyautogui.write(message='user@example.com')",
        "pyautogui.click(x=0.5, y=0.55)", "pyautogui.write(message='secretpassword')", "pyautogui.click(x=0.5, y=0.7)",
        "computer.terminate(status='success')",
    ]  # fmt: skip
    assert record.outcome.completed is True and all(step.image for step in record.steps)
    first, *_, last = record.steps
    assert first.element is not None and (first.element.role, first.element.name) == ("textfield", "Username")
    assert (first.app, first.window) == ("MyApp", "Login - MyApp") and last.time is not None and last.time.start == 9.0


def test_a_recording_is_only_read(tmp_path: Path) -> None:
    shutil.copytree(RECORDING, tmp_path / "capture_1")
    before = (tmp_path / "capture_1/recording.db").read_bytes()
    assert len(read_one(tmp_path / "capture_1", tmp_path / "out").steps) == 5
    assert (tmp_path / "capture_1/recording.db").read_bytes() == before
    assert [path.name for path in (tmp_path / "capture_1").iterdir()] == ["recording.db"]
    assert not [path for path in (tmp_path / "out").iterdir() if path.name != "media"]


def test_what_only_stands_in_the_journal_is_read_too(tmp_path: Path) -> None:
    """A recorder that was killed leaves its last events in the journal beside the database."""
    (tmp_path / "live").mkdir()
    shutil.copy(RECORDING / "recording.db", tmp_path / "live")
    table = sqlite3.connect(tmp_path / "live/recording.db")
    table.execute("PRAGMA journal_mode = WAL")
    table.execute("UPDATE recording SET task_description = 'Find tea'")
    table.commit()
    (tmp_path / "cut").mkdir()
    for name in ("recording.db", "recording.db-wal"):
        shutil.copy(tmp_path / "live" / name, tmp_path / "cut" / name)
    table.close()
    assert read_one(tmp_path / "cut", tmp_path / "out").instruction == "Find tea"
    assert sorted(path.name for path in (tmp_path / "cut").iterdir()) == ["recording.db", "recording.db-wal"]


def test_a_broken_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "capture").mkdir()
    data = (RECORDING / "recording.db").read_bytes()
    (tmp_path / "capture/recording.db").write_bytes(data[:1500])
    found = read_all(tmp_path / "capture", tmp_path / "out")
    assert found and all(isinstance(one, Rejected) and one.reason == "read.error" for one in found)
    assert rejected_one(tmp_path / "capture", tmp_path / "out").file == "capture"


def episode(folder: Path, *actions: dict[str, Any], size: list[int] | None = None) -> Path:
    steps = []
    folder.mkdir(parents=True)
    (folder / "a.png").write_bytes(png())
    for number, action in enumerate(actions):
        seen = {"screenshot_path": "a.png", "screen_size": size}
        steps.append({"step_index": number, "observation": seen, "action": action})
    made = {"schema_version": "1.0.0", "episode_id": "e", "instruction": "Do it", "steps": steps}
    (folder / "e.json").write_text(json.dumps(made), encoding="utf-8")
    return folder / "e.json"


def test_pixels_are_of_the_screen_and_fractions_are_fractions(tmp_path: Path) -> None:
    path = episode(tmp_path / "in", {"type": "click", "coordinates": {"x": 512, "y": 384}},
                   {"type": "click", "normalized_coordinates": [0.5, 0.375]}, size=[1024, 1024])  # fmt: skip
    assert [step.actions for step in read_one(path, tmp_path / "out").steps] == [[act.Click(0.5, 0.375)]] * 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "hover"}, [act.MoveTo(1, 2)]),
        ({"type": "click", "modifiers": ["shift", "ctrl"]}, [act.Click(1, 2, modifiers=("ctrl", "shift"))]),
        ({"type": "drag"}, [act.MoveTo(3, 4), act.DragTo(5, 6)]),
        ({"type": "key", "key": "enter"}, [act.Press("enter")]),
        ({"type": "hotkey", "key": "c", "modifiers": ["meta"]}, [act.Hotkey(("command", "c"))]),
        ({"type": "wait", "duration": 2}, [act.Wait(2)]),
        ({"type": "goto", "url": "https://a.example"}, [act.Goto("https://a.example")]),
        ({"type": "open_app", "app_name": "Notes"}, [act.OpenApp("Notes")]),
        ({"type": "screenshot"}, []),
        ({"type": "window_move"}, None),
        ({"type": "refresh"}, None),
        ({"type": "key", "key": "prose of a kind"}, None),
    ],
)
def test_actions(given: dict[str, Any], expected: Any) -> None:
    assert read_action(given, (1, 2), (3, 4), (5, 6), "macos") == expected


def test_scrolls() -> None:
    assert scroll_of({"type": "scroll", "scroll_direction": "down", "scroll_amount": 300}) == ("down", 300)
    assert scroll_of({"type": "scroll", "scroll_direction": "up"}) == ("up", 0)
    assert scroll_of({"type": "scroll"}) is None


def test_pictures_come_from_the_video_where_there_is_one(tmp_path: Path) -> None:
    """The recorder usually keeps a video alone; its first frame is at `video_start_time`."""
    folder = tmp_path / "capture"
    shutil.copytree(RECORDING, folder)
    make_video(folder / "oa_recording-1700000000.mp4", seconds=10.0)
    table = sqlite3.connect(folder / "recording.db")
    table.execute("DELETE FROM screenshot")
    table.execute("UPDATE recording SET video_start_time = timestamp")
    table.commit()
    table.close()
    steps = read_one(folder, tmp_path / "out").steps
    assert [step.code for step in steps][:2] == ["pyautogui.click(x=0.25, y=0.25)", "pyautogui.write(message='tea')"]
    assert all(step.image and step.image_size == (640, 360) for step in steps)
    assert all(step.keyframe is not None for step in steps)
