"""Opening our recordings: times, shapes and windows, faults with their line, and the ten that ship."""

from __future__ import annotations

import getpass
import socket
from collections import Counter
from pathlib import Path

import av
import msgspec
import numpy as np
import pytest

from curate.model import data
from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.model.trajectory import Screen
from curate.sources.base import ReadContext
from curate.sources.recording import SOURCE, open_recording
from curate.store import recording as rec
from curate.store.media import MediaStore

HOUR = 3_600_000_000_000


def folder_with(folder: Path, rows: list[rec.AnyRow], tail: bytes = b"") -> Path:
    rec.write_info(
        folder,
        rec.RecordingInfo(
            id="ab12", recorder="x11@1", platform="linux", instruction="t", screen=Screen(width=8, height=6),
            stop_chord=["ctrl", "alt", "end"], outcome=rec.Outcome(status="failure", reason="why"),
        ),
    )  # fmt: skip
    (folder / rec.EVENTS).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows) + tail)
    return folder


def test_times_are_exact_seconds_since_the_first_row(tmp_path: Path) -> None:
    """A thousand hours of uptime must not cost nanoseconds."""
    zero = 1000 * HOUR + 7
    rows = [rec.MoveRow(seq=i, t=zero + i * 1_000_001, x=i, y=0) for i in range(3)]
    opened = open_recording(folder_with(tmp_path, rows))
    assert [e.time for e in opened.events()] == [0.0, 0.001000001, 0.002000002]
    assert [e.time for e in opened.events()] == [0.0, 0.001000001, 0.002000002], "a second pass is the same"
    assert (opened.completed, opened.status, opened.outcome_reason) == (False, "failure", "why")
    assert opened.stop_chord == ("ctrl", "alt", "end")


def test_an_outcome_nobody_was_asked_for_is_unknown(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [rec.MoveRow(seq=0, t=5, x=1, y=1)])
    info = msgspec.structs.replace(rec.read_info(folder), outcome=None)
    rec.write_info(folder, info)
    opened = open_recording(folder)
    assert (opened.completed, opened.status) == (None, None)


def test_indices_are_rows_of_the_file_and_bad_ones_are_told(tmp_path: Path) -> None:
    row = rec.MoveRow(seq=0, t=5, x=1, y=1)
    good = msgspec.json.encode(row) + b"\n"
    opened = open_recording(folder_with(tmp_path, [row], b"oops\n" + good + good[:20]))
    assert [e.index for e in opened.events()] == [0, 2]
    assert [line for line, _ in opened.unreadable] == [2, 4]
    list(opened.events())
    assert len(opened.unreadable) == 2, "told once, however often events are read"


@pytest.mark.parametrize("name", ["/etc/passwd", "../other/p.png", "pointers/../../x.png", "C:\\x.png", ""])
def test_a_pointers_picture_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    rows = [rec.MoveRow(seq=0, t=1, x=1, y=1), rec.PointerRow(seq=1, t=2, image=name, hot_x=0, hot_y=0)]
    opened = open_recording(folder_with(tmp_path, list(rows)))
    assert [e.kind for e in opened.events()] == ["move"]
    assert opened.shapes == []
    assert [line for line, _ in opened.unreadable] == [2]


def test_a_video_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside.mkv"
    outside.write_bytes(b"secret")
    inner = tmp_path / "r"
    inner.mkdir()
    folder_with(inner, [rec.MoveRow(seq=0, t=1, x=1, y=1)])
    (inner / rec.VIDEO).symlink_to(outside)
    with pytest.raises(InputError, match="link"):
        open_recording(inner)


def test_a_recording_without_events_is_said(tmp_path: Path) -> None:
    folder_with(tmp_path, [])
    with pytest.raises(InputError, match="no events"):
        open_recording(tmp_path)
    (tmp_path / rec.EVENTS).write_bytes(b"nothing\n")
    with pytest.raises(InputError, match="no event that can be read"):
        open_recording(tmp_path)


DUMP = sorted(path.parent for path in data.folder("dump").glob("*/recording.json"))


def test_the_dump_is_what_it_is_said_to_be() -> None:
    size = sum(path.stat().st_size for path in data.folder("dump").rglob("*") if path.is_file())
    assert size < 2_500_000
    assert len(DUMP) >= 8
    opened = [open_recording(folder) for folder in DUMP]
    assert len({r.id for r in opened}) == len(opened)
    assert Counter(r.completed for r in opened)[False] == 1
    assert {r.windows[0].app for r in opened} >= {"chromium", "mousepad", "xterm", "calculator"}
    written = b"".join(path.read_bytes() for path in data.folder("dump").rglob("*.json*"))
    for name in {socket.gethostname(), getpass.getuser()} - {"root", "user", "vm", "localhost"}:
        assert name.encode() not in written


@pytest.mark.parametrize("folder", DUMP, ids=lambda folder: folder.name)
def test_a_shipped_recording_is_whole(folder: Path) -> None:
    """Every frame decodes and has its time, events are in order, every key that went down came up."""
    info = rec.read_info(folder)
    assert info.ended
    assert info.faults == []
    assert (info.screen.width, info.screen.height) == (1280, 720)
    opened = open_recording(folder)
    events = list(opened.events())
    assert opened.unreadable == []
    assert info.counts is not None
    assert (len(events), len(opened.frame_times or [])) == (info.counts.events, info.counts.frames)
    times = [e.time for e in events]
    assert times == sorted(times)
    assert events[-1].kind == "end"
    assert opened.shapes
    with av.open(str(opened.video)) as video:
        stream = video.streams.video[0]
        assert stream.codec_context.pix_fmt == "yuvj444p"  # 4:4:4 in the full range
        frames = [np.asarray(f.to_ndarray(format="gray")) for f in video.decode(stream)]
    assert len(frames) == info.counts.frames
    assert all(frame.shape == (720, 1280) for frame in frames)
    pressed = Counter(e.code for e in events if e.kind == "key" and e.pressed and not e.repeat)
    released = Counter(e.code for e in events if e.kind == "key" and not e.pressed)
    assert pressed == released


# --- recording.json and events.jsonl as they should not be -----------------------------------------------------

MOVES: list[rec.AnyRow] = [rec.MoveRow(seq=i, t=5 + i, x=1, y=1) for i in range(2)]


def rejected_because(folder: Path, tmp_path: Path) -> tuple[str, str]:
    context = ReadContext(media=MediaStore(tmp_path / "media"), shown="r")
    (row,) = SOURCE.read(folder, context)
    assert isinstance(row, Rejected)
    return row.reason, row.detail or ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "r"
    inner.mkdir()
    return folder_with(inner, MOVES)


@pytest.mark.parametrize("name", [rec.INFO, rec.EVENTS, rec.VIDEO])
def test_no_file_of_the_recording_may_be_a_link_out_of_it(folder: Path, tmp_path: Path, name: str) -> None:
    """Also recording.json: what another folder says is not what this one recorded."""
    outside = tmp_path / name
    outside.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"video")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    reason, detail = rejected_because(folder, tmp_path)
    assert reason == "read.path_refused" and detail.startswith(f"{name}: ")


@pytest.mark.parametrize("name", [rec.INFO, rec.EVENTS])
def test_other_encodings_are_named_and_a_byte_order_mark_is_none(folder: Path, tmp_path: Path, name: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8-sig")
    opened = open_recording(folder)
    assert [event.index for event in opened.events()] == [0, 1] and not opened.unreadable
    (folder / name).write_text(text, encoding="utf-16")
    reason, detail = rejected_because(folder, tmp_path)
    assert reason == "read.encoding" and name in detail


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        (rec.INFO, b"", "read.empty"),
        (rec.INFO, b'{"schema":', "read.json"),
        (rec.INFO, b"{}", "read.json"),
        (rec.EVENTS, b"", "read.empty"),
        (rec.EVENTS, b"oops\n" * 3, "read.empty"),
    ],
)
def test_each_fault_has_its_own_reason(folder: Path, tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    (folder / name).write_bytes(data)
    reason, detail = rejected_because(folder, tmp_path)
    assert reason == expected and name in detail
    if data.startswith(b"oops"):
        assert "Line 1" in detail
