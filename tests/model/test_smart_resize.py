"""The processors' resize rule, against the function as it is published and the numbers that its users wrote down."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curate.model.smart_resize import AspectError, smart_resize


def published(height: int, width: int, factor: int, least: int, most: int) -> tuple[int, int]:
    """qwen_vl_utils, in its own order of sides and of operations."""
    down, across = max(factor, round(height / factor) * factor), max(factor, round(width / factor) * factor)
    if down * across > most:
        beta = math.sqrt((height * width) / most)
        down, across = (math.floor(side / beta / factor) * factor for side in (height, width))
    elif down * across < least:
        beta = math.sqrt(least / (height * width))
        down, across = (math.ceil(side * beta / factor) * factor for side in (height, width))
    return down, across


@given(
    st.integers(1, 9000), st.integers(1, 9000), st.sampled_from([28, 32]), st.sampled_from([3136, 78400, 4096]),
    st.sampled_from([1_003_520, 2_000_000, 12_845_056]),
)  # fmt: skip
def test_it_is_the_published_rule(height: int, width: int, factor: int, least: int, most: int) -> None:
    assume(max(height, width) <= 200 * min(height, width))
    down, across = published(height, width, factor, least, most)
    assume(down and across)  # where the published rule leaves nothing of a side, nothing can be compared
    assert smart_resize(width, height, factor, least, most) == (across, down)


@given(st.integers(50, 6000), st.integers(50, 6000), st.sampled_from([28, 32]))
def test_a_picture_in_its_size_stays(width: int, height: int, factor: int) -> None:
    """So a picture written in the size of its coordinates is not resized again by the trainer's processor."""
    assume(max(height, width) <= 20 * min(height, width))
    once = smart_resize(width, height, factor, 3136, 12_845_056)
    assert smart_resize(*once, factor, 3136, 12_845_056) == once


@pytest.mark.parametrize(
    ("size", "factor", "expected"),
    [
        ((1280, 720), 28, (1288, 728)),
        ((1522, 1022), 28, (1512, 1008)),  # 1022 / 28 is 36.5: half to even; a port that rounds half up says 1036
        ((1920, 1080), 28, (1932, 1092)),
        ((1920, 1080), 32, (1920, 1088)),
    ],
)
def test_sizes_that_were_reported(size: tuple[int, int], factor: int, expected: tuple[int, int]) -> None:
    assert smart_resize(*size, factor, 3136, 12_845_056) == expected


def test_what_is_too_long_and_thin_is_refused() -> None:
    assert smart_resize(28, 5600, 28) == (28, 5600)
    with pytest.raises(AspectError, match="200"):
        smart_resize(28, 5601, 28)
