"""Pointers drawn into pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from curate.model.events import PointerShape
from curate.reduce.keyframes.pointer_drawing import draw_pointer, shape_at

GREEN = (0, 200, 0)


def a_shape(folder: Path, time: float = 0.0) -> PointerShape:
    """A green square of 10 pixels, half transparent to the right, hot spot in its middle."""
    pixels = np.zeros((10, 10, 4), np.uint8)
    pixels[:, :, 1], pixels[:, :5, 3], pixels[:, 5:, 3] = 200, 255, 128
    image = folder / f"shape-{time}.png"
    cv2.imwrite(str(image), pixels)
    return PointerShape(time=time, image=image, hot_x=5, hot_y=5)


def test_the_recorded_shape_lies_with_its_hot_spot_on_the_place(tmp_path: Path) -> None:
    ground = np.full((60, 80, 3), 100, np.uint8)
    drawn = draw_pointer(ground, 40, 30, a_shape(tmp_path))
    assert drawn[26, 36].tolist() == list(GREEN)
    assert np.abs(drawn[30, 42].astype(int) - (50, 150, 50)).max() <= 1  # half of it shines through
    changed = np.argwhere((drawn != ground).any(axis=2))
    assert changed.min(axis=0).tolist() == [25, 35] and changed.max(axis=0).tolist() == [34, 44]
    assert (ground == 100).all()


@pytest.mark.parametrize("place", [(0, 0), (79, 59), (-4, 30), (83, 30), (40, -200), (5000, 5000)])
def test_what_lies_beyond_the_edges_is_cut_off(tmp_path: Path, place: tuple[int, int]) -> None:
    ground = np.full((60, 80, 3), 100, np.uint8)
    for shape in (a_shape(tmp_path), None):
        drawn = draw_pointer(ground, *place, shape)
        visible = -5 < place[0] < 85 and -5 < place[1] < 65
        if not visible:
            assert np.array_equal(drawn, ground)
        elif shape is not None:
            assert not np.array_equal(drawn, ground)


def test_it_is_as_large_as_the_picture_is_scaled(tmp_path: Path) -> None:
    ground = np.full((60, 80, 3), 100, np.uint8)
    changed = np.argwhere((draw_pointer(ground, 40, 30, a_shape(tmp_path), 0.5) != ground).any(axis=2))
    assert np.ptp(changed, axis=0).tolist() == [4, 4]


def test_an_arrow_where_no_shape_can_be_read(tmp_path: Path) -> None:
    """Dark edge, white inside, its tip on the place; also for a file that holds no picture, or is gone."""
    ground = np.full((60, 80, 3), 100, np.uint8)
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG no")
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.zeros((4, 4), np.uint8))
    plain = draw_pointer(ground, 30, 20, None)
    assert plain[28, 33].tolist() == [255, 255, 255] and plain[20:24, 30].max() < 90
    for image in (broken, grey, tmp_path / "gone.png"):
        shape = PointerShape(time=0.0, image=image, hot_x=0, hot_y=0)
        assert np.array_equal(draw_pointer(ground, 30, 20, shape), plain)


def test_the_shape_is_the_one_of_the_time(tmp_path: Path) -> None:
    shapes = [a_shape(tmp_path, 1.0), a_shape(tmp_path, 2.0)]
    assert [shape_at(shapes, time) for time in (0.0, 1.5, 2.0)] == [shapes[0], shapes[0], shapes[1]]
    assert shape_at([], 1.0) is None
