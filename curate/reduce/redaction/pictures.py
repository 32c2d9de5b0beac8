"""The pictures of a record as a slow film: what changed from the picture before a secret was typed to the one after is
where it shows. Pictures have no times of their own here: a step's stands at ten times its number, the one after its
action five later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.trajectory import Trajectory
from curate.reduce.redaction.blackening import Blackening, Gathering, Planes
from curate.reduce.redaction.places import ShownBox, ShownSpan
from curate.store.media import MediaStore, read_rgb
from curate.store.paths import PathError

Rgb = NDArray[np.uint8]
Field = Literal["image", "image_after", "final_image"]
Place = tuple[int, Field]
"""Number of the step (of all steps, for the final one) and the field that names the picture."""
STEP, AFTER = 10, 5
_WIDEST = 1 << 30


class StepPictures:
    """The pictures of one record, in order. What cannot be decoded is in no training example as it is, and passed
    over."""

    def __init__(self, record: Trajectory, media: MediaStore) -> None:
        self._media = media
        named: list[tuple[Place, int, str | None]] = []
        for number, step in enumerate(record.steps):
            named += [((number, "image"), STEP * number, step.image)]
            named += [((number, "image_after"), STEP * number + AFTER, step.image_after)]
        named += [((len(record.steps), "final_image"), STEP * len(record.steps), record.final_image)]
        self._named = [(place, t, ref) for place, t, ref in named if ref is not None]
        self._sizes: dict[str, tuple[int, ...] | None] = {}

    def size(self, number: int) -> tuple[int, int] | None:
        """Width and height of a step's picture, where it can be decoded."""
        ref = next((ref for place, _, ref in self._named if place == (number, "image")), None)
        shape = self._shape(ref) if ref is not None else None
        return (shape[1], shape[0]) if shape is not None else None

    def without(
        self, spans: Iterable[tuple[int, int]], boxes: Sequence[ShownBox], how: Literal["box", "drop"]
    ) -> dict[Place, str | None]:
        """What takes the place of each picture that shows a secret: a new one with black in it, or none. `spans`:
        first and last step that typed it."""
        shown = [self._span(first, last) for first, last in spans]
        if not shown and not boxes:
            return {}
        found: dict[Place, str | None] = {}
        for shape, run in groupby(self._named, key=lambda one: self._shape(one[2])):
            if shape is not None:
                found |= self._of_one_size(list(run), shown, boxes, how)
        return found

    def _span(self, first: int, last: int) -> ShownSpan:
        since = STEP * first + 1
        after = [t for _, t, _ in self._named if t > STEP * last]
        until = after[0] if after else STEP * (last + 1)
        return ShownSpan(since=since, drawn=until, until=until)

    def _of_one_size(
        self, run: list[tuple[Place, int, str]], spans: Sequence[ShownSpan], boxes: Sequence[ShownBox],
        how: Literal["box", "drop"],
    ) -> dict[Place, str | None]:  # fmt: skip
        """Neighbouring pictures of one size. Typed before the first of them: nobody knows where, so all are black."""
        first = run[0][1]
        unknown = [span for span in spans if span.since < first <= span.until]
        everywhere = [
            ShownBox(since=first, until=run[-1][1], at=first, box=(0, 0, _WIDEST, _WIDEST), alone=False)
            for _ in unknown
        ]
        gathered = Gathering([span for span in spans if span.since > first], boxes)
        for _, t, planes, _ in self._decoded(run):
            gathered.add(t, planes)
        gathered.finish()
        blackening = Blackening(gathered, [*boxes, *everywhere])
        found: dict[Place, str | None] = {}
        for place, t, planes, rgb in self._decoded(run):
            mask = blackening.mask(t, planes)
            if mask is not None:
                black = rgb.copy()
                black[mask] = 0
                found[place] = self._media.add_png(black) if how == "box" else None
        return found

    def _decoded(self, run: Iterable[tuple[Place, int, str]]) -> Iterator[tuple[Place, int, Planes, Rgb]]:
        for place, t, ref in run:
            rgb = self._read(ref)
            if rgb is not None:
                grey = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
                yield place, t, [grey, *(np.ascontiguousarray(rgb[..., channel]) for channel in range(3))], rgb

    def _read(self, ref: str) -> Rgb | None:
        try:
            return read_rgb(self._media.read(ref))
        except (OSError, PathError):
            return None

    def _shape(self, ref: str) -> tuple[int, ...] | None:
        if ref not in self._sizes:
            rgb = self._read(ref)
            self._sizes[ref] = None if rgb is None else rgb.shape[:2]
        return self._sizes[ref]
