"""Small films of a made-up screen, with the events that a person caused on it, as raw recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.actions import Action, Click
from curate.model.events import ElementAt, RawEvent, RawRecording
from curate.model.trajectory import Screen
from curate.reduce.keyframes.choose_frame import Choice
from curate.reduce.keyframes.pictures import Chosen, chosen_keyframes
from curate.reduce.types import KeyframeOptions, ReducedStep
from curate.reduce.video.pointer_track import pointer_track
from curate.reduce.video.screen_reel import open_screen

Picture = NDArray[np.uint8]
Draw = Callable[[float], Picture]

WIDTH, HEIGHT = 640, 360
GROUND = 200
__all__ = ["Choice", "Film", "blank", "box", "text"]


def blank() -> Picture:
    """An empty screen."""
    return np.full((HEIGHT, WIDTH, 3), GROUND, np.uint8)


def box(picture: Picture, left: int, top: int, right: int, bottom: int, level: int) -> Picture:
    """Fill a rectangle with a grey."""
    picture[top:bottom, left:right] = level
    return picture


def text(picture: Picture, words: str, x: int, y: int, level: int = 20) -> Picture:
    """Write words with their base line at (x, y)."""
    cv2.putText(picture, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (level, level, level), 1, cv2.LINE_AA)
    return picture


@dataclass
class Film:
    """A screen `draw`n at each time, filmed at `fps`, and what a person did. Times are seconds on the events' clock;
    the video begins at `zero`. `pointer`: the video shows the pointer, `lag` seconds late."""

    draw: Draw
    length: float = 4.0
    fps: int = 30
    zero: float = 0.0
    pointer: bool = False
    lag: float = 0.0
    codec: str = "libx264"
    settings: dict[str, str] = field(default_factory=lambda: {"crf": "20", "preset": "veryfast", "g": "250"})
    pixels: str = "yuv420p"
    events: list[RawEvent] = field(default_factory=list)
    elements: list[ElementAt] = field(default_factory=list)
    only_changes: bool = False

    def add(self, kind: Any, time: float, **fields: Any) -> None:
        self.events.append(RawEvent(index=len(self.events), time=time, kind=kind, **fields))

    def move(self, start: float, end: float, *path: tuple[float, float]) -> Film:
        """The pointer goes along a path of points, an event every 8 ms, smoothly from point to point."""
        times = np.arange(start, end, 0.008)
        at = np.linspace(0, len(path) - 1, len(times))
        for time, place in zip(times, at, strict=True):
            low = min(int(place), len(path) - 2) if len(path) > 1 else 0
            high, share = min(low + 1, len(path) - 1), place - low
            x = path[low][0] + (path[high][0] - path[low][0]) * share
            y = path[low][1] + (path[high][1] - path[low][1]) * share
            self.add("move", float(time), x=float(round(x)), y=float(round(y)))
        if len(times):
            self.add("move", float(end), x=float(path[-1][0]), y=float(path[-1][1]))
        return self

    def click(self, time: float, x: float, y: float, held: float = 0.08) -> ReducedStep:
        """Press and release the left button; the step of it."""
        first = len(self.events)
        self.add("button", time, x=float(x), y=float(y), button="left", pressed=True)
        self.add("button", time + held, x=float(x), y=float(y), button="left", pressed=False)
        return self.step([Click(float(x), float(y))], first, time, time + held)

    def key(self, time: float, name: str) -> None:
        """Press and release a key."""
        self.add("key", time, key=name, pressed=True)
        self.add("key", time + 0.03, key=name, pressed=False)

    def step(self, actions: list[Action], first: int, start: float, end: float) -> ReducedStep:
        """A step of the events from `first` on."""
        return ReducedStep(
            actions=actions, events=list(range(first, len(self.events))), start=start, end=end, rule="test"
        )  # fmt: skip

    def place(self, time: float) -> tuple[float, float] | None:
        """Where the pointer is."""
        found = None
        for event in self.events:
            if event.x is not None and (event.time <= time or found is None):
                found = (event.x, event.y or 0.0)
        return found

    def frame(self, time: float) -> Picture:
        """What the screen shows at a time, the pointer too if the video shows it."""
        picture = self.draw(time)
        place = self.place(time - self.lag) if self.pointer else None
        if place is not None:
            shape = np.array([[0, 0], [0, 17], [4, 13], [7, 19], [9, 18], [7, 12], [12, 12]]) + np.array(place)
            cv2.fillPoly(picture, [shape.astype(np.int32)], (255, 255, 255))
            cv2.polylines(picture, [shape.astype(np.int32)], True, (0, 0, 0), 1)
        return picture

    def recording(self, folder: Path, name: str = "film.mp4", **fields: Any) -> RawRecording:
        """Film it; the raw recording."""
        shown = [i / self.fps for i in range(round(self.length * self.fps))]
        pictures = [self.frame(self.zero + time) for time in shown]
        if self.only_changes:
            kept = [i for i in range(len(shown)) if i == 0 or not np.array_equal(pictures[i], pictures[i - 1])]
            shown, pictures = [shown[i] for i in kept], [pictures[i] for i in kept]
            fields.setdefault("frame_times", [self.zero + time for time in shown])
        self._encode(folder / name, shown, pictures)
        given: dict[str, Any] = {"video_start": self.zero, "pointer_in_video": self.pointer, **fields}
        return RawRecording(
            folder=folder, source="recording", id="film", events=lambda: iter(self.events), instruction="",
            screen=Screen(width=WIDTH, height=HEIGHT), video=folder / name, elements=self.elements, **given,
        )  # fmt: skip

    def _encode(self, path: Path, times: list[float], pictures: list[Picture]) -> None:
        with av.open(str(path), "w") as container:
            stream = container.add_stream(self.codec, rate=self.fps, options=self.settings)
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, self.pixels
            stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
            for time, picture in zip(times, pictures, strict=True):
                frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
                frame.pts = round(time * 1000)
                frame.time_base = Fraction(1, 1000)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))


def choose(recording: RawRecording, steps: list[ReducedStep], pointer: Any = "none") -> list[Chosen]:
    """The chosen picture of each step."""
    track = pointer_track(recording.events())
    reel = open_screen(recording, track)
    return [found for _, found in chosen_keyframes(recording, steps, track, reel, KeyframeOptions(pointer=pointer))]


def patch(found: Chosen, left: int, top: int, right: int, bottom: int) -> float:
    """The mean grey of a part of a chosen picture."""
    assert found.rgb is not None
    return float(found.rgb[top:bottom, left:right].mean())


def button(lit: bool = False) -> Picture:
    """A screen with one button about (520, 60)."""
    return box(blank(), 480, 45, 560, 75, 150 if lit else 120)


def inside(place: tuple[float, float] | None, area: tuple[int, int, int, int]) -> bool:
    return place is not None and area[0] <= place[0] < area[2] and area[1] <= place[1] < area[3]
