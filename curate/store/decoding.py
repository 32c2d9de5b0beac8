"""The one place that calls OpenCV's decoders, and keeps quiet what they say.

libpng and libjpeg write about damaged files ("libpng error: ...", "Corrupt JPEG data: ...") to the standard error of
the process, from C, past Python and past OpenCV's own log level. Whoever calls hears of it from what comes back, and
the record says it with a reason."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.store.late import cv2

_STDERR = 2  # where C writes, whatever sys.stderr is


def decode(data: bytes | NDArray[np.uint8], flags: int) -> NDArray[Any] | None:
    """The pixels of a PNG, JPEG or WebP as cv2's `flags` ask for them; None when they cannot be decoded."""
    if not len(data):
        return None
    with _QUIET.silence():
        try:
            return cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        except cv2.error:  # more pixels than it takes
            return None


class _Quiet:
    """Lets standard error lead nowhere while at least one thread decodes: some microseconds, and nothing is lost but
    what another thread writes there in these milliseconds (the progress bar has a way of its own)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._saved: int | None = None

    @contextlib.contextmanager
    def silence(self) -> Iterator[None]:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._saved = _led_nowhere()
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0 and self._saved is not None:
                    os.dup2(self._saved, _STDERR)
                    os.close(self._saved)
                    self._saved = None


def _led_nowhere() -> int | None:
    """A copy of standard error, which leads nowhere from here on; None where there is none (a program without a
    terminal), or no more files can be opened."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
    except OSError:
        return None
    try:
        saved = os.dup(_STDERR)
        os.dup2(nowhere, _STDERR)
        return saved
    except OSError:
        return None
    finally:
        os.close(nowhere)


_QUIET = _Quiet()
