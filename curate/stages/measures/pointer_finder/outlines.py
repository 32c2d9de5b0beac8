"""Pointers as outlines, drawn by this project after how the usual ones look: x to the right, y down, the hot spot at
(0, 0), in units of which `HEIGHT` says how many the whole pointer is high. Which of its two tones is light is not said:
every shape comes white with a black edge and black with a white one."""

from __future__ import annotations

from typing import NamedTuple

Points = tuple[tuple[float, float], ...]


class Outline(NamedTuple):
    """`polygons`: their union is the pointer, or, where `edge` is beyond it (`outside`), its inner tone. `edge`: how
    wide the other tone is. `height`: of the whole. All in the same units."""

    name: str
    polygons: tuple[Points, ...]
    edge: float
    height: float
    outside: bool = False


def _bar(left: float, top: float, right: float, bottom: float) -> Points:
    return (left, top), (right, top), (right, bottom), (left, bottom)


ARROW: Points = ((0, 0), (0, 16.7), (3.8, 13.2), (6.4, 19), (9, 17.9), (6.6, 12.5), (12, 12.5))
"""Windows, macOS, X's left_ptr: a straight tail."""

THIN: Points = ((0, 0), (0, 17), (4.6, 13.2), (6.8, 19), (8.6, 17.2), (7.2, 12.3), (12.3, 12.3))
"""Windows 10's and 11's, whose edge is a thin line."""

TAILED: Points = ((-1, -3), (-1, 34), (7, 27.2), (11.2, 34.6), (13.6, 36), (16, 35.6), (17.6, 33.4), (17.2, 31),
                  (12.9, 22.7), (24.6, 22.7))  # fmt: skip
"""GNOME's: a longer tail with a round end."""

BROAD: Points = ((-2, -2.6), (-2, 33.4), (6.6, 33.4), (12.6, 39.2), (15.4, 39.8), (18, 37.6), (18, 29.4), (24, 24),
                 (23.2, 20.8))  # fmt: skip
"""KDE's: hardly any tail."""

HAND: Points = ((-3.8, 0.6), (-2, -2), (2, -2), (4, 0.6), (4.4, 10), (7, 10), (12.4, 11.6), (17.4, 12.6), (20.8, 13),
                (23, 16.6), (21.8, 40), (0.4, 40), (-8.6, 30), (-16.2, 21), (-15.8, 17.4),
                (-11.4, 15.2), (-4, 19.4))  # fmt: skip
"""Windows', macOS', KDE's: the thumb spread out."""

FIST: Points = ((-3.4, 1), (-1.4, -2.8), (2.2, -2.8), (4.2, 0.6), (4.2, 5.6), (8, 5.8), (10.4, 7.4), (14, 8.4),
                (17.4, 9), (20.8, 12), (20.8, 26), (18, 28.8), (-6, 28.8), (-8.8, 26), (-8.8, 13), (-6.4, 11),
                (-3.4, 11))  # fmt: skip
"""GNOME's: the thumb on the fist."""


def _beam(bar: float, serif: float) -> tuple[Points, ...]:
    """An I so wide in its bar and its serifs, which leave a notch above and below."""
    half, out = bar / 2, serif / 2
    ends = [
        _bar(side * (half * 0.6) if side > 0 else -out, y, out if side > 0 else -half * 0.6, y + bar)
        for side in (-1, 1)
        for y in (-9.0, 9 - bar)
    ]
    return (_bar(-half, bar * 0.7 - 9, half, 9 - bar * 0.7), *ends)


OUTLINES = (
    Outline("arrow", (ARROW,), 1.15, 19),
    Outline("thin-edged arrow", (THIN,), 0.52, 19),
    Outline("tailed arrow", (TAILED,), 2.2, 39),
    Outline("broad arrow", (BROAD,), 2.0, 42.4),
    Outline("hand", (HAND,), 2.0, 42),
    Outline("fist", (FIST,), 2.2, 31.6),
    Outline("I-beam", _beam(1.3, 7), 2.0, 18, outside=True),
    Outline("edged I-beam", _beam(1.2, 6), 1.2, 18, outside=True),
    Outline("bold I-beam", _beam(1.9, 6.4), 1.2, 18, outside=True),
)
