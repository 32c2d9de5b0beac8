"""The fast decoder of PNG against OpenCV's, for every filter, kind and damage: the same pixels, or it keeps out."""

from __future__ import annotations

import io
import struct
import sys
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from curate.store import fast_png, png_kernels
from curate.store.media import encode_png, read_rgb

_NAMES = ("FILTER_NONE", "FILTER_SUB", "FILTER_UP", "FILTER_AVG", "FILTER_PAETH", "ALL_FILTERS")
FILTERS = tuple(getattr(cv2, f"IMWRITE_PNG_{name}") for name in _NAMES)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    pytest.importorskip("deflate")
    assert "numba" in sys.modules  # then it serves from the first picture on


def opencv(data: bytes) -> np.ndarray | None:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)


def picture(height: int, width: int, channels: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = np.cumsum(rng.integers(0, 5, (height, width, channels)), axis=1).astype(np.uint8)
    made[: height // 2] = rng.integers(0, 256, (height // 2, width, channels))
    return made


def encoded(pixels: np.ndarray, png_filter: int) -> bytes:
    ok, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_FILTER, png_filter, cv2.IMWRITE_PNG_COMPRESSION, 2])
    assert ok
    return bytes(data)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([3, 4]), st.integers(0, 9), st.sampled_from(FILTERS))
def test_the_same_pixels(height: int, width: int, channels: int, seed: int, png_filter: int) -> None:
    data = encoded(picture(height, width, channels, seed), png_filter)
    found = fast_png.decode_png(data)
    assert found is not None and np.array_equal(found, opencv(data))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_is_damaged_is_left_to_opencv(data: st.DataObject) -> None:
    good = encoded(picture(20, 30, data.draw(st.sampled_from([3, 4])), 1), cv2.IMWRITE_PNG_ALL_FILTERS)
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 3))):
        bad[data.draw(st.integers(0, len(bad) - 1))] ^= data.draw(st.integers(1, 255))
    content = bytes(bad[: data.draw(st.one_of(st.just(len(bad)), st.integers(0, len(bad))))])
    found = fast_png.decode_png(content)
    assert found is None or np.array_equal(found, opencv(content))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def by_hand(rows: bytes, width: int, height: int, between: bytes = b"", depth: int = 8, colour: int = 2) -> bytes:
    header = struct.pack(">2L5B", width, height, depth, colour, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + between + body + chunk(b"IEND", b"")


def test_an_unknown_filter_and_too_few_or_too_many_rows_are_left_to_opencv() -> None:
    row = bytes(range(9))
    good = by_hand(b"\1" + row + b"\2" + row, 3, 2)
    assert np.array_equal(fast_png.decode_png(good), opencv(good))
    for rows in (b"\1" + row + b"\5" + row, b"\1" + row, (b"\1" + row) * 3):
        assert fast_png.decode_png(by_hand(rows, 3, 2)) is None
    assert fast_png.decode_png(by_hand(b"", 0, 0)) is None


def test_kinds_and_chunks_that_may_change_pixels_are_left_to_opencv() -> None:
    row = b"\0" + bytes(range(9))
    for kind in (b"eXIf", b"gAMA", b"iCCP", b"tRNS", b"acTL", b"cICP", b"PLTE"):
        assert fast_png.decode_png(by_hand(row, 3, 1, chunk(kind, b"\0\0\0\1"))) is None
    for kind in (b"tEXt", b"pHYs", b"tIME"):
        assert fast_png.decode_png(by_hand(row, 3, 1, chunk(kind, b"Comment\0x"))) is not None
    for mode in ("L", "P", "1", "I;16", "LA"):
        data = io.BytesIO()
        Image.new(mode, (8, 8)).save(data, "PNG")
        assert fast_png.decode_png(data.getvalue()) is None


def test_without_the_helper_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode_png(picture(40, 50, 3, 5))
    fast = read_rgb(data)
    monkeypatch.setattr(fast_png, "_tools", lambda: None)
    assert fast_png.decode_png(data) is None
    assert np.array_equal(fast, read_rgb(data))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from([3, 4]), st.binary(min_size=200, max_size=200))
def test_the_kernel_as_plain_python(height: int, width: int, channels: int, content: bytes) -> None:
    """What numba compiles and what Python runs agree, and both with the specification as OpenCV has it."""
    size = width * channels
    rows = b"".join(
        bytes([row % 5]) + content[row * size : row * size + size].ljust(size, b"\7") for row in range(height)
    )
    out = np.zeros((height + 1, size), np.uint8)
    assert png_kernels.unfilter(np.frombuffer(rows, np.uint8), out, channels)
    data = by_hand(rows, width, height, colour=2 if channels == 3 else 6)
    assert np.array_equal(out[1:].reshape(height, width, channels)[:, :, :3], opencv(data))
    assert np.array_equal(fast_png.decode_png(data), opencv(data))
