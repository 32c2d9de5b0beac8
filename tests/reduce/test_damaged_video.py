"""Recordings whose video is damaged in the middle, or whose recorder was killed: no step is shown a wrong picture, and
a recovered recording tells the same as the interrupted one."""

from __future__ import annotations

import shutil
from pathlib import Path

import av
import msgspec
import pytest

from curate.model.actions import Terminate
from curate.model.trajectory import Trajectory
from curate.store.recording import EVENTS, FRAMES, VIDEO, read_info, write_info
from recorders.recovery.recover import recover
from tests.reduce.shipped import MAIL, SHOP, reduced, whole


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


def again(folder: Path, target: Path, leave_out: int | None = None, to: float = 1.0) -> None:
    """The video with a cluster for every frame, as the recorder writes it; without one frame; up to a share of it."""
    options = {"cluster_time_limit": "0", "fflags": "+bitexact"}
    with av.open(str(folder / VIDEO)) as source, av.open(str(target), "w", "matroska", options=options) as out:
        stream = source.streams.video[0]
        copy = out.add_stream_from_template(stream)
        packets = [packet for packet in source.demux(stream) if packet.size]
        for number, packet in enumerate(packets[: int(to * len(packets))]):
            if number != leave_out:
                packet.stream = copy
                out.mux(packet)


def pictures_are_right_or_missing(full: Trajectory, left: Trajectory) -> int:
    """How many steps lack their picture; every other must have a picture that the whole video gives."""
    right = {step.image for step in full.steps}
    for step in left.steps:
        assert (step.image is None) == ("keyframe_missing" in step.flags)
        assert step.image is None or step.image in right
    return sum(step.image is None for step in left.steps)


@pytest.mark.parametrize("folder", [SHOP, MAIL], ids=lambda folder: folder.name)
@pytest.mark.parametrize("place", [0.3, 0.7, 0.95])
def test_damaged_bytes_give_no_picture_and_all_others_stay(
    tmp_path: Path, store: Path, folder: Path, place: float
) -> None:
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    again(folder, copy / VIDEO)
    data = bytearray((copy / VIDEO).read_bytes())
    at = int(place * len(data))
    data[at : at + 40] = bytes(40)
    (copy / VIDEO).write_bytes(data)
    full, left = whole(folder, store), reduced(copy, store)
    missing = pictures_are_right_or_missing(full, left)
    assert missing > 0
    assert missing < len(full.steps) or place < 0.5, "what came before the damage is shown"
    assert any("missing or damaged" in line for line in left.lineage)


@pytest.mark.parametrize("number", [17, 30])
def test_a_frame_that_is_missing_takes_those_that_build_upon_it(tmp_path: Path, store: Path, number: int) -> None:
    copy = tmp_path / SHOP.name
    shutil.copytree(SHOP, copy)
    again(SHOP, copy / VIDEO, leave_out=number)
    left = reduced(copy, store)
    missing = pictures_are_right_or_missing(whole(SHOP, store), left)
    assert 0 < missing < len(left.steps)
    assert "1 frames are missing or damaged before the end of the video" in left.lineage


def interrupted(folder: Path, to: Path, share: float) -> Path:
    """A copy as a kill leaves it: events, video and frame times up to a moment, nothing closed."""
    copy = to / folder.name
    shutil.copytree(folder, copy)
    again(folder, copy / VIDEO, to=share)
    data = (copy / VIDEO).read_bytes()
    with av.open(str(copy / VIDEO)) as video:
        count = sum(1 for packet in video.demux(video=0) if packet.size)
    (copy / VIDEO).write_bytes(data[: data.rindex(b"\x1c\x53\xbb\x6b")])  # without what is written at the end
    frames = (copy / FRAMES).read_bytes().splitlines(keepends=True)[:count]
    (copy / FRAMES).write_bytes(b"".join(frames))
    until = msgspec.json.decode(frames[-1])["t"] + 200_000_000
    rows = [
        row
        for row in (copy / EVENTS).read_bytes().splitlines(keepends=True)
        if msgspec.json.decode(row)["t"] <= until and b'"kind":"end"' not in row
    ]
    (copy / EVENTS).write_bytes(b"".join(rows) + b'{"kind":"mo')
    info = read_info(copy)
    info.ended, info.counts, info.outcome = False, None, None
    write_info(copy, info)
    return copy


def comparable(record: Trajectory) -> list[bytes]:
    """Its steps but the last word."""
    return [
        msgspec.json.encode(step)
        for step in record.steps
        if not any(isinstance(action, Terminate) for action in step.actions)
    ]


@pytest.mark.parametrize("share", [0.4, 0.8])
def test_recovered_it_says_what_it_said_before(tmp_path: Path, store: Path, share: float) -> None:
    """The steps are the same; the end and its reason are new."""
    copy = interrupted(SHOP, tmp_path, share)
    before = reduced(copy, store)
    info = recover(copy)
    after = reduced(copy, store)
    assert info.recovered and info.ended
    assert before.steps and before.steps[0].image is not None
    assert comparable(after) == comparable(before)
    assert any(line.startswith("the recorder was interrupted") for line in before.lineage)
    assert any(line.startswith("the recorder was interrupted") for line in after.lineage)
    assert pictures_are_right_or_missing(whole(SHOP, store), after) < len(after.steps)
