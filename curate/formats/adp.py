"""`adp`: records of the Agent Data Protocol, one a run: the task as the user's text, then of each step what was seen
and its code, and at the end the final picture.

The protocol has no place for most of what a record knows. The whole record stands in `details["trajectory.v1"]`, as
JSON in a string (details hold strings): read by this project's source `adp`, it comes back as it was, as long as the
code in the content is still its own. Nothing is escaped: the protocol has no placeholders.

Every step is there, wrong and redundant ones with their marks in the record. A step without code shows its picture
alone in the content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from curate.formats import base
from curate.model.trajectory import SCHEMA, Step, Trajectory, encode

VERSION = "1.2.0"


class Bounds(msgspec.Struct, kw_only=True, frozen=True):
    """Of an element, in pixels of the picture."""

    x: float
    y: float
    width: float
    height: float


class Annotation(msgspec.Struct, kw_only=True, frozen=True):
    text: str
    element_type: str
    bounding_box: Bounds


class Text(msgspec.Struct, kw_only=True, frozen=True, tag="text_observation", tag_field="class_"):
    content: str
    name: str | None = None
    source: Literal["user", "environment"] = "user"


class Picture(msgspec.Struct, kw_only=True, frozen=True, tag="image_observation", tag_field="class_"):
    content: str
    annotations: list[Annotation] | None = None
    source: Literal["environment"] = "environment"


class Code(msgspec.Struct, kw_only=True, frozen=True, tag="code_action", tag_field="class_"):
    """`description`: the step's words; `reasoning_content`: its thought."""

    language: Literal["python"] = "python"
    content: str
    description: str | None = None
    reasoning_content: str | None = None


class Details(msgspec.Struct, kw_only=True, frozen=True):
    record: str = msgspec.field(name=SCHEMA)


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One run. `id` is the record's; `step` its first step's index."""

    schema_version: str = VERSION
    id: str
    content: list[Text | Picture | Code]
    details: Details
    trajectory: str
    step: int
    split: str
    weight: float


class _Adp(base.Plain):
    name = "adp"
    needs_code = False
    shows_after = True
    by_run = True
    row = Example
    about = base.About(
        trains="what reads the Agent Data Protocol; a row is a whole run (`curate export` only)",
        loss="the protocol's own rules",
        history="the run",
        pictures="all, the final one too",
        coordinates="fractions, in code; elements in pixels",
        reflection="in the record that stands in `details`",
        weights="`weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        return iter(())

    def line(self, head: base.Head, body: bytes) -> bytes:
        raise TypeError("A row of adp is a run: it has no line of a step.")

    def run(self, head: base.Head, trajectory: Trajectory) -> bytes:
        content: list[Text | Picture | Code] = [Text(content=trajectory.instruction)]
        for step in trajectory.steps:
            content += _told(step)
        if trajectory.final_image is not None:
            content.append(Picture(content=trajectory.final_image))
        return _encoded(
            Example(
                id=trajectory.id, content=content, details=Details(record=encode(trajectory).decode()),
                trajectory=head.trajectory, step=head.step, split=head.split, weight=head.weight,
            )
        )  # fmt: skip


_encoded = msgspec.json.Encoder().encode


def _told(step: Step) -> Iterator[Text | Picture | Code]:
    if step.image is not None:
        yield Picture(content=step.image, annotations=_annotations(step))
    if code := base.target_code(step):
        yield Code(content=code, description=step.action, reasoning_content=step.thought)


def _annotations(step: Step) -> list[Annotation] | None:
    element, size = step.element, step.image_size
    if element is None or element.box is None or size is None:
        return None
    (left, top, right, bottom), (width, height) = element.box, size
    numbers = left * width, top * height, (right - left) * width, (bottom - top) * height
    bounds = Bounds(**dict(zip(("x", "y", "width", "height"), (round(n, 1) for n in numbers), strict=True)))
    return [Annotation(text=element.name or "", element_type=element.role or "", bounding_box=bounds)]


FORMAT = _Adp()
