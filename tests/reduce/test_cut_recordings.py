"""Recordings whose video or frame times were cut (a crash, a full disk): what was filmed before the cut comes out as it
would have without it, what was not is flagged, and no picture is a stale one."""

from __future__ import annotations

import shutil
from pathlib import Path

import av
import pytest

from curate.model.trajectory import Step
from curate.sources.recording import open_recording
from curate.store.recording import FRAMES, VIDEO
from tests.reduce.shipped import MAIL, SHOP, reduced, whole


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


def cut(folder: Path, to: Path, video: float = 1.0, frames: float = 1.0) -> Path:
    """A copy of a recording with only so much of its video and frame times."""
    copy = to / folder.name
    shutil.copytree(folder, copy)
    for name, share in ((VIDEO, video), (FRAMES, frames)):
        content = (folder / name).read_bytes()
        (copy / name).write_bytes(content[: int(share * len(content))])
    return copy


def alike(left: Step, right: Step) -> bool:
    """Whether two steps have the same picture, found in the same way."""
    if left.keyframe is None or right.keyframe is None:
        return False
    same_time = abs(left.keyframe.time - right.keyframe.time) < 0.005  # the video's own times are whole milliseconds
    return same_time and (left.image, left.flags, left.keyframe.rule) == (right.image, right.flags, right.keyframe.rule)


@pytest.mark.parametrize("folder", [SHOP, MAIL], ids=lambda folder: folder.name)
@pytest.mark.parametrize(
    ("video", "frames"), [(0.45, 1.0), (0.65, 1.0), (0.79, 1.0), (0.93, 1.0), (0.79, 0.3), (0.65, 0.5)]
)
def test_up_to_the_cut_all_is_as_without_it_and_after_it_nothing_is_shown(
    tmp_path: Path, store: Path, folder: Path, video: float, frames: float
) -> None:
    full, left = whole(folder, store), reduced(cut(folder, tmp_path, video, frames), store)
    assert len(left.steps) == len(full.steps)
    missing = [step.image is None and "keyframe_missing" in step.flags for step in left.steps]
    served = missing.index(True)  # the end was cut off, so at least the last step lacks its picture
    assert all(missing[served:])
    assert all(alike(was, is_) for was, is_ in zip(full.steps[:served], left.steps[:served], strict=True))
    assert any(line.startswith("video ends at ") for line in left.lineage)


def test_a_step_is_shown_as_long_as_the_next_frame_is_known_to_be_later(tmp_path: Path, store: Path) -> None:
    """The cut goes through the middle of a frame: steps before that one came are shown, the others not."""
    with av.open(str(SHOP / VIDEO)) as video:
        packets = [packet for packet in video.demux(video=0) if packet.size]
    cut_off = len(packets) // 2
    last, broken = packets[cut_off - 1], packets[cut_off]
    assert broken.pos is not None and last.pts is not None and last.time_base is not None
    middle = broken.pos + broken.size // 2
    copy = cut(SHOP, tmp_path, middle / (SHOP / VIDEO).stat().st_size)
    left, full = reduced(copy, store), whole(SHOP, store)
    recording = open_recording(copy)
    assert recording.frame_times is not None
    known = recording.frame_times[cut_off] - next(iter(recording.events())).time
    end, missing = float(last.pts * last.time_base), len(packets) - cut_off
    assert left.lineage == [f"video ends at {end:.1f} s: {missing} of {len(packets)} frames missing"]
    assert full.steps[0].time is not None and full.steps[-1].time is not None
    assert full.steps[0].time.start < known < full.steps[-1].time.start
    for was, step in zip(full.steps, left.steps, strict=True):
        assert step.time is not None
        assert ("keyframe_missing" in step.flags) == (step.time.start > known)
        assert step.image == (None if step.time.start > known else was.image)
    assert left.final_image is None


@pytest.mark.parametrize("folder", [SHOP, MAIL], ids=lambda folder: folder.name)
@pytest.mark.parametrize("frames", [0.2, 0.5, 0.9])
def test_a_whole_video_serves_without_all_its_frame_times(
    tmp_path: Path, store: Path, folder: Path, frames: float
) -> None:
    full, left = whole(folder, store), reduced(cut(folder, tmp_path, frames=frames), store)
    assert all(alike(was, is_) for was, is_ in zip(full.steps, left.steps, strict=True))
    assert left.lineage[0].startswith("frame times end after ")


def test_the_last_frame_of_a_whole_video_stands_until_the_end(store: Path) -> None:
    """The shop's last two steps come when nothing has moved for four seconds."""
    assert all(step.image is not None for step in whole(SHOP, store).steps) and whole(SHOP, store).lineage == []
