"""A bounded look at an input, read by its own source: raw points and scrolls as they stand, small copies of pictures.
Nothing is written but into a folder that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curate.model.actions import Action, HScroll, Pointed, Scroll, Swipe, Terminate, Wait
from curate.model.constants import (
    DETECTOR_PICTURE,
    DETECTOR_PICTURE_MAX,
    DETECTOR_PICTURES,
    DETECTOR_POINTS,
    DETECTOR_RECORDS,
)
from curate.model.rejected import Rejected
from curate.model.trajectory import Step, Trajectory
from curate.sources.base import ReadContext, Source
from curate.sources.common.facts import Facts
from curate.sources.common.sightings import PointSeen, ScrollSeen, Sightings
from curate.sources.detector.sample import Run, Sample, Seen, Shot
from curate.sources.resuming import read_on
from curate.store.late import cv2
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.picture_files import sound_header

OWN = Facts(
    title="A record of this project", card="", space="fraction", order="xy", scroll="plus_up", timing="before",
    outcome="`outcome`", licences={},
)  # fmt: skip
"""What holds of every record, and so of what has no facts of its own."""


def survey(
    source: Source, path: Path, shown: str, options: Mapping[str, dict[str, Any]], *,
    records: int = DETECTOR_RECORDS, pictures: int = DETECTOR_PICTURES,
) -> Sample:  # fmt: skip
    """The first records of an input, at most `records`, with no more points than the detector needs, and small copies
    of the first `pictures`."""
    runs: list[Run] = []
    read = refused = 0
    first: Rejected | None = None
    with tempfile.TemporaryDirectory() as scratch:
        media = MediaStore(scratch, deferred=True)
        sightings = Sightings()
        said = {**options, "import": {**options.get("import", {}), "pictures": "optional"}}
        context = ReadContext(media=media, options=said, shown=shown, sightings=sightings, survey=True)
        shots = _Shots(media, pictures)
        for item in _read(source, path, context):
            points, scrolls = sightings.take()
            if isinstance(item, Rejected):
                refused += 1
                first = first or item
                runs.append(_refused_run(item, points, scrolls))
            else:
                read += 1
                runs.append(_run(item, points, scrolls, shots, own=not sightings.used))
            media.clear()
            counted = sum(len(step.points) for step in runs[-1].steps)
            sightings.passed_over += counted
            if read + refused >= records or sightings.passed_over >= DETECTOR_POINTS:
                break
        declared = _shared(sightings.used) or OWN
    return Sample(declared=declared, runs=tuple(runs), records=read, refused=refused, first_refused=first)


def together(samples: Sequence[Sample]) -> Sample:
    """Several inputs of one source as one sample."""
    declared = _shared([sample.declared for sample in samples])
    assert declared is not None
    return Sample(
        declared, tuple(run for sample in samples for run in sample.runs),
        sum(sample.records for sample in samples), sum(sample.refused for sample in samples),
        next((sample.first_refused for sample in samples if sample.first_refused is not None), None),
    )  # fmt: skip


def _read(source: Source, path: Path, context: ReadContext) -> Iterator[Trajectory | Rejected]:
    for item in read_on(source, path, context):
        yield item if isinstance(item, Rejected) else item.trajectory


def _shared(used: Sequence[Facts]) -> Facts | None:
    """The facts that rows of all kinds share; None where the source states none while it reads."""
    if not used:
        return None
    names = ("space", "order", "scroll", "timing")
    differ = [name for name in names if any(getattr(facts, name) != getattr(used[0], name) for facts in used)]
    return msgspec.structs.replace(used[0], **dict.fromkeys(differ))


class _Shots:
    """Small copies of pictures, at most `left` of them; steps that name the same one share it."""

    def __init__(self, media: MediaStore, left: int) -> None:
        self._media, self._left = media, left

    def of(self, references: Sequence[str | None]) -> tuple[Shot | None, ...]:
        """The pictures of a record; None for all of them once enough were looked at."""
        known: dict[str, Shot | None] = {}
        for reference in references:
            if reference is not None and reference not in known:
                known[reference] = self._shot(reference)
        return tuple(None if reference is None else known[reference] for reference in references)

    def _shot(self, reference: str) -> Shot | None:
        if self._left <= 0:
            return None
        self._left -= 1
        try:
            return small_copy(self._media.read(reference))
        except (PathError, OSError):
            return None


def small_copy(data: bytes) -> Shot | None:
    """The small copy of a picture; None of one that is broken or too large."""
    header = sound_header(data)
    if header is None or header.width * header.height > DETECTOR_PICTURE_MAX:
        return None
    try:
        grey = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    except cv2.error:
        return None
    if grey is None:
        return None
    height, width = grey.shape
    scale = DETECTOR_PICTURE / max(height, width)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return Shot(np.asarray(grey, np.uint8), (width, height))


def _run(
    record: Trajectory, points: Sequence[PointSeen], scrolls: Sequence[ScrollSeen], shots: _Shots, own: bool
) -> Run:
    """A record, with what was sighted while it was read; what states nothing while it reads is sighted as it is."""
    if own:
        points, scrolls = _own_points(record), _own_scrolls(record)
    numbers = {step.index: number for number, step in enumerate(record.steps)}
    at: list[tuple[list[PointSeen], list[ScrollSeen]]] = [([], []) for _ in record.steps]
    for point in points:
        if (number := _number(point.step, numbers, len(at))) is not None:
            at[number][0].append(point)
    for scroll in scrolls:
        if (number := _number(scroll.step, numbers, len(at))) is not None:
            at[number][1].append(scroll)
    steps = [
        Seen(step.index, tuple(here), tuple(turned), _acts(step.actions))
        for step, (here, turned) in zip(record.steps, at, strict=True)
    ]
    return Run(
        record.id, record.source.file, record.source.line, tuple(steps), shots.of(_pictures(record.steps, record))
    )


def _number(step: int, numbers: Mapping[int, int], count: int) -> int | None:
    """The place of a step that a source calls by its index, or by its place."""
    return numbers.get(step, step if 0 <= step < count else None)


def _pictures(steps: Sequence[Step], record: Trajectory) -> list[str | None]:
    if not steps:
        return []
    return [*(step.image for step in steps), record.final_image or steps[-1].image_after]


def _acts(actions: Sequence[Action]) -> bool:
    return any(not isinstance(action, Wait | Terminate) for action in actions)


def _own_points(record: Trajectory) -> list[PointSeen]:
    found = []
    for step in record.steps:
        for action in step.actions:
            if isinstance(action, Pointed | Swipe) and action.x is not None and action.y is not None:
                found.append(PointSeen(record.id, step.index, (action.x, action.y), step.image_size))
    return found


def _own_scrolls(record: Trajectory) -> list[ScrollSeen]:
    """Words that were made from the number say nothing about it."""
    found = []
    for step in record.steps:
        said = None if "words_generated" in step.flags else step.action or step.low_level
        for action in step.actions:
            if isinstance(action, Scroll | HScroll):
                axis = "y" if isinstance(action, Scroll) else "x"
                found.append(ScrollSeen(record.id, step.index, action.amount, axis, said))
    return found


def _refused_run(row: Rejected, points: Sequence[PointSeen], scrolls: Sequence[ScrollSeen]) -> Run:
    """A record that was not read: what was seen of it before it failed, without pictures."""
    numbers = sorted({point.step for point in points} | {scroll.step for scroll in scrolls})
    steps = tuple(
        Seen(
            number,
            tuple(point for point in points if point.step == number),
            tuple(scroll for scroll in scrolls if scroll.step == number),
        )
        for number in numbers
    )
    return Run(row.id or "", row.file, row.line, steps, ())
