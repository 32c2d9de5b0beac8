"""What a source is: one file of this package with a `SOURCE` object that recognises an input on disk and reads it
as records. Adding a source is adding one file; `sources.registry` finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.reduce.types import Stretch
from curate.sources.common.facts import Facts
from curate.sources.common.sightings import Sightings
from curate.store.media import MediaStore


class Part(msgspec.Struct, kw_only=True, frozen=True):
    """A piece of a JSONL file: bytes `start` to `stop` (whole lines), of which the first is line `line` (from 1)."""

    start: int
    stop: int
    line: int


class Reached(msgspec.Struct):
    """How far reading has come: the line or row of the input (from 1) that was handed out last, None before any."""

    number: int | None = None


class ReadContext(msgspec.Struct, kw_only=True):
    """What reading may use. `media`: where pictures go. `options`: the recipe's `reduce`, `keyframes` and `import`
    sections. `shown`: the input's path as it may be written to outputs (relative, without names of persons).
    `part`: the piece of the file to read, only ever given to a source whose `divisible` is true; None: all of it.
    `sightings`: where raw numbers are noted for the detector, if anybody asks. `survey`: reading is for its sightings
    alone, so that nothing is refused for a frame that does not fit (`sources.detector.survey`). `decide`: asks the
    data for what neither the source nor the user states (space, order, scroll or timing); None where it does not
    decide. `reached`: where `lines_of` and `rows_of` note how far they are, for who tells what stopped a source."""

    media: MediaStore
    options: dict[str, dict[str, Any]] = {}
    shown: str = ""
    part: Part | None = None
    sightings: Sightings | None = None
    survey: bool = False
    decide: Callable[[str], str | None] | None = None
    reached: Reached = msgspec.field(default_factory=Reached)


class Read(msgspec.Struct, kw_only=True, frozen=True):
    """One record read, with the stretches of raw events where it comes from a recording."""

    trajectory: Trajectory
    stretches: list[Stretch] = []


class Origin(msgspec.Struct, kw_only=True, frozen=True):
    """Where an input is that is not on this disk: the URL given, its `path` below that ("": the URL itself), and the
    `version` of an input that is one object."""

    url: str
    path: str
    version: str


class Input(msgspec.Struct, kw_only=True, frozen=True):
    """One thing to read: `path` on disk, the `source` that reads it, `shown` its name in outputs. `origin`: set where
    `path` is only a mirror of its names (`engine.remote_inputs`)."""

    path: Path
    source: str
    shown: str
    origin: Origin | None = None


class Source(Protocol):
    """One way of storing trajectories on disk. `name` stands in records; `raw`: one input is one raw recording, which
    reduce turns into a record; `divisible`: its files hold one record a line, whatever the other lines hold, so that
    they may be read in parts (`sources.common.reading.lines_of`). `facts`: what is known of a published source; None
    for what this project itself writes."""

    name: str
    raw: bool
    divisible: bool
    facts: Facts | None

    def recognise(self, path: Path) -> bool:
        """Whether `path` (a file or a folder) is one input of this source. Cheap: looks at names and first bytes."""
        ...

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every record of the input in its order; what cannot be read comes as Rejected, never as an exception."""
        ...
