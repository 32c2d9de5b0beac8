"""The frames of a window are exactly those that went in, however far back, whatever the size and format."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.reduce.video.decoding import PLANAR, Frame, Layout, Plane, VideoError
from curate.reduce.video.frame_window import FrameWindow, components, differs, same_drawing, widened

FORMATS = sorted(PLANAR)


def a_frame(layout: Layout, index: int, planes: tuple[Plane, ...]) -> Frame:
    return Frame(index, index / 10, planes, layout, None)


def changing(layout: Layout, count: int, seed: int) -> list[tuple[Plane, ...]]:
    """Frames of which each changes some rectangles of some planes of the one before, or nothing, or everything."""
    random = np.random.default_rng(seed)
    across, down = PLANAR[layout.format]
    sizes = [(layout.height, layout.width)] + [(-(-layout.height // down), -(-layout.width // across))] * 2
    # as a decoder's memory: rows are longer than the picture
    frames = [tuple(random.integers(0, 256, (h, w + 8), np.uint8)[:, :w] for h, w in sizes)]
    for _ in range(count - 1):
        planes = tuple(np.pad(plane, ((0, 0), (0, 8)))[:, : plane.shape[1]].copy() for plane in frames[-1])
        for _ in range(int(random.integers(0, 4))):
            plane = planes[int(random.integers(0, 3))]
            top, left = (int(random.integers(0, side)) for side in plane.shape)
            height, width = (int(random.integers(1, 40)) for _ in range(2))
            plane[top : top + height, left : left + width] += np.uint8(random.integers(1, 256))
        if random.random() < 0.1:
            planes[0][:] = random.integers(0, 256, planes[0].shape, np.uint8)
        frames.append(planes)
    return frames


@settings(max_examples=60, deadline=None)
@given(
    width=st.integers(16, 90), height=st.integers(16, 90), name=st.sampled_from(FORMATS), seed=st.integers(0, 2**32 - 1)
)
def test_going_back_gives_the_very_frames(width: int, height: int, name: str, seed: int) -> None:
    layout = Layout(width, height, name, 1, 1)
    frames = changing(layout, 12, seed)
    window = FrameWindow(layout, 1 << 30)
    for index, planes in enumerate(frames):
        window.add(a_frame(layout, index, planes), float(index), float(index + 1))
    rewind = window.rewind(len(frames) - 1)
    for index in range(len(frames) - 1, -1, -1):
        rewind.back_to(index)
        for plane, expected in zip(rewind.planes, frames[index], strict=True):
            assert np.array_equal(plane, expected)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 60_000))
def test_under_a_memory_limit_the_frames_that_are_left_are_exact_and_the_newest_half_is_there(
    seed: int, limit: int
) -> None:
    layout = Layout(80, 48, "yuv420p", 1, 1)
    frames = changing(layout, 24, seed)
    window = FrameWindow(layout, limit)
    for index, planes in enumerate(frames):
        window.add(a_frame(layout, index, planes), float(index), float(index + 1))
    assert [change.time for change in window.changes] == sorted({change.time for change in window.changes})
    rewind = window.rewind(len(window.changes) - 1)
    for position in range(len(window.changes) - 1, -1, -1):
        rewind.back_to(position)
        expected = frames[int(window.changes[position].time)]
        assert all(np.array_equal(plane, other) for plane, other in zip(rewind.planes, expected, strict=True))


def test_forgetting_keeps_the_frame_that_was_on_the_screen() -> None:
    layout = Layout(64, 48, "yuv420p", 1, 1)
    frames = changing(layout, 10, 7)
    window = FrameWindow(layout, 1 << 30)
    for index, planes in enumerate(frames):
        window.add(a_frame(layout, index, planes), float(index), float(index + 1))
    window.forget(4.5)
    assert [change.time for change in window.changes] == [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    assert np.array_equal(window.rewind(0).planes[0], frames[4][0])
    assert (window.position(3.9), window.position(4.0), window.position(99.0)) == (-1, 0, 5)


def test_what_differs_to_the_eye() -> None:
    """A caret and a highlight do; what a codec leaves unsettled about a letter does not."""
    still = np.full((1, 16, 16), 200, np.uint8)
    caret, highlight, unsettled = still.copy(), still + np.uint8(12), still.copy()
    caret[0, 2:14, 8] = 30
    unsettled[0, 4:9, 4:10] = 213
    unsettled[0, 5, 5] = 230
    assert [bool(differs(still, other)[0]) for other in (still, caret, highlight, unsettled)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_another_ground_with_the_same_letter_on_it_is_the_same_drawing() -> None:
    letter = np.full((1, 16, 16), 200, np.uint8)
    letter[0, 3:13, 6:8] = 20
    ground = np.clip(letter.astype(int) + np.arange(16) - 20, 0, 255).astype(np.uint8)
    other = np.full((1, 16, 16), 200, np.uint8)
    other[0, 3:13, 10:12] = 20
    assert bool(same_drawing(letter, ground)[0]) and not bool(same_drawing(letter, other)[0])


def test_regions_touch_at_corners_and_grow_by_tiles() -> None:
    tiles = np.zeros((5, 6), bool)
    tiles[0, 0] = tiles[1, 1] = tiles[4, 5] = True
    assert sorted(sorted(region.tolist()) for region in components(tiles)) == [[0, 7], [29]]
    assert np.flatnonzero(widened(tiles & (np.arange(6) == 5), 1)).tolist() == [22, 23, 28, 29]


def test_a_video_too_small_to_be_a_screen_is_refused() -> None:
    with pytest.raises(VideoError, match="too small"):
        FrameWindow(Layout(12, 400, "yuv420p", 1, 1), 1)
