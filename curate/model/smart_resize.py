"""The size a picture gets before a model of the Qwen family sees it. Coordinates in absolute pixels are pixels of this
size, so a training row and the trainer's processor must come to the same one, to the pixel."""

from __future__ import annotations

import math

from curate.model.constants import MAX_ASPECT_RATIO


class AspectError(ValueError):
    """The picture is too long and thin for the model; the message says how much."""


def smart_resize(
    width: int, height: int, factor: int, min_pixels: int | None = None, max_pixels: int | None = None
) -> tuple[int, int]:
    """Width and height in pixels, both multiples of `factor`, `min_pixels` <= width x height <= `max_pixels` (None: no
    such limit), the proportions kept as far as that goes.

    Sides are rounded half to even, as Python rounds (1022 / 28 = 36.5 becomes 36: ports that round half up are a patch
    off); scaled down they are cut, scaled up they are filled, at least one patch each. Raises AspectError for a picture
    that is over MAX_ASPECT_RATIO times as long as wide."""
    if max(width, height) > MAX_ASPECT_RATIO * min(width, height):
        raise AspectError(f"{width} x {height} is more than {MAX_ASPECT_RATIO} times as long as wide")
    across, down = (max(factor, round(side / factor) * factor) for side in (width, height))
    if max_pixels is not None and across * down > max_pixels:
        scale = math.sqrt(width * height / max_pixels)
        across, down = (max(factor, math.floor(side / scale / factor) * factor) for side in (width, height))
    elif min_pixels is not None and across * down < min_pixels:
        scale = math.sqrt(min_pixels / (width * height))
        across, down = (math.ceil(side * scale / factor) * factor for side in (width, height))
    return across, down
