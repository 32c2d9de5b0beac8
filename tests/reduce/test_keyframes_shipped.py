"""The recordings that ship with the package: every step has its picture, no picture has the pointer on its target, and
the pointer is drawn where the last action ended. (That none shows a highlight on its target was looked at.) Where the
program tells of itself, every press has its element and every step its tree."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import cv2
import pytest

from curate.model.actions import POINTED, Click, DoubleClick, RightClick
from curate.model.trajectory import Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.media import MediaStore
from curate.store.recording import read_info

DUMP = Path(str(resources.files("curate"))) / "_data" / "dump"
RECORDINGS = sorted(path for path in DUMP.iterdir() if path.is_dir()) if DUMP.is_dir() else []


PRESSES = (Click, DoubleClick, RightClick)
SILENT = {"xterm", "calculator"}  # terminals and Tk publish nothing to accessibility


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: folder.name)
def test_every_press_has_its_element_and_every_step_its_tree(tmp_path: Path, folder: Path) -> None:
    record: Trajectory = reduce_recording(
        open_recording(folder), MediaStore(tmp_path), ReduceOptions(), KeyframeOptions()
    )[0]
    if SILENT & set(record.apps):
        assert not any(step.tree or step.element for step in record.steps)
        assert any("No accessibility tree came from" in note for note in read_info(folder).notes)
        return
    for step in record.steps:
        assert step.tree is not None and (tmp_path / step.tree).is_file()
        if isinstance(step.actions[0], PRESSES):
            assert step.element is not None and step.element.role not in (None, "group", "document", "window")
            assert step.element.name or step.element.role == "edit", "an editor's text has no name"


def test_words_say_what_was_pressed(tmp_path: Path) -> None:
    """A choice by a menu that opens under the pointer, switches that only the line beside them names, a slider."""
    record = reduce_recording(
        open_recording(DUMP / "console-notifications"), MediaStore(tmp_path), ReduceOptions(), KeyframeOptions()
    )[0]
    said = [step.action for step in record.steps if step.element is not None]
    assert said[:3] == [
        'Click the menuitem "Notifications"', 'Click the button "A ship is late"',
        'Click the button "News about the console"',
    ]  # fmt: skip
    assert said[3] is not None and said[3].startswith('Drag the slider "Volume" to (')


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: folder.name)
def test_every_step_has_an_honest_picture(tmp_path: Path, folder: Path) -> None:
    record: Trajectory = reduce_recording(
        open_recording(folder), MediaStore(tmp_path), ReduceOptions(), KeyframeOptions()
    )[0]
    for step in record.steps:
        keyframe = step.keyframe
        assert step.image is not None and keyframe is not None and step.time is not None
        assert keyframe.time < step.time.start and not keyframe.erased
        if isinstance(step.actions[0], POINTED):
            assert keyframe.pointer_on_target is False and keyframe.floor_on_target is not True
            assert "pointer_near" not in step.flags
    assert record.final_image == record.steps[-1].image


def test_the_mail_is_chosen_from_a_list_in_which_its_row_is_not_lit(tmp_path: Path) -> None:
    """The row lights up by 8 levels under the pointer, which came into it far from the point. Its ground is white."""
    record = reduce_recording(
        open_recording(DUMP / "mail-reading-group"), MediaStore(tmp_path), ReduceOptions(), KeyframeOptions()
    )[0]
    step = record.steps[0]
    assert step.image is not None and step.keyframe is not None and step.keyframe.pointer is not None
    picture = cv2.imread(str(tmp_path / step.image))
    assert picture is not None and picture[240:316, 540:575].min() >= 254
    assert step.keyframe.pointer[1] * 720 > 320  # the row ends there
