"""Pixels and fractions, against the printed examples of the lesson and as properties."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.constants import EDGE_PX
from curate.model.coordinates import holds, is_fraction, place, place_box, to_pixels, two_piles

sizes = st.integers(1, 8000)
positions = st.floats(-20_000, 20_000)


def _vectors(shared: Path, capability: str) -> list[dict[str, Any]]:
    everything = json.loads((shared / "vectors" / "seed_vectors.json").read_text("utf-8"))["vectors"]
    return [vector for vector in everything if vector["capability"] == capability]


def test_printed_pixels(shared: Path) -> None:
    vectors = _vectors(shared, "normalize.coordinates")
    assert vectors
    for vector in vectors:
        given_ = vector["inputs"]
        assert list(to_pixels(given_["x"], given_["y"], given_["W"], given_["H"])) == vector["expected"]


def test_printed_refusals_and_piles(shared: Path) -> None:
    by_id = {vector["id"]: vector for vector in _vectors(shared, "validate.coordinates")}
    points = by_id["coord_refuse"]["inputs"]["points"]
    assert [all(map(is_fraction, point)) for point in points] == by_id["coord_refuse"]["expected"]
    expected = by_id["coord_two_piles"]["expected"]
    piles = two_piles(by_id["coord_two_piles"]["inputs"]["x_values"])
    assert piles.diagnosis == expected["diagnosis"]
    assert (piles.fraction_like, piles.pixel_like) == (expected["fraction_like"], expected["pixel_like"])


@pytest.mark.parametrize("value", [True, False, "0.5", None, math.nan, math.inf, -math.inf, 1.0001, -0.0001, [0.5]])
def test_what_is_no_coordinate(value: object) -> None:
    assert not is_fraction(value)


def test_the_published_click_of_a_real_recording() -> None:
    placed = place(1328, 745, 1366, 768)
    assert (placed.x, placed.y, placed.flag) == (0.9722, 0.9701, None)


@given(positions, positions, sizes, sizes)
def test_a_point_is_placed_flagged_or_off(px: float, py: float, width: int, height: int) -> None:
    placed = place(px, py, width, height)
    inside = 0 <= px <= width and 0 <= py <= height
    near = -EDGE_PX <= px <= width + EDGE_PX and -EDGE_PX <= py <= height + EDGE_PX
    assert placed.flag == (None if inside else "edge" if near else "off_screen")
    if near:
        assert placed.raw_point is None and placed.x is not None and placed.y is not None
        assert is_fraction(placed.x) and is_fraction(placed.y)
        assert abs(placed.x * width - min(max(px, 0), width)) <= width * 0.00005 + 1e-9
        assert round(placed.x, 4) == placed.x
    else:
        assert (placed.x, placed.y, placed.raw_point) == (None, None, (px, py))


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_pixels_survive_the_way_there_and_back_on_usual_screens(px: int, py: int) -> None:
    width, height = 5000, 5000
    placed = place(px, py, width, height)
    assert placed.x is not None and placed.y is not None
    assert to_pixels(placed.x, placed.y, width, height) == (px, py)


def test_no_place_is_an_error() -> None:
    for numbers in ((math.nan, 0, 10, 10), (0, math.inf, 10, 10), (1, 1, 0, 10)):
        with pytest.raises(ValueError, match="no place"):
            place(*numbers)


def test_boxes_that_leave_the_picture_are_no_boxes() -> None:
    assert place_box(10, 10, 50, 60, 100, 100) == (0.1, 0.1, 0.5, 0.6)
    assert place_box(-1, 10, 50, 60, 100, 100) is None
    assert place_box(10, 10, 101, 60, 100, 100) is None
    assert place_box(50, 10, 10, 60, 100, 100) is None
    assert holds((0.1, 0.1, 0.5, 0.6), 0.5, 0.1) and not holds((0.1, 0.1, 0.5, 0.6), 0.51, 0.1)


def test_corners_alone_make_no_second_pile() -> None:
    assert two_piles([0, 1, 300, 500]).diagnosis == "pixel"
    assert two_piles([0, 0.5, 1]).diagnosis == "fraction"
    assert two_piles([]).diagnosis == "empty"
