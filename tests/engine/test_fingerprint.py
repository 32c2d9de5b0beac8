"""Cuts of JSONL files: whole lines, nothing twice, nothing lost, whatever the bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine import fingerprint
from curate.engine.fingerprint import UNREAD, cut_lines, hash_files


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=20),
    end=st.booleans(), target=st.integers(1, 60), chunk=st.integers(1, 17),
)  # fmt: skip
def test_cuts_are_whole_lines_in_order(tmp_path: Path, lines: list[bytes], end: bool, target: int, chunk: int) -> None:
    data = b"\n".join(lines) + (b"\n" if end else b"")
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    before, fingerprint._CHUNK = fingerprint._CHUNK, chunk
    try:
        cuts, file = cut_lines(path, target)
    finally:
        fingerprint._CHUNK = before
    assert file.sha256 == hashlib.sha256(data).hexdigest() and file.bytes == len(data)
    assert b"".join(data[c.start : c.stop] for c in cuts) == data
    for cut in cuts:
        assert cut.sha256 == hashlib.sha256(data[: cut.stop]).hexdigest()
        assert cut.line == data[: cut.start].count(b"\n") + 1
        assert cut.start == 0 or data[cut.start - 1 : cut.start] == b"\n"
    for cut in cuts[:-1]:
        piece = data[cut.start : cut.stop]
        assert len(piece) >= target
        # a cut ends at the first line end from `target` bytes on
        assert b"\n" not in piece[target - 1 : -1]


def test_a_folder_is_hashed_by_relative_path_and_content(tmp_path: Path) -> None:
    for root in ("one", "other"):
        (tmp_path / root / "b").mkdir(parents=True)
        (tmp_path / root / "b" / "x.txt").write_text("x")
        (tmp_path / root / "a.txt").write_text("a")
    one, other = hash_files(tmp_path / "one"), hash_files(tmp_path / "other")
    assert one == other and [f.path for f in one] == ["a.txt", "b/x.txt"]
    (tmp_path / "other" / "a.txt").write_text("A")
    assert hash_files(tmp_path / "other") != one


def test_what_is_no_file_of_the_folder_is_not_read(tmp_path: Path) -> None:
    """A pipe would wait for ever, a device never ends, what a link leads to is somebody else's."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside.txt").write_text("secret")
    (folder / "inside.txt").write_text("x")
    for name, target in {
        "device": Path("/dev/zero"), "gone": tmp_path / "gone", "out": tmp_path / "outside.txt",
        "within": folder / "inside.txt",
    }.items():  # fmt: skip
        (folder / name).symlink_to(target)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
    read = {file.path for file in hash_files(folder) if file.sha256 != UNREAD}
    assert read == {"inside.txt", "within"}
    (tmp_path / "argument.gz").symlink_to(folder / "inside.txt")
    assert hash_files(tmp_path / "argument.gz")[0].sha256 != UNREAD, "what is named on the command line is meant"


def test_a_file_that_cannot_be_read_is_one_cut_and_stops_nothing(tmp_path: Path) -> None:
    cuts, file = cut_lines(tmp_path, 10)  # a folder cannot be opened as a file, by root neither
    assert [cut.sha256 for cut in cuts] == [file.sha256] == [UNREAD]
