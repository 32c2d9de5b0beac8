"""The record: one trajectory (`trajectory.v1`). Unknown is null: never guessed, never defaulted to true."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from curate.model.actions import Action, Fraction

SCHEMA = "trajectory.v1"

Box = tuple[Fraction, Fraction, Fraction, Fraction]
"""left, top, right, bottom as fractions of the picture."""
RawBox = tuple[float, float, float, float]
"""left, top, right, bottom in recorded pixels."""

ActorKind = Literal["human", "model", "program"]
Platform = Literal["windows", "macos", "linux", "android", "ios", "web"]


class _Part(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A part of a record: a tree, in which the collector of circles has nothing to look for."""


class Origin(_Part, kw_only=True):
    """Where a record came from; `line` counts from 1."""

    name: str
    id: str | None = None
    file: str | None = None
    line: Annotated[int, Meta(ge=1)] | None = None
    license: str | None = None
    url: str | None = None
    importer: str | None = None


class Task(_Part, kw_only=True):
    """What a tutorial or benchmark states beside the instruction."""

    prerequisites: str | None = None
    steps: list[str] | None = None
    expected: str | None = None


class Actor(_Part, kw_only=True):
    """Who acted. `name` is a pseudonym, never a person's name."""

    kind: ActorKind | None = None
    name: str | None = None


class Screen(_Part, kw_only=True):
    """The recorded screen in pixels at the moment of the step."""

    width: Annotated[int, Meta(ge=1)]
    height: Annotated[int, Meta(ge=1)]
    scale: float | None = None


class Element(_Part, kw_only=True):
    """The element acted on, when its box is known to hold the point."""

    role: str | None = None
    name: str | None = None
    box: Box | None = None


class Span(_Part, kw_only=True):
    """Seconds from the recording's first raw event."""

    start: float
    end: float


class Keyframe(_Part, kw_only=True):
    """How a step's picture was chosen. `time` is in seconds from the first raw event (earlier: negative);
    `pointer` is the pointer's place by its events; `pointer_on_target` says whether that place lies in the
    part of the screen that reacts to the pointer at the target; `hover` whether the largest local change against
    the previous keyframe lies on the target; `floor_on_target` whether clicking where the previous action ended
    would hit that part (the floor of the two). All three are null for a step without a target on the picture."""

    time: float
    rule: str
    pointer: tuple[float, float] | None = None
    pointer_on_target: bool | None = None
    hover: bool | None = None
    floor_on_target: bool | None = None
    erased: bool = False


Side = Annotated[int, Meta(ge=1, le=2**31 - 1)]  # pixels; no PNG can be larger


class Step(_Part, kw_only=True):
    """One step: the picture is what was seen *before* the actions. `correct`, `redundant` and `reflection`
    describe this step itself; null is unknown, not wrong."""

    index: Annotated[int, Meta(ge=0)]
    image: str | None = None
    image_size: tuple[Side, Side] | None = None
    image_after: str | None = None
    screen: Screen | None = None
    app: str | None = None
    window: str | None = None
    url: str | None = None
    tree: str | None = None
    observation: str | None = None
    thought: str | None = None
    action: str | None = None
    low_level: str | None = None
    actions: list[Action]
    code: str | None = None
    element: Element | None = None
    raw_box: RawBox | None = None
    correct: bool | None = None
    redundant: bool | None = None
    reflection: str | None = None
    weight: float | None = None
    time: Span | None = None
    keyframe: Keyframe | None = None
    events: list[int] | None = None
    flags: list[str] = []


class Outcome(_Part, kw_only=True):
    """How the run ended. `completed` null is unknown."""

    completed: bool | None = None
    by: str | None = None
    reason: str | None = None


class Score(_Part, kw_only=True):
    """A number with its range and direction."""

    name: str
    value: float
    min: float
    max: float
    higher_is_better: bool
    by: str | None = None


class Weight(_Part, kw_only=True):
    """How much the run counts in training, and who says so."""

    value: Annotated[float, Meta(ge=0.0)] = 1.0
    by: str = "default"


class Trajectory(_Part, kw_only=True):
    """One run: an instruction, its steps, how it ended."""

    schema: Literal["trajectory.v1"] = "trajectory.v1"
    id: str
    attempt: str | None = None
    source: Origin
    instruction: str
    wordings: dict[str, str] = {}
    template: str | None = None
    task: Task = msgspec.field(default_factory=Task)
    actor: Actor = msgspec.field(default_factory=Actor)
    platform: Platform | None = None
    apps: list[str] = []
    sites: list[str] = []
    steps: list[Step]
    final_image: str | None = None
    video: str | None = None
    trace: str | None = None
    outcome: Outcome = msgspec.field(default_factory=Outcome)
    scores: list[Score] = []
    weight: Weight = msgspec.field(default_factory=Weight)
    lineage: list[str] = []


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Trajectory)


def encode(trajectory: Trajectory) -> bytes:
    """The canonical JSON of a record: one line, every field present, fields in the schema's order."""
    return _encoder.encode(trajectory)


def decode(line: bytes | str) -> Trajectory:
    """The record in a JSON line. Raises msgspec.ValidationError (which names the field) or DecodeError."""
    return _decoder.decode(line)


def convert(obj: Any) -> Trajectory:
    """The record in plain JSON types (strict: a bool or a string is no coordinate)."""
    return msgspec.convert(obj, Trajectory)
