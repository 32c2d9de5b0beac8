"""Rows of our recordings as they lie on disk: read back as written, and everything else told with its line."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.constants import MAX_ROW_BYTES
from curate.model.errors import InputError
from curate.model.trajectory import Screen
from curate.store import recording as rec

MOVE = b'{"kind":"move","seq":0,"t":5,"x":1,"y":2}\n'

text = st.text(max_size=20)
pixels = st.integers(-5000, 9000) | st.floats(-5000, 9000)
at: dict[str, Any] = {"seq": st.integers(0, 10**9), "t": st.integers(0, 2**62)}
rows = st.one_of(
    st.builds(rec.MoveRow, **at, x=pixels, y=pixels),
    st.builds(rec.ButtonRow, **at, x=pixels, y=pixels, button=text, pressed=st.booleans()),
    st.builds(rec.ScrollRow, **at, x=pixels, y=pixels, dx=st.floats(-99, 99), dy=st.floats(-99, 99)),
    st.builds(rec.KeyRow, **at, key=text, code=st.none() | st.integers(0, 999), pressed=st.booleans(),
              text=st.none() | text, dead=st.booleans(), repeat=st.booleans(), injected=st.none() | st.booleans()),
    st.builds(rec.WindowRow, **at, app=st.none() | text, title=st.none() | text),
    st.builds(rec.PointerRow, **at, image=text, hot_x=st.integers(0, 99), hot_y=st.integers(0, 99), name=text),
    st.builds(rec.ScreenRow, **at, width=st.integers(1, 9000), height=st.integers(1, 9000)),
    st.builds(rec.RedactionRow, **at, since=st.integers(0, 2**62), kinds=st.lists(text, max_size=3),
              reason=st.sampled_from(["password", "private", "excluded", "redacted"])),
    st.builds(rec.ClipboardRow, **at, text=st.none() | text),
    st.builds(rec.EndRow, **at, reason=text),
    st.builds(rec.PauseRow, **at), st.builds(rec.ResumeRow, **at),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(rows, max_size=20))
def test_rows_come_back_as_written(tmp_path_factory: pytest.TempPathFactory, written: list[rec.AnyRow]) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in written))
    unreadable: list[tuple[int, str]] = []
    assert [(line, row) for line, row in rec.read_rows(path, unreadable)] == list(enumerate(written, 1))
    assert unreadable == []


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{not json}\n", "not JSON"),
        (b"\n", "not JSON"),
        (b'{"kind":"move","seq":0,"t":5,"x":"1","y":2}\n', "no event"),
        (b'{"kind":"move","seq":0,"t":-5,"x":1,"y":2}\n', "no event"),
        (b'{"kind":"move","seq":0,"t":5,"x":NaN,"y":2}\n', "not JSON"),
        (b'{"seq":0,"t":5}\n', "no event"),
        (b'["move"]\n', "no event"),
        (b'{"kind":"window","seq":0,"t":5,"title":"\xff\xfe"}\n', "not"),
        (b'"' + b"x" * (MAX_ROW_BYTES + 100) + b'"\n', "longer than"),
        (b'"' + b"x" * (3 * MAX_ROW_BYTES) + b'"\n', "longer than"),
    ],
    ids=lambda value: value[:24].decode("latin-1").strip() if isinstance(value, bytes) else value,
)
def test_a_bad_row_is_told_and_the_next_is_read(tmp_path: Path, bad: bytes, why: str) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(MOVE + bad + MOVE)
    unreadable: list[tuple[int, str]] = []
    assert [line for line, _ in rec.read_rows(path, unreadable)] == [1, 3]
    assert [line for line, _ in unreadable] == [2]
    assert why in unreadable[0][1]
    assert unreadable[0][1].endswith(".")


@pytest.mark.parametrize("kept", range(1, len(MOVE) - 2))
def test_a_row_cut_off_anywhere_is_named_as_such(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(MOVE + MOVE[:kept])
    unreadable: list[tuple[int, str]] = []
    assert len(list(rec.read_rows(path, unreadable))) == 1
    assert unreadable == [(2, "The row is cut off: the recorder was interrupted here.")]


def test_a_row_of_a_later_version_is_kept_as_unknown(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(
        b'{"kind":"gesture","seq":3,"t":9,"text":"x"}\n{"kind":"move","seq":4,"t":9,"x":1,"y":2,"new":1}\n'
    )
    unreadable: list[tuple[int, str]] = []
    first, second = (row for _, row in rec.read_rows(path, unreadable))
    assert first == rec.UnknownRow(seq=3, t=9, kind="gesture")
    assert isinstance(second, rec.MoveRow)
    assert unreadable == []


def test_only_some_kinds_are_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    window = b'{"kind":"window","seq":1,"t":6,"app":"a","title":"b"}\n'
    path.write_bytes(MOVE * 3 + window + b"junk\n" + MOVE)
    assert [line for line, _ in rec.read_rows(path, [], only=("window",))] == [4]


BOM = b"\xef\xbb\xbf"


@given(
    st.binary(max_size=300) | st.lists(st.sampled_from([b"ab", b"\n", b"\r\n", b"\0"])).map(b"".join),
    st.integers(4, 60),
)
def test_lines_follow_each_other_without_a_gap(content: bytes, limit: int) -> None:
    for data in (content, BOM + content):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rows").write_bytes(data)
            found = list(rec.lines(Path(folder) / "rows", limit))
        pieces = [piece + b"\n" for piece in data.split(b"\n")]
        pieces[-1] = pieces[-1][:-1]  # what comes after the last line end has none
        pieces = [piece for piece in pieces if piece]
        assert [line.number for line in found] == list(range(1, len(pieces) + 1))
        at = 0
        for line, piece in zip(found, pieces, strict=True):
            begins = at + 3 * (at == 0 and piece.startswith(BOM))
            assert (line.start, line.end) == (begins, at + len(piece))
            assert line.whole == piece.endswith(b"\n")
            if line.data is None:
                assert len(piece) >= limit
            else:
                assert len(piece) <= limit and line.data == piece.removeprefix(BOM if at == 0 else b"").removesuffix(
                    b"\n"
                )
            at += len(piece)


def test_frames_come_in_order_and_half_a_last_row_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "frames.jsonl"
    path.write_bytes(b'{"n":0,"t":5,"pts":0}\n{"n":1,"t":9,"pts":4}\n{"n":2,"t":1')
    assert [row.t for row in rec.read_frames(path)] == [5, 9]
    path.write_bytes(b'{"n":0,"t":5,"pts":0}\n{"n":2,"t":9,"pts":4}\n')
    with pytest.raises(InputError, match=r"line 2: frame 2 stands where frame 1"):
        rec.read_frames(path)
    path.write_bytes(b'{"n":0,"t":5,"pts":0}\nxx\n{"n":1,"t":9,"pts":4}\n')
    with pytest.raises(InputError, match="line 2"):
        rec.read_frames(path)


def info(**more: Any) -> rec.RecordingInfo:
    return rec.RecordingInfo(
        id="ab12", recorder="x11@1", platform="linux", instruction="t", screen=Screen(width=8, height=6), **more
    )


def test_info_comes_back_as_written(tmp_path: Path) -> None:
    given = info(outcome=rec.Outcome(status="failure", reason="why"), stop_chord=["ctrl", "x"], ended=True)
    rec.write_info(tmp_path, given)
    assert rec.read_info(tmp_path) == given
    assert json.loads((tmp_path / rec.INFO).read_text(encoding="utf-8"))["schema"] == "recording.v1"


@pytest.mark.parametrize(
    ("change", "why"),
    [({"schema": "recording.v9"}, "recording.v9"), ({"screen": 5}, "screen"), ({"id": "../x"}, "id"),
     ({"outcome": {"status": "maybe"}}, "outcome"), ({"screen": {"width": 0, "height": 5}}, "screen")],
)  # fmt: skip
def test_info_that_cannot_be_believed_is_refused(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    rec.write_info(tmp_path, info())
    stored = json.loads((tmp_path / rec.INFO).read_text(encoding="utf-8"))
    (tmp_path / rec.INFO).write_text(json.dumps({**stored, **change}), encoding="utf-8")
    with pytest.raises(InputError, match=why):
        rec.read_info(tmp_path)


def test_a_folder_without_info_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing"):
        rec.read_info(tmp_path)
