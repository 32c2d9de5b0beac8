"""How the processors of model families resize pictures (the rule: `model.smart_resize`), and which size the coordinates
of a step speak of when they are absolute pixels."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from curate.model.constants import QWEN2_FACTOR, QWEN2_MAX_PIXELS, QWEN2_MIN_PIXELS, UITARS_MIN_PIXELS
from curate.model.smart_resize import AspectError, smart_resize

SIZES = frozenset(("min_pixels", "max_pixels"))
"""The options that say how a picture is resized."""


class Resize(msgspec.Struct, frozen=True):
    """Sides are multiples of `factor`; width x height is between the limits, as the trainer's processor is told."""

    factor: int
    min_pixels: int
    max_pixels: int

    def size(self, width: int, height: int) -> tuple[int, int] | None:
        """Width and height of the picture as the model sees it; None for one that the processor refuses."""
        return _size(width, height, self)

    def limited(self, min_pixels: int | None, max_pixels: int | None) -> Resize:
        """The same with other limits, where they are given. A lower limit never stays above the upper one."""
        most = self.max_pixels if max_pixels is None else max_pixels
        return Resize(self.factor, min(self.min_pixels, most) if min_pixels is None else min_pixels, most)


QWEN2_VL = Resize(QWEN2_FACTOR, QWEN2_MIN_PIXELS, QWEN2_MAX_PIXELS)
"""Qwen2-VL, Qwen2.5-VL and OpenCUA."""
UI_TARS = Resize(QWEN2_FACTOR, UITARS_MIN_PIXELS, QWEN2_MAX_PIXELS)
"""UI-TARS 1.5."""


@lru_cache(4096)
def _size(width: int, height: int, resize: Resize) -> tuple[int, int] | None:
    try:
        return smart_resize(width, height, resize.factor, resize.min_pixels, resize.max_pixels)
    except AspectError:
        return None
