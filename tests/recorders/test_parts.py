"""The recorder's parts on their own: clock, order and numbers of rows, names, video."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import av
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.store.recording import EndRow, MoveRow, read_frames, read_rows
from recorders.desktop.base import PointerFiles
from recorders.privacy.names import Scrub
from recorders.screen.video import VideoWriter
from recorders.writer import EventWriter
from recorders.x11_clock import NS_PER_MS, ServerClock

DAY_MS = 86_400_000


@given(st.integers(0, 400 * DAY_MS), st.integers(-(2**31), 2**31 - 1), st.integers(-20 * DAY_MS, DAY_MS))
def test_server_time_is_unwrapped(event_ms: int, offset: int, read_later_ms: int) -> None:
    """Whatever the machine's uptime, the server's offset and how late the row is read: the event's own millisecond."""
    server_ms = (event_ms + offset) % 2**32
    now = max(0, event_ms - read_later_ms) * NS_PER_MS + 123
    assert ServerClock(offset).monotonic_ns(server_ms, now) == event_ms * NS_PER_MS


@given(st.integers(0, 100 * DAY_MS), st.integers(0, 45))
def test_a_server_on_our_clock_has_no_offset(before_ms: int, trip_ms: int) -> None:
    sample = (before_ms * NS_PER_MS, before_ms % 2**32, (before_ms + trip_ms) * NS_PER_MS)
    assert ServerClock.measured([sample]).offset_ms == 0


def test_a_remote_servers_offset_is_of_the_quickest_answer() -> None:
    slow, quick = (0, 5_000_900, 800 * NS_PER_MS), (10**9, 5_001_001, 10**9 + 2 * NS_PER_MS)
    assert ServerClock.measured([slow, quick]).offset_ms == 5_000_000


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-60, 60), min_size=1, max_size=60))
def test_rows_of_several_threads_come_in_the_order_of_their_times(offsets: list[int]) -> None:
    """Rows that are up to 60 ms late still find their place; numbers have no gaps; the end comes last."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        writer = EventWriter(path)
        base = time.monotonic_ns()
        rows = [MoveRow(seq=0, t=max(0, base + offset * NS_PER_MS), x=i, y=0) for i, offset in enumerate(offsets)]
        threads = [
            threading.Thread(target=lambda part: [writer.put(r) for r in part], args=(rows[k::3],)) for k in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        writer.close("asked")
        unreadable: list[tuple[int, str]] = []
        read = [row for _, row in read_rows(path, unreadable)]
        assert not unreadable
        assert writer.fault is None
        assert [row.seq for row in read] == list(range(len(rows) + 1))
        assert [row.t for row in read] == sorted(row.t for row in read)
        assert sorted(row.x for row in read if isinstance(row, MoveRow)) == list(range(len(rows)))
        assert isinstance(read[-1], EndRow)


def test_a_row_is_on_the_disk_within_a_quarter_second(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    writer = EventWriter(path)
    writer.put(MoveRow(seq=0, t=time.monotonic_ns(), x=1, y=2))
    end = time.monotonic() + 5
    begun = time.monotonic()
    while not path.read_bytes() and time.monotonic() < end:
        time.sleep(0.005)
    assert time.monotonic() - begun < 0.3
    writer.close("asked")


def test_names_of_machine_and_user_are_hidden_as_whole_words() -> None:
    scrub = Scrub(["annika", "build-7.lan", "build-7", "root", "x"])
    assert scrub("annika@build-7: ~/x - Annika's notes") == "[account]: ~/x - [name]'s notes"
    assert scrub("mannikas root of build-70") == "mannikas root of build-70"
    assert scrub(None) is None
    assert Scrub([])("annika") == "annika"


def test_a_pointer_shape_is_stored_once(tmp_path: Path) -> None:
    files = PointerFiles(tmp_path, "pointers")
    first, again, other = files.keep(b"one"), files.keep(b"one"), files.keep(b"two")
    assert first == again != other
    assert (tmp_path / first).read_bytes() == b"one"
    assert len(list((tmp_path / "pointers").iterdir())) == 2


def test_premultiplied_pointer_pixels_become_straight() -> None:
    import io

    from PIL import Image

    from recorders.desktop.x11_desktop import pointer_png

    picture = Image.open(io.BytesIO(pointer_png(2, 1, [0x80400000, 0x00000000])))
    red, clear = picture.getpixel((0, 0)), picture.getpixel((1, 0))
    assert isinstance(red, tuple)
    assert isinstance(clear, tuple)
    assert abs(red[0] - 128) <= 1
    assert red[1:3] == (0, 0)
    assert red[3] == 128
    assert clear[3] == 0


def test_video_keeps_every_time_and_every_colour(tmp_path: Path) -> None:
    """Coloured one-pixel lines, the worst case for chroma; times with uneven gaps, two in the same millisecond."""
    rng = np.random.default_rng(3)
    writer = VideoWriter(tmp_path, 200, 120)
    times, pictures, t = [], [], 7_000_000_123
    for gap_us in (0, 40_000, 3_000, 400, 1_250_000, 40_000, 16_667):
        t += gap_us * 1000
        picture = np.full((120, 200, 4), 255, np.uint8)
        picture[rng.integers(0, 120, 30)] = (*rng.integers(0, 256, 3), 255)
        times.append(t)
        pictures.append(picture)
        writer.write(picture.tobytes(), t)
    writer.close()
    rows = read_frames(tmp_path / "frames.jsonl")
    assert [row.t for row in rows] == times
    with av.open(str(tmp_path / "screen.mkv")) as video:
        stream = video.streams.video[0]
        assert stream.codec_context.pix_fmt == "yuvj444p", "full colour resolution and the full range of values"
        frames = list(video.decode(stream))
    assert [round(f.pts * f.time_base * 1000) for f in frames] == [row.pts for row in rows]
    assert all(abs((row.t - times[0]) / NS_PER_MS - row.pts) < 2 for row in rows)
    for frame, picture in zip(frames, pictures, strict=True):
        seen = frame.to_ndarray(format="rgb24").astype(int)
        assert np.abs(seen - picture[..., 2::-1].astype(int)).max() <= 1


def test_importing_the_recorder_needs_no_display() -> None:
    import subprocess

    names = ("events.x11_events", "desktop.x11_desktop", "events.pynput_source", "screen.capture", "__main__")
    code = "import " + ", ".join(f"recorders.{name}" for name in names)
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PATH": ""}, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("t", [0, 2**62])
def test_rows_hold_any_time(t: int) -> None:
    row = MoveRow(seq=0, t=t, x=-3, y=1.5)
    assert msgspec.json.decode(msgspec.json.encode(row), type=MoveRow) == row
