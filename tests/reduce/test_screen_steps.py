"""Waits and hovers in real H.264 videos, with frames as a recorder of the screen times them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from curate.model.actions import Click, MoveTo, Wait
from curate.model.events import RawEvent, RawRecording
from curate.model.trajectory import Screen, Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.screen_steps import only_kept
from curate.reduce.types import KeyframeOptions, ReducedStep, ReduceOptions, Stretch
from curate.store.media import MediaStore, read_rgb

WIDTH, HEIGHT, RATE = 640, 360, 10
Paint = Callable[[NDArray[np.uint8], float], None]


def record(folder: Path, events: list[RawEvent], seconds: float, paint: Paint, **fields: object) -> RawRecording:
    """A recording whose screen `paint` draws for every tenth of a second."""
    path = folder / "screen.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "15"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(int(seconds * RATE)):
            picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
            picture[20:40, 20:200] = (40, 60, 120)
            paint(picture, number / RATE)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    known = {
        "folder": folder, "source": "recording", "id": "r", "events": lambda: iter(events), "instruction": "Do it",
        "screen": Screen(width=WIDTH, height=HEIGHT), "video": path, "pointer_in_video": False,
        "frame_times": [number / RATE for number in range(int(seconds * RATE))],
    }  # fmt: skip
    return RawRecording(**{**known, **fields})  # type: ignore[arg-type]


def events(*rows: tuple[float, str, float, float]) -> list[RawEvent]:
    found = []
    for time, kind, x, y in rows:
        for pressed in (True, False) if kind == "click" else (None,):
            found.append(
                RawEvent(
                    index=len(found), time=time + (0.05 if pressed is False else 0), x=x, y=y, pressed=pressed,
                    kind="move" if pressed is None else "button", button=None if pressed is None else "left",
                )
            )  # fmt: skip
    return found


def reduce(recording: RawRecording, tmp_path: Path) -> tuple[Trajectory, list[Stretch]]:
    return reduce_recording(recording, MediaStore(tmp_path / "out"), ReduceOptions(), KeyframeOptions())


def pixels(made: Trajectory, index: int, tmp_path: Path) -> NDArray[np.uint8]:
    picture = read_rgb(MediaStore(tmp_path / "out").read(made.steps[index].image or ""))
    assert picture is not None
    return picture


WAITING = events((0.5, "move", 100, 30), (1.0, "click", 100, 30), (9.5, "move", 300, 200), (10.0, "click", 300, 200))


@pytest.mark.parametrize("appears", [True, False])
def test_a_wait_is_a_step_only_if_the_screen_changed(tmp_path: Path, appears: bool) -> None:
    def paint(picture: NDArray[np.uint8], time: float) -> None:
        if appears and time >= 6.0:
            picture[150:250, 200:400] = (180, 200, 90)

    made, stretches = reduce(record(tmp_path, WAITING, 12, paint), tmp_path)
    waits = [step for step in made.steps if isinstance(step.actions[0], Wait)]
    assert len(waits) == int(appears)
    if appears:
        assert waits[0].index == 1 and waits[0].code == "computer.wait(seconds=8.4)" and waits[0].events == []
        assert pixels(made, 1, tmp_path)[200, 300, 2] > 225  # the screen as it was while it was waited for
        assert pixels(made, 2, tmp_path)[200, 300, 2] < 225
    assert sorted(i for s in stretches for i in range(s.first, s.last + 1)) == list(range(len(WAITING)))


def menu(picture: NDArray[np.uint8], time: float) -> None:
    """A submenu opens beside (60, 100) while the pointer rests there."""
    if time >= 3.4:
        picture[90:190, 90:220] = (150, 180, 255)


HOVERING = events(
    (0.5, "move", 300, 300), (1.0, "click", 300, 300), (2.6, "move", 180, 200), (2.8, "move", 60, 100),
    (4.2, "move", 120, 130), (4.6, "move", 150, 150), (5.0, "click", 150, 150),
)  # fmt: skip


def test_a_hover_that_opened_what_is_used_next_is_a_step(tmp_path: Path) -> None:
    made, stretches = reduce(record(tmp_path, HOVERING, 7, menu), tmp_path)
    first, hover, click, _ = made.steps
    assert isinstance(first.actions[0], Click) and isinstance(click.actions[0], Click)
    assert hover.actions == [MoveTo(0.0938, 0.2778)]
    assert hover.events == [4] and hover.time is not None and hover.time.start == 2.3
    assert pixels(made, 1, tmp_path)[150, 150, 0] > 225 and pixels(made, 2, tmp_path)[150, 150, 0] < 225
    covered = sorted(i for s in stretches for i in range(s.first, s.last + 1))
    assert covered == list(range(len(HOVERING)))


def test_without_a_video_nothing_is_guessed(tmp_path: Path) -> None:
    for rows in (WAITING, HOVERING):
        made, _ = reduce(record(tmp_path, rows, 1, menu, video=None, frame_times=None), tmp_path)
        assert [type(step.actions[0]).__name__ for step in made.steps] == ["Click", "Click", "Terminate"]


def test_a_review_keeps_hovers_with_their_action_and_waits_between_kept_ones(tmp_path: Path) -> None:
    made, stretches = reduce(record(tmp_path, HOVERING, 7, menu, kept_starts={7}), tmp_path)
    assert [type(step.actions[0]).__name__ for step in made.steps] == ["MoveTo", "Click", "Terminate"]
    made, stretches = reduce(record(tmp_path, HOVERING, 7, menu, kept_starts={1}), tmp_path)
    assert [type(step.actions[0]).__name__ for step in made.steps] == ["Click", "Terminate"]
    assert sorted(i for s in stretches for i in range(s.first, s.last + 1)) == list(range(len(HOVERING)))

    def step(rule: str) -> ReducedStep:
        return ReducedStep(actions=[], events=[], start=0, end=0, rule=rule)

    steps = [step(rule) for rule in ("click", "wait", "click", "wait", "hover", "click")]
    kept = {id(steps[0]), id(steps[5])}
    assert [s.rule for s in only_kept(steps, kept)] == ["click", "hover", "click"]


def test_rows_that_cannot_be_read_are_counted_once(tmp_path: Path) -> None:
    rows = [event for event in HOVERING if event.index != 2]
    bad = record(tmp_path, rows, 7, menu)

    def reading():  # type: ignore[no-untyped-def]
        bad.unreadable.clear()
        for event in rows:
            if event.index == 3:
                bad.unreadable.append((3, "The line is not a JSON object."))
            yield event

    bad.events = reading
    _, stretches = reduce(bad, tmp_path)
    assert sorted(i for s in stretches for i in range(s.first, s.last + 1)) == list(range(len(HOVERING)))
    assert [s.reason for s in stretches if s.first <= 2 <= s.last] == ["reduce.unreadable"]
