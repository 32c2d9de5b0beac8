"""The video's clock, on films whose zero is known, and on the real recording."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.events import RawRecording
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.reduce.video.clock import Clock, estimate_clock
from curate.reduce.video.clock_pointer import Sightings, fit_offset
from curate.reduce.video.decoding import Video
from curate.reduce.video.pointer_track import PointerTrack, pointer_track
from curate.sources.agentnettool import open_recording
from curate.store.media import MediaStore
from tests.reduce.film import Film, blank, box, text


def clock_of(recording: RawRecording) -> Clock:
    assert recording.video is not None
    video = Video(recording.video)
    return estimate_clock(recording, pointer_track(recording.events()), video, video.packets())


def restless(pointer: bool, zero: float, seconds: float = 12.0) -> Film:
    """A hand that wanders over a page that scrolls now and then."""

    def draw(time: float) -> np.ndarray:  # type: ignore[type-arg]
        picture = blank()
        for line in range(12):
            text(picture, f"line {line + int(time / 3) * 12}", 40, 30 + line * 26)
        return picture

    film = Film(draw, length=seconds, zero=zero, pointer=pointer)
    film.settings = {"crf": "22", "g": "60"}
    random = np.random.default_rng(4)
    places = [(float(x), float(y)) for x, y in random.integers((20, 20), (600, 330), (24, 2))]
    for number in range(23):
        film.move(zero + number * 0.5, zero + number * 0.5 + 0.35, places[number], places[number + 1])
    return film


@pytest.mark.parametrize("wrong_by", [-0.6, 0.0, 0.31, 1.7])
def test_the_pointer_in_the_picture_tells_the_zero(tmp_path: Path, wrong_by: float) -> None:
    """What the recording declares is wrong by up to two seconds; the pointer is right to within half a frame."""
    film = restless(True, 100.0)
    clock = clock_of(film.recording(tmp_path, video_start=100.0 + wrong_by))
    assert clock.method == "pointer" and clock.pointer_seen and clock.confidence > 0.6
    assert abs(clock.offset - 100.0) <= 0.5 / film.fps


def test_the_pointers_lag_is_in_the_offset(tmp_path: Path) -> None:
    """Frames that show the pointer 50 ms late belong, for our purpose, to 50 ms earlier."""
    film = restless(True, 20.0)
    film.lag = 0.05
    assert abs(clock_of(film.recording(tmp_path)).offset - 19.95) <= 0.5 / film.fps


def test_nothing_declared(tmp_path: Path) -> None:
    """Then the zero is looked for wherever video and events may overlap."""
    clock = clock_of(restless(True, 40.0).recording(tmp_path, video_start=None))
    assert clock.method == "pointer" and abs(clock.offset - 40.0) <= 0.017


@pytest.mark.parametrize("declared", [1e30, -1.0, 1.7e9])
def test_a_start_of_another_clock_tells_nothing(tmp_path: Path, declared: float) -> None:
    """Nothing would have been filmed while anything happened: as if nothing were declared."""
    clock = clock_of(restless(True, 4000.0).recording(tmp_path, video_start=declared))
    assert clock.method == "pointer" and abs(clock.offset - 4000.0) <= 0.017


def test_without_the_pointer_in_the_picture_what_follows_presses_tells(tmp_path: Path) -> None:
    """Twelve clicks at odd times, each answered after 80 to 120 ms. Programs differ in that: a tenth of a second."""
    random = np.random.default_rng(3)
    presses = 30.0 + np.cumsum(random.uniform(0.9, 2.6, 12))
    answers = presses + random.uniform(0.08, 0.12, 12)

    def draw(time: float) -> np.ndarray:  # type: ignore[type-arg]
        shown = int((answers <= time).sum())
        return text(box(blank(), 100, 60, 560, 320, 60 + 12 * shown), f"page {shown}", 200, 200)

    film = Film(draw, length=float(answers[-1] - 30) + 1.5, zero=30.0)
    for press in presses:
        film.click(float(press), 300, 200)
    clock = clock_of(film.recording(tmp_path, video_start=30.4))
    assert clock.method == "changes" and abs(clock.offset - 30.0) < 0.1


def test_what_is_not_clear_is_not_believed(tmp_path: Path) -> None:
    """Neither a pointer in the picture nor an answer to anything: the declared start, with confidence 0."""
    film = restless(False, 5.0)
    film.draw = lambda _: blank()
    clock = clock_of(film.recording(tmp_path, video_start=4.6, pointer_in_video=None))
    assert (clock.offset, clock.confidence, clock.method) == (4.6, 0.0, "declared")


def test_a_film_that_plays_where_no_pointer_is_does_not_pass_for_one(tmp_path: Path) -> None:
    """Something small moves all the time, and not as the pointer's events say."""
    film = restless(False, 5.0)
    film.draw = lambda time: box(
        blank(), 300 + int(200 * np.sin(3 * time)), 150, 316 + int(200 * np.sin(3 * time)), 166, 20
    )
    clock = clock_of(film.recording(tmp_path, video_start=4.6, pointer_in_video=None))
    assert clock.method != "pointer"


def test_the_recorders_own_frame_times_are_used(tmp_path: Path) -> None:
    film = restless(False, 7.0)
    film.only_changes = True
    recording = film.recording(tmp_path)
    clock = clock_of(recording)
    assert clock.method == "frame_times" and clock.confidence == 1.0 and recording.frame_times is not None
    assert clock.event_time(2, 123.0) == recording.frame_times[2]


@settings(max_examples=40, deadline=None)
@given(offset=st.floats(-2.5, 2.5), seed=st.integers(0, 2**32 - 1), wrong=st.floats(0.0, 0.3))
def test_sightings_give_the_offset_back(offset: float, seed: int, wrong: float) -> None:
    """Any walk, seen at 30 frames a second beside a constant, with up to a third of the sightings something else."""
    random = np.random.default_rng(seed)
    times = np.arange(0, 20, 0.01)
    x, y = (np.cumsum(random.normal(0, 12, len(times))) for _ in range(2))
    empty = np.empty(0)
    track = PointerTrack(times, x, y, empty)
    seen = np.arange(4, 14, 1 / 30)
    at_x, at_y = track.at(seen + offset)
    other = random.random(len(seen)) < wrong
    at_x = np.where(other, random.uniform(0, 1000, len(seen)), at_x) + 5
    found = fit_offset(track, Sightings(seen, at_x, at_y + 9), -3.0, 3.0)
    assert found is not None and abs(found.offset - offset) < 0.02 and found.confidence > 0.3


def test_the_real_recording(shared: Path) -> None:
    """Its true zero was measured by others with a tracker of the pointer: 30673.917 to 30673.920. What its recorder
    declares is 0.3 s earlier, what OBS reports 0.2 s later."""
    folder = shared / "data" / "agentnet-recording"
    clock = clock_of(open_recording(folder))
    declared = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["video_start_timestamp"]
    assert clock.method == "pointer" and clock.confidence > 0.6
    assert abs(clock.offset - 30673.9185) < 1 / 30 and clock.offset - declared > 0.28


def cut(folder: Path, to: Path, video: float, events: float = np.inf) -> Path:
    """A copy of AgentNet's recording with only the first seconds of its video (the same packets) and events."""
    for file in folder.iterdir():
        if file.suffix != ".mp4":
            shutil.copy(file, to / file.name)
    film = next(folder.glob("*.mp4"))
    with av.open(str(film)) as source, av.open(str(to / film.name), "w") as target:
        stream = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        for packet in source.demux(stream):
            if packet.pts is not None and packet.time_base is not None and packet.pts * packet.time_base <= video:
                packet.stream = copy
                target.mux(packet)
    rows = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(rows[0])["time_stamp"]
    kept = [row for row in rows if json.loads(row)["time_stamp"] - first <= events]
    (to / "events.jsonl").write_text("".join(f"{row}\n" for row in kept), encoding="utf-8")
    return to


@pytest.mark.parametrize(
    ("video", "events"), [(25, np.inf), (30, np.inf), (45, np.inf), (60, np.inf), (120, 29.0), (30, 20.0)]
)
def test_a_short_part_of_the_real_recording_tells_its_zero_too(
    shared: Path, tmp_path: Path, video: float, events: float
) -> None:
    """Another truth than the declared start, which is 0.3 s off: the zero that the whole recording has."""
    clock = clock_of(open_recording(cut(shared / "data" / "agentnet-recording", tmp_path, video, events)))
    assert clock.method == "pointer" and clock.confidence > 0.5
    assert abs(clock.offset - 30673.9185) < 1 / 30


def test_pictures_of_a_clock_that_was_not_measured_say_so(shared: Path, tmp_path: Path) -> None:
    """In the first twelve seconds the hand is hardly seen to move. Those of the first half minute do not say so."""
    for seconds, flagged in ((12, True), (30, False)):
        folder = tmp_path / str(seconds)
        folder.mkdir()
        recording = open_recording(cut(shared / "data" / "agentnet-recording", folder, seconds))
        store = MediaStore(tmp_path / "media")
        record = reduce_recording(recording, store, ReduceOptions(review="ignore"), KeyframeOptions())[0]
        shown = [step for step in record.steps if step.image is not None]
        assert shown and all(("clock_unmeasured" in step.flags) == flagged for step in shown)
        assert all("clock_unmeasured" not in step.flags for step in record.steps if step.image is None)
        assert any(line.startswith("clock: declared" if flagged else "clock: pointer") for line in record.lineage)
