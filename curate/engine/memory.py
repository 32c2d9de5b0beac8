"""Memory that is no longer needed goes back to the system.

Arrow's pool and the C library keep what was freed for whoever asks next. A run goes through steps that need some 60 MB
each, of other sizes and from other threads, so that without this every step's share stays and the peak is their sum.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

import pyarrow as pa


def give_back() -> None:
    """Let the system have what was freed; some milliseconds, so once a batch or a stage and not once a record."""
    pa.default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's `malloc_trim`; None where the C library is another one, which does so by itself or never."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    return trim
