"""Raw input events and recordings, as every recorder's files are read: what the reducer takes.

Our recorder's rows and AgentNetTool / DuckTrack rows both become `RawEvent`; nothing above this line knows
whose recording it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from curate.model.trajectory import Platform, Screen
from curate.model.tree import Node

EventKind = Literal[
    "move", "button", "scroll", "key",  # input
    "pause", "resume", "screen", "window", "pointer", "clipboard", "redaction", "end", "unknown",  # control
]  # fmt: skip


class RawEvent(msgspec.Struct, kw_only=True, frozen=True):
    """One raw event.

    `index`: its row in the raw file, from 0. `time`: seconds on the recording's own monotonic clock.
    `x`, `y`: physical pixels of the recorded screen, origin top left (may lie outside).
    `button`: left, right, middle, x1, x2 or whatever the recorder says. `dx`, `dy`: wheel notches, > 0 right, up.
    `key`: the recorder's name of the key (`a`, `A`, `shift_l`, `ctrl`, `enter`, `$Unknown (255)$`).
    `code`: the physical key, where the recorder knows it. `text`: what the key typed, where it knows that
    (our X11 recorder does; None means unknown, '' means nothing). `dead`: a dead key.
    `screen`: of a `screen` event. `app`, `title`, `own` (the recorder's window): of a `window` event. `detail`: of an
    `end`, `pointer` or `redaction` event. `since`: of a `redaction` event, when what it tells of began.
    """

    index: int
    time: float
    kind: EventKind
    x: float | None = None
    y: float | None = None
    button: str | None = None
    pressed: bool | None = None
    dx: float = 0.0
    dy: float = 0.0
    key: str | None = None
    code: int | None = None
    text: str | None = None
    dead: bool = False
    repeat: bool | None = None
    injected: bool | None = None
    screen: Screen | None = None
    app: str | None = None
    title: str | None = None
    own: bool = False
    detail: str | None = None
    since: float | None = None


class ElementAt(msgspec.Struct, kw_only=True, frozen=True):
    """An accessibility element seen under the pointer: `time` on the events' clock, `box` in recorded pixels
    (left, top, right, bottom)."""

    time: float
    role: str | None
    name: str | None
    box: tuple[float, float, float, float] | None


class TreeAt(msgspec.Struct, kw_only=True, frozen=True):
    """An accessibility tree of the window in front, read from `started` to `time`. `load` reads its nodes (in
    recorded pixels) from the recording's file; memory is bounded by one tree."""

    started: float
    time: float
    app: str | None
    title: str | None
    load: Callable[[], list[Node]]


class WindowAt(msgspec.Struct, kw_only=True, frozen=True):
    """The window in front from `time` on."""

    time: float
    app: str | None
    title: str | None


class ScreenAt(msgspec.Struct, kw_only=True, frozen=True):
    """What is known of the screen from `time` on: its size (None: no longer known), and whether the boxes of elements
    are in the pixels of the events (`boxes`). `why` says what told so."""

    time: float
    screen: Screen | None
    boxes: bool = True
    why: str | None = None


class PointerShape(msgspec.Struct, kw_only=True, frozen=True):
    """The pointer's picture from `time` on: `image` is a PNG file, hot spot in its pixels."""

    time: float
    image: Path
    hot_x: int
    hot_y: int


class RawRecording(msgspec.Struct, kw_only=True):
    """A raw recording opened for reading, whoever made it. Times are seconds on the events' clock.

    `events` starts a fresh streaming pass. `unreadable` is filled while events are read: (line from 1, why).
    `frame_times`: capture time of every video frame where the recorder wrote them, else None and the clock is
    estimated (`reduce.video.clock`) starting from `video_start`. `pointer_in_video`: None where unknown.
    `frame_stamps`: for each of `frame_times`, that frame's time in the video's own seconds. `frame_count`: how
    many frames the recorder says it wrote. `video_ended`: False where
    the recorder did not close the video itself (killed, a fault): its last frame says nothing of what came after it.
    `kept_starts`: raw indices that an annotator's review kept, None without a review.
    `trees`: in order of `time`. `control_chords`: other shortcuts of the recorder (pause, private).
    `stop_chord`: the keys the recorder declares as its own, such as ("ctrl", "alt", "t").
    `screens`: changes in mid-recording, in order of time; the video goes on showing the part of the screen that it
    showed at the start (`screen`), and so do the points. `wordings`: other wordings of the instruction, by name.
    `remarks`: lines for the record's lineage about what else could not be read.
    """

    folder: Path
    source: Literal["recording", "agentnettool", "openadapt"]
    id: str
    events: Callable[[], Iterator[RawEvent]]
    instruction: str
    wordings: dict[str, str] = {}
    platform: Platform | None = None
    screen: Screen | None = None
    video: Path | None = None
    frame_times: list[float] | None = None
    frame_stamps: list[float] | None = None
    frame_count: int | None = None
    video_ended: bool = True
    video_start: float | None = None
    pointer_in_video: bool | None = None
    elements: list[ElementAt] = []
    trees: list[TreeAt] = []
    windows: list[WindowAt] = []
    screens: list[ScreenAt] = []
    shapes: list[PointerShape] = []
    kept_starts: set[int] | None = None
    start_chord: tuple[str, ...] | None = None
    stop_chord: tuple[str, ...] | None = None
    control_chords: tuple[tuple[str, ...], ...] = ()
    completed: bool | None = None
    status: Literal["success", "failure", "impossible"] | None = None
    outcome_reason: str | None = None
    actor: str | None = None
    unreadable: list[tuple[int, str]] = []
    remarks: list[str] = []
