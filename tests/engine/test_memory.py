"""What was freed goes back to the system."""

from __future__ import annotations

import platform
from pathlib import Path

import pyarrow as pa
import pytest

from curate.engine.memory import give_back


def _resident() -> int:
    """Bytes that this process has in memory."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others are not asked for it")
def test_what_is_freed_is_no_longer_resident() -> None:
    kept = []
    many = []
    for number in range(200_000):  # pieces too small to be given back one by one, with some that stay between them
        (kept if number % 2_000 == 0 else many).append(b"x" * (600 + number % 7))
    arrays = [pa.array(range(200_000)) for _ in range(20)]
    before = _resident()
    del many, arrays
    give_back()
    assert before - _resident() > 60 << 20
    assert len(kept) == 100


def test_twice_in_a_row_does_no_harm() -> None:
    give_back()
    give_back()
    assert pa.array([1, 2]).to_pylist() == [1, 2]
