"""Damaged pictures are told by what comes back, and by nothing on the terminal."""

from __future__ import annotations

import os
import struct
import threading
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from curate.store.decoding import decode
from curate.store.media import read_rgb

NOISE = np.random.default_rng(0).integers(0, 255, (120, 160, 3), np.uint8)
PNG, JPEG = (cv2.imencode(kind, NOISE)[1].tobytes() for kind in (".png", ".jpg"))
SLOW = cv2.imencode(".jpg", NOISE, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def filtered_by(number: int) -> bytes:
    """A PNG whose checksums are right and whose rows name a filter that there is not."""
    head = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    rows = zlib.compress((bytes([number]) + bytes(12)) * 4)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def flipped(data: bytes, seed: int) -> bytes:
    """Some bytes behind the headers are others."""
    random = np.random.default_rng(seed)
    damaged = bytearray(data)
    for place in random.integers(700, len(data) - 2, 6).tolist():
        damaged[place] ^= int(random.integers(1, 256))
    return bytes(damaged)


DAMAGED = [
    b"", b"none", PNG[:40], PNG[:2000], PNG[:-30], JPEG[:30], JPEG[:-2000], filtered_by(9),
    PNG[:33] + chunk(b"iCCP", b"abc\0\0xxxx") + PNG[33:],
    *(flipped(data, seed) for data in (PNG, JPEG, SLOW) for seed in range(12)),
]  # fmt: skip


def test_opencv_itself_writes_about_them(capfd: pytest.CaptureFixture[str]) -> None:
    for data in DAMAGED[1:]:
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    said = capfd.readouterr().err
    assert "libpng" in said
    assert "Corrupt JPEG data" in said


def test_nothing_is_written_about_damaged_pictures(capfd: pytest.CaptureFixture[str]) -> None:
    for data in DAMAGED:
        for flags in (cv2.IMREAD_COLOR_RGB, cv2.IMREAD_REDUCED_COLOR_8):
            decode(data, flags)
        read_rgb(data)
    assert capfd.readouterr() == ("", "")
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


def test_the_pixels_are_opencvs() -> None:
    for data in (PNG, JPEG, SLOW, *DAMAGED[1:]):
        theirs, ours = (
            cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB),
            decode(data, cv2.IMREAD_COLOR_RGB),
        )
        assert (theirs is None) == (ours is None)
        assert theirs is None or np.array_equal(theirs, ours)


def test_many_threads_leave_standard_error_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    before = os.fstat(2)
    descriptors = Path("/proc/self/fd")
    open_before = len(list(descriptors.iterdir())) if descriptors.is_dir() else 0

    def work() -> None:
        for data in DAMAGED:
            decode(data, cv2.IMREAD_COLOR_RGB)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capfd.readouterr().err == ""
    assert os.fstat(2)[:3] == before[:3]
    assert not open_before or len(list(descriptors.iterdir())) == open_before


def test_without_standard_error_pictures_are_decoded_all_the_same() -> None:
    saved = os.dup(2)
    os.close(2)
    try:
        found = decode(PNG, cv2.IMREAD_COLOR_RGB)
    finally:
        os.dup2(saved, 2)
        os.close(saved)
    assert found is not None
