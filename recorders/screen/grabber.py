"""Pixels of the screen, without the pointer, by mss (shared memory on X11, GDI on Windows, Core Graphics on macOS)."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import numpy.typing as npt

from recorders.boxes import Box
from recorders.errors import RecorderError


class Grabber:
    """Opened and used by one thread. Boxes are in pixels of the recorded region, whose origin is the top left corner of
    the desktop as it was when this was made. Raises RecorderError where the screen cannot be grabbed at all."""

    def __init__(self) -> None:
        self._mss = _open()
        whole = self._mss.monitors[0]
        self._left, self._top = int(whole["left"]), int(whole["top"])

    @property
    def bounds(self) -> Box:
        """Where there is a desktop now."""
        whole = self._mss.monitors[0]
        left, top = whole["left"] - self._left, whole["top"] - self._top
        return left, top, left + whole["width"], top + whole["height"]

    def grab(self, box: Box) -> npt.NDArray[np.uint8]:
        """BGRA pixels (height x width x 4), all of one moment, writable. The fourth byte means nothing."""
        left, top, right, bottom = box
        wanted = {"left": left + self._left, "top": top + self._top, "width": right - left, "height": bottom - top}
        shot = self._mss.grab(wanted)
        if (shot.width, shot.height) != (wanted["width"], wanted["height"]):
            raise ValueError(
                f"asked for {wanted['width']}x{wanted['height']} pixels, the system gave {shot.width}x{shot.height}"
            )
        raw = shot.raw
        return np.frombuffer(raw if isinstance(raw, bytearray) else bytearray(raw), np.uint8).reshape(
            shot.height, shot.width, 4
        )

    def reopen(self) -> None:
        """After the desktop changed its size: ask for it anew, keeping the recorded region's origin."""
        self.close()
        self._mss = _open()

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._mss.close()


def _open() -> Any:
    try:
        import mss

        opened = mss.MSS() if hasattr(mss, "MSS") else mss.mss()  # its name before 10.2
        opened.monitors  # noqa: B018  # asks the system, which may refuse
        return opened
    except (ImportError, OSError) as error:
        raise RecorderError(
            f"The screen cannot be read ({error}). On Linux the package libxcb1 must be installed."
        ) from error
    except Exception as error:  # mss has an error of its own for all else
        raise RecorderError(f"The screen cannot be read: {str(error).rstrip('.')}.") from error
