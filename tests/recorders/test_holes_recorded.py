"""Recordings with holes, made by the recorder on a real desktop: what the reducer says of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click, Press, Terminate
from curate.model.render import code_of
from curate.model.trajectory import Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.media import MediaStore
from curate.store.recording import Outcome
from recorders import Options, Session
from tests.recorders.conftest import run

PAUSE, PRIVATE = "ctrl+alt+Home", "ctrl+alt+Prior"


def recorded(folder: Path, *keys: str) -> Trajectory:
    """Keys pressed one after another (`click`: a click), half a second apart."""
    session = Session(folder, "try it", Options(name="one", accessibility=False))
    session.start()
    time.sleep(0.3)
    for key in keys:
        run("xdotool", *(["mousemove", "300", "200", "click", "1"] if key == "click" else ["key", key]))
        time.sleep(0.5)
    assert session.stop("asked", Outcome(status="success")).faults == []
    media = MediaStore(folder / "media")
    return reduce_recording(open_recording(folder / "one"), media, ReduceOptions(), KeyframeOptions())[0]


@pytest.mark.parametrize(("chord", "kind"), [(PAUSE, "pause"), (PRIVATE, "private")])
def test_what_was_done_out_of_sight_is_told(
    display: str, tmp_path: Path, program: Callable[..., Any], chord: str, kind: str
) -> None:
    program("xterm", "-geometry", "60x20+100+100", "-e", "sh", "-c", "sleep 60")
    time.sleep(0.5)
    middle = recorded(tmp_path / "middle", "click", chord, "F7", chord, "F8", "F9")
    assert [type(step.actions[0]) for step in middle.steps] == [Click, Press, Press, Terminate]
    assert [step.index for step in middle.steps if "hidden_before" in step.flags] == [1]
    assert middle.steps[-1].actions == [Terminate("success")] and middle.final_image is not None
    assert f"not recorded before step 1: {kind}" in middle.lineage
    ended = recorded(tmp_path / "ended", "click", chord, "F7")
    assert [type(step.actions[0]) for step in ended.steps] == [Click, Terminate]
    assert ended.steps[-1].actions == [Terminate(None)] and "hidden_before" in ended.steps[-1].flags
    assert ended.steps[0].image is not None and ended.steps[-1].image is None and ended.final_image is None


@pytest.mark.parametrize("chord", [PAUSE, PRIVATE])
def test_shortcuts_after_a_pause_are_steps_and_the_stop_keys_are_none(
    display: str, tmp_path: Path, program: Callable[..., Any], chord: str
) -> None:
    program("xterm", "-geometry", "60x20+100+100", "-e", "sh", "-c", "sleep 60")
    time.sleep(0.5)
    record = recorded(tmp_path, "click", chord, "F7", chord, "ctrl+a", "ctrl+End", "F8", "ctrl+alt+End")
    assert [code_of(step.actions) for step in record.steps[1:-1]] == [
        "pyautogui.hotkey('ctrl', 'a')", "pyautogui.hotkey('ctrl', 'end')", "pyautogui.press('f8')",
    ]  # fmt: skip
    assert isinstance(record.steps[-1].actions[0], Terminate)
