"""Monitors and their places in the recorded region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curate.model.trajectory import Screen
from curate.store.recording import Monitor

DOTS_AT_SCALE_1 = 96.0
"""Dots an inch at which X11 desktops draw at scale 1 (`Xft.dpi`)."""


class Place(NamedTuple):
    """One monitor as the system has it: its place on a desktop whose origin may be anywhere (on Windows and macOS the
    primary monitor's corner, so that a monitor to its left has a negative one), in pixels."""

    left: int
    top: int
    width: int
    height: int
    scale: float | None = None
    primary: bool | None = None


class Layout(NamedTuple):
    """`origin`: the desktop's point that is the recorded region's top left corner."""

    origin: tuple[int, int]
    screen: Screen
    monitors: list[Monitor]


def layout(places: Sequence[Place], origin: tuple[int, int] | None = None) -> Layout:
    """The region that holds all monitors (at least one), and each one's place in it. With the `origin` that a recording
    began with, monitors that came later may lie left of it or above: their places are negative. The screen's scale is
    that of the primary monitor, else of the first."""
    left, top = min(p.left for p in places), min(p.top for p in places)
    right, bottom = max(p.left + p.width for p in places), max(p.top + p.height for p in places)
    x, y = origin if origin is not None else (left, top)
    monitors = [
        Monitor(x=p.left - x, y=p.top - y, width=p.width, height=p.height, scale=p.scale, primary=p.primary)
        for p in places
    ]
    main = next((p for p in places if p.primary), places[0])
    return Layout((x, y), Screen(width=right - x, height=bottom - y, scale=main.scale), monitors)


def x11_scale(resources: bytes) -> float:
    """The scale that programs are told by the X server's resources (`Xft.dpi`); 1 where they say nothing."""
    for line in resources.split(b"\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"xft.dpi":
            try:
                dots = float(value.strip())
            except ValueError:
                return 1.0
            return round(dots / DOTS_AT_SCALE_1, 4) if 0 < dots < 10_000 else 1.0
    return 1.0
