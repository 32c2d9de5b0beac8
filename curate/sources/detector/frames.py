"""How well raw points fit each frame and order: the likelihood that `space` and `order` decide by.

Four kinds of evidence, each of a bounded weight (FRAME_CAPS), so that none of the weaker ones can accuse alone:

- frame: whether the point lies inside its frame (one of unknown size speaks neither for it nor against it);
- box: whether it lies in its target's box;
- picture: whether anything is drawn around it;
- density: that numbers which fill a small frame are less likely to come from a larger one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from curate.model.constants import (
    EDGE_PX,
    FRAME_CAP_A_PICTURE,
    FRAME_CAP_PICTURES,
    FRAME_CAPS,
    FRAME_FILLS,
    FRAME_IN_BOX,
    FRAME_ON_SOMETHING,
    FRAME_OUTSIDE,
    FRAME_TEMPER,
)
from curate.sources.common.facts import Order, Space
from curate.sources.common.sightings import PointSeen
from curate.sources.detector.picture_evidence import something_at
from curate.sources.detector.sample import Run, Sample, Shot

SPACES: tuple[Space, ...] = ("fraction", "permille", "picture_pixel", "screen_pixel")
ORDERS: tuple[Order, ...] = ("xy", "yx")

_UNKNOWN_AREA = math.log(1280.0 * 800.0)
"""Of a picture of unknown size: a small screen, so that little follows from it."""


class Told(NamedTuple):
    """A point with what is known around it."""

    run: Run
    seen: PointSeen
    shot: Shot | None


class Fit(NamedTuple):
    """How a hypothesis fits. `known`: points whose frame's size is known, `inside`: of those, in it; `boxed`, `in_box`:
    with a target's box, in it; `looked`, `on_something`: with a picture, with something drawn there. `score`: log
    likelihood, against the best one's."""

    space: Space
    order: Order
    known: int = 0
    inside: int = 0
    boxed: int = 0
    in_box: int = 0
    looked: int = 0
    on_something: int = 0
    score: float = 0.0


def told_points(sample: Sample) -> list[Told]:
    """Every point of a sample, with its picture; where the source does not give a picture's size, the picture does."""
    found = []
    for run in sample.runs:
        for number, step in enumerate(run.steps):
            shot = run.shots[number] if number < len(run.shots) else None
            for seen in step.points:
                size = seen.picture or (shot.size if shot is not None else None)
                found.append(Told(run, seen._replace(picture=size), shot))
    return found


def place_in(seen: PointSeen, space: Space, order: Order) -> tuple[float, float] | None:
    """The point as fractions of its picture by a hypothesis; None where the size that it needs is not known."""
    x, y = seen.raw if order == "xy" else (seen.raw[1], seen.raw[0])
    size = size_of(seen, space)
    return None if size is None else (x / size[0], y / size[1])


def size_of(seen: PointSeen, space: str) -> tuple[float, float] | None:
    """Width and height of a frame in its own units."""
    if space == "fraction":
        return 1.0, 1.0
    if space == "permille":
        return 1000.0, 1000.0
    return seen.screen if space == "screen_pixel" else seen.picture


def is_inside(seen: PointSeen, space: Space, place: tuple[float, float]) -> bool:
    """Whether the point lies in its frame; a pixel may lie as far beyond as `model.coordinates.place` allows."""
    size = size_of(seen, space)
    assert size is not None
    slack = (EDGE_PX / size[0], EDGE_PX / size[1]) if space.endswith("pixel") else (0.0, 0.0)
    return all(-slack[axis] <= place[axis] <= 1 + slack[axis] for axis in (0, 1))


def is_in_box(seen: PointSeen, space: Space, place: tuple[float, float]) -> bool | None:
    """Whether the point lies in its target's box; None where there is none, or its size is not known."""
    if seen.box is None:
        return None
    size = size_of(seen, seen.box_space or space)
    if size is None:
        return None
    left, top, right, bottom = seen.box
    loose = 0.002  # of the picture: boxes are rounded to whole pixels
    x, y = place
    return left / size[0] - loose <= x <= right / size[0] + loose and (
        top / size[1] - loose <= y <= bottom / size[1] + loose
    )


def fits(points: Sequence[Told]) -> list[Fit]:
    """Every hypothesis that differs from another one, best first."""
    screens = any(told.seen.screen not in (None, told.seen.picture) for told in points)
    spaces = [space for space in SPACES if space != "screen_pixel" or screens]
    found = [_fit(points, space, order) for space in spaces for order in ORDERS]
    kinds = list(zip(*(terms for _, terms in found), strict=True))
    best = [max(kind) for kind in kinds]
    caps = _caps(sum(told.shot is not None for told in points))
    scored = [
        fit._replace(score=sum(max(term - top, -cap) for term, top, cap in zip(terms, best, caps, strict=True)))
        for fit, terms in found
    ]
    return sorted(scored, key=lambda fit: (-fit.score, SPACES.index(fit.space), fit.order))


def _caps(pictures: int) -> tuple[float, ...]:
    """What each kind of evidence may bring at most; many pictures may bring more than a few."""
    frame, box, few, density = FRAME_CAPS
    return frame, box, max(few, min(FRAME_CAP_PICTURES, FRAME_CAP_A_PICTURE * pictures)), density


Terms = tuple[float, float, float, float]


def _fit(points: Sequence[Told], space: Space, order: Order) -> tuple[Fit, Terms]:
    """Counts of a hypothesis, and its log likelihood by each kind of evidence."""
    known = inside = boxed = in_box = looked = on_something = 0
    density, reach = 0.0, 0.0
    for _, seen, shot in points:
        place = place_in(seen, space, order)
        if place is None:
            density -= _UNKNOWN_AREA
            continue
        known += 1
        if not is_inside(seen, space, place):
            density -= _largest(seen)
            continue
        inside += 1
        reach = max(reach, *place)
        density -= _area(seen, space)
        hit = is_in_box(seen, space, place)
        boxed, in_box = boxed + (hit is not None), in_box + bool(hit)
        if shot is not None:
            looked += 1
            on_something += something_at(shot.grey, min(place[0], 1.0), min(place[1], 1.0))
    if space != "fraction" and reach < FRAME_FILLS:
        density = -sum(_largest(seen) for _, seen, _ in points)
    outside = known - inside
    every_box = sum(told.seen.box is not None for told in points)
    on, anywhere = FRAME_ON_SOMETHING
    terms = (
        outside * math.log(FRAME_OUTSIDE) + (len(points) - outside) * math.log(1 - FRAME_OUTSIDE),
        in_box * math.log(FRAME_IN_BOX) + (every_box - in_box) * math.log(1 - FRAME_IN_BOX),
        on_something * math.log(on) + (looked - on_something) * math.log(1 - on) + _unlooked(points, looked, anywhere),
        FRAME_TEMPER * density,
    )
    return Fit(space, order, known, inside, boxed, in_box, looked, on_something), terms


def _unlooked(points: Sequence[Told], looked: int, anywhere: float) -> float:
    """Points with a picture that lie outside it by this hypothesis count as any place: `frame` counts them already."""
    with_shot = sum(told.shot is not None for told in points)
    return (with_shot - looked) * math.log(anywhere)


def _area(seen: PointSeen, space: Space) -> float:
    size = size_of(seen, space)
    return _UNKNOWN_AREA if size is None else math.log(size[0] * size[1])


def _largest(seen: PointSeen) -> float:
    return max(_area(seen, space) for space in SPACES)


def shares(found: Sequence[Fit]) -> list[float]:
    """The share of the likelihood that each hypothesis has."""
    weights = [math.exp(fit.score - found[0].score) for fit in found]
    return [weight / sum(weights) for weight in weights]
