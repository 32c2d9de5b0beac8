"""`recover`: whatever a kill, a full disk or a power cut leaves becomes a valid recording that holds what was there,
and claims no more."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.engine.schemas import all_schemas
from curate.reduce.redaction.recording import redact_recording
from curate.reduce.redaction.secrets import Secret
from curate.reduce.redaction.spellings import Spellings
from curate.sources.recording import open_recording
from curate.store.recording import RecordingInfo, RedactionRow, read_frames, read_info
from recorders.recovery.recover import recover, recovered
from tests.recorders.interrupted import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    HEIGHT,
    INFO,
    VIDEO,
    WIDTH,
    contents,
    copy_of,
    decoded,
)

ROOT = Path(__file__).resolve().parents[2]
DUMP = ROOT / "curate" / "_data" / "dump"


@cache
def frames_of(folder: Path) -> list[tuple[int, bytes]]:
    return decoded(folder / VIDEO)


@cache
def validators() -> dict[str, jsonschema.Draft202012Validator]:
    return {
        name: jsonschema.Draft202012Validator(all_schemas()[name])
        for name in ("recording.v1", "raw-event.v1")
    }  # fmt: skip


def check_whole(folder: Path, original: Path) -> RecordingInfo:
    """What must hold of every recovered recording: valid by its schemas, rows are a prefix of what was written and an
    end, frames are the original's pixel for pixel, and the counts are true."""
    schemas = validators()
    schemas["recording.v1"].validate(json.loads((folder / INFO).read_text(encoding="utf-8")))
    info = read_info(folder)
    assert info.ended and info.recovered and info.faults and info.counts is not None
    lines = (folder / EVENTS).read_bytes().splitlines()
    written = (original / EVENTS).read_bytes().splitlines() if (original / EVENTS).exists() else []
    rows = [json.loads(line) for line in lines]
    for row in rows:
        schemas["raw-event.v1"].validate(row)
    assert lines[:-1] == written[: len(lines) - 1]
    assert (rows[-1]["kind"], rows[-1]["reason"]) == ("end", "interrupted")
    assert [row["seq"] for row in rows] == list(range(len(rows)))
    assert rows[-1]["t"] >= max((row["t"] for row in rows), default=0)
    assert info.counts.events == len(rows)
    index = read_frames(folder / FRAMES) if (folder / FRAMES).exists() else []
    if (folder / VIDEO).exists() and index:
        pictures, whole = decoded(folder / VIDEO), dict(frames_of(original))
        assert [pts for pts, _ in pictures] == [row.pts for row in index]
        assert all(whole[pts] == pixels for pts, pixels in pictures)
    assert info.counts.frames == len(index)
    return info


def test_a_killed_recording_becomes_whole_and_a_second_time_changes_nothing(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    done = recovered(folder)
    info = check_whole(folder, killed)
    assert done.changed and done.info == info
    assert info.counts is not None
    assert (info.counts.events, info.counts.frames, info.counts.trees) == (121, 45, 3)
    assert info.faults == ["The recorder was interrupted: what is known ends at 1.76 s."]
    assert sorted(p.name for p in folder.iterdir()) == sorted(p.name for p in killed.iterdir()), "nothing left behind"
    before = contents(folder)
    again = recovered(folder)
    assert not again.changed and contents(folder) == before
    moved = tmp_path / "später" / "日本 1"
    moved.parent.mkdir()
    folder.rename(moved)
    recording = open_recording(moved)
    events = list(recording.events())
    assert not recording.unreadable and events[-1].detail == "interrupted" and len(events) == 121


@settings(max_examples=30, deadline=None)
@given(cuts=st.fixed_dictionaries({n: st.integers(0, 4000) for n in (EVENTS, FRAMES, VIDEO, ACCESSIBILITY)}))
def test_any_truncation_of_any_file_gives_a_valid_prefix(killed: Path, cuts: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = copy_of(killed, Path(name))
        for file, cut in cuts.items():
            data = (folder / file).read_bytes()
            (folder / file).write_bytes(data[: max(0, len(data) - cut)])
        info = recover(folder)
        assert info == check_whole(folder, killed)
        kept = (folder / ACCESSIBILITY).read_bytes()
        assert (killed / ACCESSIBILITY).read_bytes().startswith(kept.removesuffix(b"\n"))
        assert not (folder / "recovered").exists(), "half a row is no reason to keep a file"
        before = contents(folder)
        assert not recovered(folder).changed and contents(folder) == before


def test_every_byte_of_the_last_rows(killed: Path, tmp_path: Path) -> None:
    """Without video, so that every place of the last rows can be tried: a whole row stays, nothing else does."""
    data = (killed / EVENTS).read_bytes()
    whole = data.splitlines()
    for size in range(len(data) - 160, len(data) + 1):
        folder = tmp_path / str(size)
        folder.mkdir()
        shutil.copyfile(killed / INFO, folder / INFO)
        (folder / EVENTS).write_bytes(data[:size])
        info = recover(folder)
        lines = (folder / EVENTS).read_bytes().splitlines()
        complete = data[:size].count(b"\n") + (data[size : size + 1] == b"\n")
        assert lines[:-1] == whole[:complete]
        assert info.counts is not None and info.counts.events == complete + 1
        assert any("half a last row" in fault for fault in info.faults) == (not data[:size].endswith((b"\n", b"}")))


def gone(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def filled(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(data) and None


GARBAGE = bytes(range(256)) * 40
DAMAGES = {
    **{f"no {name}": gone(name) for name in (INFO, EVENTS, VIDEO, FRAMES, ACCESSIBILITY)},
    **{f"empty {name}": filled(name, b"") for name in (INFO, EVENTS, VIDEO, FRAMES, ACCESSIBILITY)},
    **{f"garbage {name}": filled(name, GARBAGE) for name in (INFO, EVENTS, VIDEO, FRAMES, ACCESSIBILITY)},
    **{f"zeros {name}": filled(name, bytes(5000)) for name in (INFO, EVENTS, VIDEO, FRAMES, ACCESSIBILITY)},
}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_what_is_lost_is_said_and_the_rest_is_kept(killed: Path, tmp_path: Path, damage: str) -> None:
    folder = copy_of(killed, tmp_path, "task 7, späť")
    DAMAGES[damage](folder)
    info = recover(folder)
    what, name = damage.split()
    if what in ("garbage", "zeros") and name in (EVENTS, VIDEO):
        kept = folder / "recovered" / name
        assert kept.exists() or (what, name) == ("zeros", EVENTS), "what cannot be read is kept aside"
    check_whole(folder, killed)
    told = " ".join(info.faults)
    if name == INFO:
        assert (info.platform, info.recorder, info.instruction) == (None, None, None)
        assert info.id == "task-7-sp"
        assert info.screen is not None and (info.screen.width, info.screen.height) == (WIDTH, HEIGHT)
        assert "recording.json was lost" in told
    if name == VIDEO:
        assert info.counts is not None and info.counts.frames == 0
        assert "No picture of the video can be used" in told
    if name == FRAMES:
        assert "times of the pictures are lost" in told
        assert [f[0] for f in decoded(folder / VIDEO)] == [f[0] for f in frames_of(killed)]
    recording_or_reason(folder, events=name != EVENTS)
    assert not recovered(folder).changed


def recording_or_reason(folder: Path, events: bool) -> None:
    recording = open_recording(folder)
    found = list(recording.events())
    assert recording.unreadable == []
    assert len(found) == (121 if events else 1)


def test_frames_of_the_video_that_lost_their_row_get_the_videos_time(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    rows = (folder / FRAMES).read_bytes().splitlines(keepends=True)
    (folder / FRAMES).write_bytes(b"".join(rows[:30]) + rows[30][:9])
    info = recover(folder)
    check_whole(folder, killed)
    was, now = read_frames(killed / FRAMES), read_frames(folder / FRAMES)
    assert len(now) == len(was)
    assert all(0 <= n.t - w.t < 1_000_000 for n, w in zip(now, was, strict=True)), "no picture shows anything later"
    assert "15 pictures had lost their times: they are the video's own, to a millisecond." in info.faults


def test_a_hole_in_the_video_takes_only_what_builds_upon_it(killed: Path, tmp_path: Path) -> None:
    """Zeros where a page never reached the disk: frames from there to the next key frame are wrong, and go."""
    folder = copy_of(killed, tmp_path)
    data = bytearray((folder / VIDEO).read_bytes())
    at = data.find(b"\x1f\x43\xb6\x75", len(data) // 2)  # the beginning of a frame after the middle
    data[at + 4 : at + 4 + 300] = bytes(300)
    (folder / VIDEO).write_bytes(data)
    info = recover(folder)
    check_whole(folder, killed)
    assert info.counts is not None
    assert 1 <= info.counts.frames < 45
    assert any("pictures" in fault for fault in info.faults[1:])


@settings(max_examples=30, deadline=None)
@given(place=st.floats(0.05, 0.999), length=st.sampled_from([1, 7, 64, 700, 4096]), zeros=st.booleans())
def test_no_damage_of_the_video_is_taken_for_a_picture(killed: Path, place: float, length: int, zeros: bool) -> None:
    """Lossless video decodes to something whatever its bytes are; what comes out here is the original, or nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = copy_of(killed, Path(name))
        data = bytearray((folder / VIDEO).read_bytes())
        at = int(place * len(data))
        data[at : at + length] = bytes(length if at + length <= len(data) else len(data) - at)
        if not zeros:
            data[at : at + length] = bytes((7 * k + at) % 256 for k in range(len(data[at : at + length])))
        (folder / VIDEO).write_bytes(data)
        recover(folder)
        check_whole(folder, killed)


def test_rows_that_cannot_be_read_in_the_middle_stay_and_are_told(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    lines = (folder / EVENTS).read_bytes().splitlines()
    lines[40] = b"\x00" * len(lines[40])
    del lines[60:63]
    (folder / EVENTS).write_bytes(b"\n".join(lines) + b"\n")
    info = recover(folder)
    assert (folder / EVENTS).read_bytes().splitlines()[:-1] == lines
    assert "events.jsonl: 1 lines before the end cannot be read (line 41)." in info.faults
    assert "events.jsonl: 3 rows are missing before the end, by their numbers." in info.faults
    assert info.counts is not None and info.counts.events == 117
    assert not recovered(folder).changed


def test_what_was_kept_aside_is_in_no_redacted_copy(killed: Path, tmp_path: Path) -> None:
    """What cannot be read cannot be searched for secrets either."""
    folder = copy_of(killed, tmp_path)
    with (folder / EVENTS).open("ab") as file:
        file.write(b'half a row, of "hunter2"\nand another\n')
    recover(folder)
    assert b"hunter2" in (folder / "recovered" / EVENTS).read_bytes()
    out = redact_recording(folder, Spellings([Secret(text="hunter2")]), tmp_path / "out").folder
    assert not any(b"hunter2" in data or "recovered" in name for name, data in contents(out).items())


def test_a_span_that_was_still_hidden_ends_with_the_recording(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    begun = RedactionRow(seq=120, t=6_200_000_000, since=6_200_000_000, reason="private", kinds=["key"])
    with (folder / EVENTS).open("ab") as file:
        file.write(msgspec.json.encode(begun) + b"\n")
    recover(folder)
    hidden, end = [json.loads(line) for line in (folder / EVENTS).read_bytes().splitlines()[-2:]]
    assert (hidden["kind"], hidden["since"], hidden["seq"]) == ("redaction", begun.since, 121)
    assert hidden["t"] == end["t"] > begun.since
    assert end["seq"] == 122


@pytest.mark.parametrize("folder", sorted(p for p in DUMP.iterdir() if p.is_dir())[:4], ids=lambda p: p.name)
def test_a_recording_that_ended_is_left_as_it_is(folder: Path, tmp_path: Path) -> None:
    copy = copy_of(folder, tmp_path)
    times = {p: p.stat().st_mtime_ns for p in copy.rglob("*")}
    done = recovered(copy)
    assert not done.changed and done.info.ended and not done.info.recovered
    assert {p: p.stat().st_mtime_ns for p in copy.rglob("*")} == times
    assert contents(copy) == contents(folder)
