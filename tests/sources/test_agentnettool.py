"""AgentNetTool and DuckTrack folders."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.arrow import records, to_table
from curate.model.trajectory import decode, encode
from curate.sources.agentnettool import open_recording
from curate.sources.base import Read, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from curate.store.media import MediaStore
from tests.sources.folders import (
    METADATA,
    ZERO,
    click,
    element,
    lines,
    make_folder,
    make_video,
    node,
    read_all,
    read_one,
    rejected_one,
    two_clicks,
    typed,
)

# --- a folder with everything, and with next to nothing -----------------------------------------------------------


def test_a_folder(tmp_path: Path) -> None:
    folder = make_folder(
        tmp_path / "one",
        element=[element(0.99, (600, 340, 700, 380)), element(3.98, (0, 0, 10, 10))],
        top_window=[
            {"time_stamp": ZERO, "top_window_name": "notepad"},
            {"time_stamp": ZERO + 2, "top_window_name": "excel"},
        ],
    )
    record = read_one(folder, tmp_path / "out")
    assert record.instruction == "Save the file as a copy"
    assert (record.platform, record.apps) == ("windows", ["notepad", "excel"])
    assert (record.actor.kind, record.actor.name) == ("human", None)
    assert record.outcome.completed is None  # the folder does not say
    first, second, text, end = record.steps
    assert first.code == "pyautogui.click(x=0.5, y=0.5)"
    assert first.element is not None and (first.element.role, first.element.name) == ("button", "Save")
    assert first.element.box == (0.4688, 0.4722, 0.5469, 0.5278)
    assert second.element is None and second.raw_box == (0, 0, 10, 10)  # it misses the point
    assert (first.app, second.app) == ("notepad", "excel")
    assert first.time is not None and (first.time.start, first.time.end) == (0.5, 0.58)  # from the first raw event
    assert text.code == "pyautogui.write(message='hi')"
    assert end.code == "computer.terminate()"  # the outcome is not known
    assert decode(encode(record)) == record
    (table,) = [to_table([record])]
    assert [encode(same) for same in records(table)] == [encode(record)]  # the same JSON through a dataset


def test_everything_but_the_events_is_optional(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one", metadata=None, task=None)
    record = read_one(folder, tmp_path / "out")
    assert (record.instruction, record.platform, record.apps) == ("", None, [])
    first = record.steps[0]
    assert first.screen is None and first.code is None and "screen_unknown" in first.flags
    assert first.actions[0].x is None and first.actions[0].raw_point == (640.0, 360.0)  # type: ignore[union-attr]


def test_the_recorder_declares_its_shortcuts_and_ducktrack_none(tmp_path: Path) -> None:
    agentnet = open_recording(make_folder(tmp_path / "a"))
    named = open_recording(make_folder(tmp_path / "b", task=None, metadata={**METADATA, "node": "A-PC", "id": 1}))
    readme = make_folder(tmp_path / "c", task=None)
    (readme / "README.md").write_text("My recording", encoding="utf-8")
    numbered = [{"event_idx": 0, **two_clicks()[0]}]
    both = make_folder(tmp_path / "d", numbered, task=None, metadata={**METADATA, "node": "A-PC"})
    bare = open_recording(make_folder(tmp_path / "e", task=None, metadata=None))
    mac = open_recording(make_folder(tmp_path / "f", metadata={**METADATA, "system": "Darwin"}))
    assert (agentnet.start_chord, agentnet.stop_chord) == (("ctrl", "alt", "r"), ("ctrl", "alt", "t"))
    assert (mac.start_chord, mac.stop_chord) == (("command", "alt", "r"), ("command", "alt", "t"))
    for ducktrack in (named, open_recording(readme)):
        assert (ducktrack.start_chord, ducktrack.stop_chord) == (None, None)
    assert bare.stop_chord == open_recording(both).stop_chord == agentnet.stop_chord


# --- faults -------------------------------------------------------------------------------------------------------


def test_bad_rows_are_told_and_the_others_read(tmp_path: Path) -> None:
    rows = lines(two_clicks()).splitlines(keepends=True)
    bad = [b"{broken\n", b'"text"\n', b'{"action": "move"}\n', b"\xff\xfe\n", b"\n"]
    folder = make_folder(tmp_path / "one", b"".join([rows[0], *bad, *rows[1:]]))
    recording = open_recording(folder)
    assert len(list(recording.events())) == len(rows)
    assert [line for line, _ in recording.unreadable] == [2, 3, 4, 5]
    assert read_one(folder, tmp_path / "out").steps[0].code == "pyautogui.click(x=0.5, y=0.5)"


def test_every_row_is_in_a_step_or_a_reason(tmp_path: Path) -> None:
    rows = lines(two_clicks()).splitlines(keepends=True)
    folder = make_folder(tmp_path / "one", b"".join([*rows[:3], b"{broken\n", *rows[3:]]))
    (one,) = find_inputs([folder]).inputs
    (item,) = source(one.source).read(folder, ReadContext(media=MediaStore(tmp_path / "out"), shown=one.shown))
    assert isinstance(item, Read)
    covered = [index for s in item.stretches for index in range(s.first, s.last + 1)]
    assert sorted(covered) == list(range(len(rows) + 1))
    assert [s.reason for s in item.stretches if s.first <= 3 <= s.last] == ["reduce.unreadable"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("events.jsonl", b"", "read.empty"),
        ("events.jsonl", b"not\njson\n", "read.empty"),
        ("events.jsonl", '{"time_stamp": 1, "action": "move"}'.encode("utf-16"), "read.encoding"),
        ("metadata.json", b"{broken", "read.json"),
        ("metadata.json", b"[]", "read.json"),
        ("metadata.json", b'{"system": "caf\xe9"}', "read.encoding"),
        ("task_name.json", b"{", "read.json"),
        ("reduced_events_complete.jsonl", b'{"event_start_idx": 2}\n{"event_sta', "read.json"),
        ("reduced_events_complete.jsonl", b'{"id": 1}\n', "read.json"),
    ],
)
def test_what_cannot_be_believed(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    folder = make_folder(tmp_path / "one")
    (folder / name).write_bytes(content)
    row = rejected_one(folder, tmp_path / "out")
    assert row.reason == reason and row.detail and str(tmp_path) not in row.detail and "\n" not in row.detail


def test_a_folder_that_lost_its_events(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one")
    (folder / "events.jsonl").unlink()
    row = rejected_one(folder, tmp_path / "out")
    assert (row.reason, row.detail) == ("read.empty", "events.jsonl is missing or empty.")


@pytest.mark.parametrize("content", [b"[]", b"{}\nnull\n", b'{"time_stamp": 1}\n{"time_stamp": "x", "a11y_tree": 3}\n'])
def test_odd_side_files_spoil_nothing(tmp_path: Path, content: bytes) -> None:
    folder = make_folder(tmp_path / "one", element=content, a11y=content, top_window=content)
    assert len(read_one(folder, tmp_path / "out").steps) == 4


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_video_cut_short(tmp_path: Path, share: float) -> None:
    folder = make_folder(tmp_path / "one", metadata={**METADATA, "video_start_timestamp": ZERO})
    video = make_video(folder / "aufnahme ünï.mp4")
    data = video.read_bytes()
    video.write_bytes(data[: int(len(data) * share)])
    record = read_one(folder, tmp_path / "out")
    assert len(record.steps) == 4
    for step in record.steps:
        assert step.image is not None or "keyframe_missing" in step.flags
    assert "aufnahme" not in encode(record).decode()


def test_a_whole_video(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one", metadata={**METADATA, "video_start_timestamp": ZERO - 0.5})
    make_video(folder / "screen.mp4")
    record = read_one(folder, tmp_path / "out")
    assert all(step.image is not None and step.image_size == (640, 360) for step in record.steps)
    assert record.final_image == record.steps[-1].image
    assert MediaStore(tmp_path / "out").check(record.final_image or "")


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("name", ["events.jsonl", "metadata.json", "screen.mp4", "element.jsonl"])
def test_links_out_of_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    folder = make_folder(tmp_path / "dump" / "one")
    secret = tmp_path / "secret"
    secret.write_bytes((folder / "events.jsonl").read_bytes())
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(secret)
    assert rejected_one(tmp_path / "dump", tmp_path / "out").reason == "read.path_refused"


# --- the annotator's review ---------------------------------------------------------------------------------------


def test_the_review(tmp_path: Path) -> None:
    second_press = 6
    folder = make_folder(tmp_path / "one", reduced_events_complete=[{"event_start_idx": second_press}])
    kept = read_one(folder, tmp_path / "out")
    assert [step.code for step in kept.steps] == ["pyautogui.click(x=0.25, y=0.25)", "computer.terminate()"]
    everything = read_one(folder, tmp_path / "out", review="ignore")
    assert len(everything.steps) == 4


def test_an_empty_review_is_none(tmp_path: Path) -> None:
    assert len(read_one(make_folder(tmp_path / "one", reduced_events_complete=b""), tmp_path / "out").steps) == 4


def test_a_broken_review_does_not_matter_when_it_is_ignored(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one", reduced_events_complete=b"{")
    assert "reduce.review=ignore" in (rejected_one(folder, tmp_path / "out").detail or "")
    assert len(read_one(folder, tmp_path / "out", review="ignore").steps) == 4


# --- a screen that changes under the recording --------------------------------------------------------------------

MAXIMISED = (-8.0, -8.0, 1288.0, 688.0)


def a11y(time: float, box: tuple[float, ...]) -> dict[str, Any]:
    return {"time_stamp": ZERO + time, "axtree": node(box, "Notes", "WindowControl")}


def test_a_maximised_window_of_the_recorded_size_is_no_change(tmp_path: Path) -> None:
    folder = make_folder(
        tmp_path / "one", a11y=[a11y(0, MAXIMISED), a11y(3, MAXIMISED)], element=[element(3.99, (300, 160, 340, 200))]
    )
    record = read_one(folder, tmp_path / "out")
    assert record.steps[1].element is not None and record.lineage == []
    assert all(step.screen is not None and "screen_changed" not in step.flags for step in record.steps)


def test_another_scale_keeps_the_size_and_disbelieves_boxes(tmp_path: Path) -> None:
    at_125 = (-7.0, -7.0, 1280 / 1.25 + 7, 550.0)
    folder = make_folder(
        tmp_path / "one",
        a11y=[a11y(0, MAXIMISED), a11y(2, at_125)],
        element=[element(0.99, (600, 340, 700, 380)), element(3.99, (300, 160, 340, 200))],
    )
    first, second, *_ = read_one(folder, tmp_path / "out").steps
    assert first.element is not None and "screen_changed" not in first.flags
    assert second.screen is not None and second.screen.width == 1280
    assert second.element is None and second.raw_box == (300, 160, 340, 200) and "screen_changed" in second.flags


def test_a_window_that_no_scale_explains_means_another_size(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one", a11y=[a11y(2, (-7.0, -7.0, 1127.0, 660.0))])
    first, second, *_ = read_one(folder, tmp_path / "out").steps
    assert first.screen is not None and second.screen is None and "screen_changed" in second.flags
    assert second.code == "pyautogui.click(x=0.25, y=0.25)"  # the video still shows the old region


@pytest.mark.parametrize(
    ("y", "flag", "value"), [(720, None, 1.0), (721, "edge", 1.0), (722, "edge", 1.0), (723, "off_screen", None)]
)
def test_points_at_the_edge_and_beyond(tmp_path: Path, y: int, flag: str | None, value: float | None) -> None:
    folder = make_folder(tmp_path / "one", [*click(1, 640, 300), *click(4, 640, y), *click(8, 320, 180)])
    first, second, third, _ = read_one(folder, tmp_path / "out").steps
    action = second.actions[0]
    assert action.y == value  # type: ignore[union-attr]
    assert {"edge", "off_screen"} & set(second.flags) == ({flag} if flag else set())
    assert (second.code is None) == (value is None)
    # a pointer far out says that the size is not what the metadata says, from there on
    assert first.screen is not None and (third.screen is None) == (flag == "off_screen")


# --- names of people ----------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    user=st.from_regex(r"[a-z]{5,12}\.[a-z]{5,12}", fullmatch=True),
    host=st.from_regex(r"[A-Z]{6,10}-[0-9]{3}", fullmatch=True),
    mac=st.lists(st.integers(0, 255), min_size=6, max_size=6),
)
def test_names_of_people_never_reach_the_output(
    tmp_path_factory: pytest.TempPathFactory, user: str, host: str, mac: list[int]
) -> None:
    tmp = tmp_path_factory.mktemp("p")
    mail, address = f"{user}@example.org", ":".join(f"{byte:02x}" for byte in mac)
    make_folder(
        tmp / f"{mail}_20250101",
        metadata={**METADATA, "hostname": host, "id": f"{host}-{address}", "mac": address, "user": user, "email": mail},
        element=[element(0.99, (600, 340, 700, 380), f"Inbox of {mail} on {host} ({address})")],
        top_window=[{"time_stamp": ZERO, "top_window_name": f"{user}@{host}: C:\\Users\\{user}\\notes"}],
    )
    (one,) = find_inputs([tmp]).inputs
    record = read_one(tmp, tmp / "out")
    text = encode(record).decode() + one.shown
    assert record.steps[0].element is not None
    for name in (mail, user, host, address):
        assert name.lower() not in text.lower()
    shutil.rmtree(tmp)


def test_two_people_with_the_same_events_have_the_same_id_and_one_with_others_has_not(tmp_path: Path) -> None:
    one = read_one(make_folder(tmp_path / "alice@example.org_1"), tmp_path / "out")
    two = read_one(make_folder(tmp_path / "bob@example.org_2"), tmp_path / "out")
    other = read_one(make_folder(tmp_path / "c", typed(1, "other")), tmp_path / "out")
    assert encode(one) == encode(two)
    assert other.id != one.id


# --- the real recording -------------------------------------------------------------------------------------------


def test_the_real_recording_with_its_review_gives_the_published_code(shared: Path, tmp_path: Path) -> None:
    published = json.loads((shared / "data/sources/agentnet/gen_cot_raw_example.jsonl").read_text().splitlines()[0])
    folder = without_video(shared, tmp_path)
    record = read_one(folder, tmp_path / "out")
    codes = [step["value"]["code"] for step in published["traj"]]
    assert [step.code for step in record.steps[:-1]] == codes[:-1]  # ours has no success that nobody stated
    assert record.steps[-1].code == "computer.terminate()"
    assert record.instruction == published["instruction"]


def test_the_real_recording_tells_when_its_screen_changed(shared: Path, tmp_path: Path) -> None:
    """Seen in the video: the scale changes between the clicks at 27.2 and 31.0 s, the resolution between those at 35.5
    and 40.4 s; the pointer leaves the old screen only at 43.1 s."""
    record = read_one(without_video(shared, tmp_path), tmp_path / "out", review="ignore")
    for step in record.steps:
        assert step.time is not None
        assert ("screen_changed" in step.flags) == (step.time.start > 30)
        assert (step.screen is None) == (step.time.start > 40)
        assert step.element is None or step.time.start < 30
    clicks = [step for step in record.steps if msgspec.to_builtins(step.actions[0])["type"] in ("click", "rightClick")]
    assert len(clicks) == 20 and sum("off_screen" in step.flags for step in clicks) == 6
    named = [step.element.name for step in record.steps if step.element is not None]
    assert named == [
        "Action Centre, No new notifications (Off)", "Night light", "Go to Settings",
        "Change brightness for the built-in display", "Night light", "100% (Recommended)", "125%",
    ]  # fmt: skip


def test_without_accessibility_trees_the_pointer_tells(shared: Path, tmp_path: Path) -> None:
    folder = without_video(shared, tmp_path)
    for name in ("a11y.jsonl", "element.jsonl"):
        (folder / name).unlink()
    (change,) = open_recording(folder).screens
    assert change.screen is None and abs(change.time - 30679.828 - 43.129) < 0.01


def without_video(shared: Path, tmp_path: Path) -> Path:
    """The real recording's folder without its video, which takes seconds to decode."""
    folder = tmp_path / "recording"
    shutil.copytree(shared / "data/agentnet-recording", folder, ignore=shutil.ignore_patterns("*.mp4"))
    for path in folder.iterdir():
        path.chmod(0o644)
    folder.chmod(0o755)
    return folder


def test_a_folder_read_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "one")
    assert [encode(r) for r in read_all(folder, tmp_path / "a")] == [
        encode(r) for r in read_all(folder, tmp_path / "b")
    ]  # type: ignore[arg-type]


@pytest.mark.parametrize("width", ["1" + "0" * 400, "1e30", "-1", "0", '"1366"', "true"])
def test_a_screen_that_no_display_has_is_unknown(tmp_path: Path, width: str) -> None:
    metadata = b'{"system": "Windows", "screen_width": %b, "screen_height": 768}' % width.encode()
    folder = make_folder(tmp_path / "r", metadata=metadata)
    make_video(folder / "x.mp4")
    record = read_one(folder, tmp_path / "media")
    assert record.steps and all(step.screen is None for step in record.steps)
