"""What was done in a pause, a private span or a password field is in no row: the step after it says so, and a run that
ends there does not claim to know how."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.model.actions import Terminate, Wait
from curate.model.trajectory import Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions, Stretch
from curate.sources.recording import open_recording
from curate.store.media import MediaStore
from tests.reduce.film import Film, blank, box

FLAG = "hidden_before"
Rows = list[dict[str, Any]]


def reduced(film: Film, folder: Path) -> tuple[Trajectory, list[Stretch]]:
    recording = film.recording(folder, status="success", completed=True)
    return reduce_recording(recording, MediaStore(folder / "media"), ReduceOptions(), KeyframeOptions())


def flagged(record: Trajectory) -> list[int]:
    return [step.index for step in record.steps if FLAG in step.flags]


def draw(time: float) -> Any:
    """A panel opens at 2 s: what was done out of sight."""
    picture = box(blank(), 480, 45, 560, 75, 120)
    return box(picture, 100, 100, 400, 300, 60) if time >= 2.0 else picture


def hide(film: Film, kind: str, start: float, end: float | None) -> None:
    """A hole as the recorder writes it; None: it never ended."""
    if kind == "pause":
        film.add("pause", start)
        if end is not None:
            film.add("resume", end)
        return
    film.add("redaction", start, detail=kind, since=start)
    if end is not None:
        film.add("redaction", end, detail=kind, since=start)


@pytest.mark.parametrize("kind", ["pause", "private", "password", "excluded", "redacted"])
def test_the_first_step_after_a_hole_says_so_and_no_other(tmp_path: Path, kind: str) -> None:
    film = Film(draw, length=5.0, zero=0.0)
    film.click(0.8, 520, 60)
    hide(film, kind, 1.5, 2.5)
    film.click(3.2, 200, 200)
    film.click(4.0, 520, 60)
    film.add("end", 4.8, detail="asked")
    record, stretches = reduced(film, tmp_path)
    assert [type(step.actions[0]).__name__ for step in record.steps] == ["Click", "Click", "Click", "Terminate"]
    assert flagged(record) == [1]
    assert record.steps[3].actions == [Terminate("success")] and record.final_image is not None
    assert f"not recorded before step 1: {kind}" in record.lineage
    why = {s.reason for s in stretches if s.first in (2, 3)}
    assert why == {"reduce.paused" if kind == "pause" else "reduce.redacted"}, "the hole's rows tell which it was"


@pytest.mark.parametrize("kind", ["pause", "private"])
@pytest.mark.parametrize("ended", [False, True], ids=["open", "closed by the end"])
def test_a_run_that_ends_in_a_hole_does_not_know_how(tmp_path: Path, kind: str, ended: bool) -> None:
    """The recorder closes a private span when it ends; a pause it leaves open, and a kill leaves both."""
    film = Film(draw, length=5.0, zero=0.0)
    film.click(0.8, 520, 60)
    hide(film, kind, 1.5, 4.8 if ended and kind == "private" else None)
    film.add("end", 4.8, detail="asked")
    record, _ = reduced(film, tmp_path)
    end = record.steps[-1]
    assert end.actions == [Terminate(None)] and FLAG in end.flags and flagged(record) == [1]
    assert end.image is None and record.final_image is None, "it would show what was there before"
    assert "success" not in (end.code or "") + (end.action or "")
    assert record.outcome.completed is True, "the person's word stays the person's"


def test_a_click_while_keys_go_to_a_password_field(tmp_path: Path) -> None:
    """The span is open from the field's focus to that of another: the click on "Log in" lies in it."""
    film = Film(draw, length=6.0, zero=0.0)
    film.click(0.8, 520, 60)
    film.add("redaction", 1.0, detail="password", since=1.0)
    film.click(3.2, 200, 200)
    film.add("redaction", 3.3, detail="password", since=1.0)
    film.click(4.0, 520, 60)
    film.click(5.0, 520, 60)
    record, _ = reduced(film, tmp_path)
    assert flagged(record) == [1, 2], "between the click and the field's end a key may have been pressed, too"


def test_an_end_in_a_password_field_is_seen_but_not_known(tmp_path: Path) -> None:
    film = Film(draw, length=5.0, zero=0.0)
    film.click(0.8, 520, 60)
    film.add("redaction", 1.0, detail="password", since=1.0)
    film.add("redaction", 4.5, detail="password", since=1.0)
    film.add("end", 4.6, detail="seconds")
    record, _ = reduced(film, tmp_path)
    assert record.steps[-1].actions == [Terminate(None)]
    assert record.final_image is not None, "the screen went on being recorded"


def test_the_end_after_a_hole_and_what_was_done_after_it(tmp_path: Path) -> None:
    film = Film(draw, length=5.0, zero=0.0)
    film.click(0.8, 520, 60)
    hide(film, "pause", 1.5, 2.5)
    film.move(3.0, 3.4, (520, 60), (300, 200))
    film.add("end", 4.8, detail="asked")
    record, _ = reduced(film, tmp_path)
    assert record.steps[-1].actions == [Terminate("success")] and flagged(record) == [1]
    assert record.steps[-1].keyframe is not None and record.steps[-1].keyframe.time > 2.5 - 0.8


@pytest.mark.parametrize("kind", ["pause", "private", "password", "excluded"])
def test_nobody_is_said_to_have_waited_in_a_hole(tmp_path: Path, kind: str) -> None:
    film = Film(draw, length=12.0, zero=0.0)
    film.click(0.5, 520, 60)
    hide(film, kind, 1.0, 9.0)
    film.click(10.0, 200, 200)
    record, _ = reduced(film, tmp_path)
    assert not any(isinstance(action, Wait) for step in record.steps for action in step.actions)


def test_the_recorders_own_window_is_no_hole(tmp_path: Path) -> None:
    film = Film(draw, length=5.0, zero=0.0)
    film.add("window", 0.1, app="notes", own=False)
    film.click(0.8, 520, 60)
    film.add("window", 1.5, app="xterm", own=True)
    film.add("window", 2.5, app="notes", own=False)
    film.click(3.2, 200, 200)
    assert flagged(reduced(film, tmp_path)[0]) == []


DUMP = Path(str(resources.files("curate"))) / "_data" / "dump"


def without(folder: Path, copy: Path, cut: Callable[[Rows], Rows]) -> Trajectory:
    shutil.copytree(folder, copy)
    path = copy / "events.jsonl"
    rows = cut([msgspec.json.decode(line) for line in path.read_bytes().splitlines()])
    path.write_bytes(b"".join(msgspec.json.encode({**row, "seq": seq}) + b"\n" for seq, row in enumerate(rows)))
    return reduce_recording(open_recording(copy), MediaStore(copy / "media"), ReduceOptions(), KeyframeOptions())[0]


@pytest.mark.skipif(not DUMP.is_dir(), reason="no recordings ship with this package")
def test_a_real_recording_with_a_pause_in_the_middle_and_at_the_end(tmp_path: Path) -> None:
    """As the recorder would have written it, had the person paused around one of the acts, or before the last one."""
    whole = without(DUMP / "shop-sencha", tmp_path / "whole", lambda rows: rows)
    assert flagged(whole) == []
    gone, after = whole.steps[2], whole.steps[3]
    assert gone.time is not None and after.time is not None and gone.events

    def pause(rows: Rows, start: int, end: int | None) -> Rows:
        kept = [r for r in rows if r["t"] < start or (end is not None and r["t"] >= end) or r["kind"] == "end"]
        marks: Rows = [{"kind": "pause", "t": start}, *([{"kind": "resume", "t": end}] if end is not None else [])]
        return sorted([*kept, *marks], key=lambda row: (row["t"], row["kind"] != "pause"))

    def at(rows: Rows, seconds: float) -> int:
        return int(rows[0]["t"] + seconds * 1e9)

    begins, ends = gone.time.start - 0.1, gone.time.end + 0.05
    middle = without(
        DUMP / "shop-sencha", tmp_path / "middle", lambda rows: pause(rows, at(rows, begins), at(rows, ends))
    )
    assert [step.code for step in middle.steps] == [s.code for s in whole.steps if s is not gone]
    assert flagged(middle) == [2] and middle.steps[-1].actions == whole.steps[-1].actions
    last = without(DUMP / "shop-sencha", tmp_path / "last", lambda rows: pause(rows, at(rows, begins), None))
    assert [step.code for step in last.steps[:-1]] == [s.code for s in whole.steps[:2]]
    assert last.steps[-1].actions == [Terminate(None)] and FLAG in last.steps[-1].flags
    assert last.final_image is None
