"""Checksums of Matroska files: what the library wrote holds, what was changed afterwards does not."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from importlib import resources
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.store.matroska import sound_times

DUMP = Path(str(resources.files("curate"))) / "_data" / "dump"


def written(path: Path, form: str = "matroska", frames: int = 12, **options: str) -> list[int]:
    """A small video; the times of its frames in milliseconds."""
    times = [0, 40, 41, 1000, 40_000, 40_040, 100_000, 100_100, 100_200, 100_300, 7_000_000, 7_000_001][:frames]
    with av.open(str(path), "w", form, options) as out:
        stream = out.add_stream("libx264", rate=25, options={"qp": "0", "preset": "ultrafast", "tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv444p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, time in enumerate(times):
            noise = np.random.default_rng(number).integers(0, 255, (48, 64, 3), np.uint8)
            frame = av.VideoFrame.from_ndarray(noise, format="bgr24").reformat(format="yuv444p")
            frame.pts, frame.time_base = time, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return times


@pytest.mark.parametrize("limit", ["0", "100", "5000"])
def test_all_of_a_whole_file_is_sound(tmp_path: Path, limit: str) -> None:
    times = written(tmp_path / "a.mkv", cluster_time_limit=limit)
    assert sound_times(tmp_path / "a.mkv") == set(times)


@pytest.mark.parametrize("folder", sorted(p for p in DUMP.iterdir() if p.is_dir()), ids=lambda p: p.name)
def test_the_recordings_that_ship_are_sound(folder: Path) -> None:
    with av.open(str(folder / "screen.mkv")) as video:
        times = {round(p.pts * p.time_base * 1000) for p in video.demux(video=0) if p.size}
    assert sound_times(folder / "screen.mkv") == times


@settings(max_examples=60, deadline=None)
@given(place=st.floats(0.1, 0.999), change=st.integers(1, 255), length=st.sampled_from([1, 3, 50, 3000]))
def test_whatever_byte_is_changed_its_frame_is_not_sound(place: float, change: int, length: int) -> None:
    """With a cluster for every frame: the changed one is found, and no other is lost with it."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.mkv"
        times = written(path, cluster_time_limit="0")
        data = bytearray(path.read_bytes())
        at = int(place * len(data))
        starts = [k for k in range(len(data)) if data[k : k + 4] == b"\x1f\x43\xb6\x75"]
        end = data.rindex(b"\x1c\x53\xbb\x6b")
        for k in range(at, min(at + length, len(data))):
            data[k] ^= change
        path.write_bytes(data)
        found = sound_times(path) or set()
        changed = {
            time
            for time, first, last in zip(times, starts, [*starts[1:], end], strict=True)
            if at < last and at + length > first
        }
        assert found & changed == set()
        assert found >= set(times) - changed - {times[-1]}


def test_of_a_file_that_was_cut_the_whole_blocks_count(tmp_path: Path) -> None:
    times = written(tmp_path / "a.mkv", frames=3, cluster_time_limit="5000")
    data = (tmp_path / "a.mkv").read_bytes()
    sizes = [sound_times_of(tmp_path, data[:size]) for size in range(0, len(data), 97)]
    assert all(found is None or found <= set(times) for found in sizes)
    assert {0, 40} in sizes


def sound_times_of(folder: Path, data: bytes) -> set[int] | None:
    (folder / "cut.mkv").write_bytes(data)
    return sound_times(folder / "cut.mkv")


def test_files_without_checksums_say_nothing(tmp_path: Path) -> None:
    written(tmp_path / "a.mp4", "mp4")
    assert sound_times(tmp_path / "a.mp4") is None
    for name, data in (("empty", b""), ("short", b"\x1f\x43"), ("text", b"no video\n" * 1000)):
        (tmp_path / name).write_bytes(data)
        assert sound_times(tmp_path / name) is None
    marks = b"\x1f\x43\xb6\x75" * 2000
    (tmp_path / "marks").write_bytes(marks)
    assert sound_times(tmp_path / "marks") is None
