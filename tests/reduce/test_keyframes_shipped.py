"""The recordings that ship with the package: every step has its picture, no picture has the pointer on its target, and
the pointer is drawn where the last action ended. (That none shows a highlight on its target was looked at.)"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import cv2
import pytest

from curate.model.actions import POINTED
from curate.model.trajectory import Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.media import MediaStore

DUMP = Path(str(resources.files("curate"))) / "_data" / "dump"
RECORDINGS = sorted(path for path in DUMP.iterdir() if path.is_dir()) if DUMP.is_dir() else []


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
