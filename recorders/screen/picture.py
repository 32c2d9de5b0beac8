"""The picture as the video has it: one frame in YUV 4:4:4 that lives as long as the recording. What was grabbed is
converted and compared only where the screen may have changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from recorders.boxes import Box

STRIP_PX = 64
"""Rows converted at once: a strip's three planes stay in the processor's cache, which halves the time of a whole
picture."""
FULL_RANGE, BT601 = 2, 6
"""As the encoder and players name them. With the full range of values every colour comes back within one level of
256 (52 dB over random colours); with the limited range of television, within two."""
_Y, _CHROMA = 0, 128
_ORDER = (0, 2, 1)  # OpenCV's order is Y, Cr, Cb; the file's is Y, Cb, Cr


class ScreenPicture:
    """Black at first. Not thread-safe."""

    def __init__(self, width: int, height: int) -> None:
        import av
        import cv2

        cv2.setNumThreads(1)  # helpers woken for every small rectangle cost more than they save
        self.width, self.height = width, height
        self.frame: Any = av.VideoFrame(width, height, "yuv444p")
        self.frame.color_range, self.frame.colorspace = FULL_RANGE, BT601
        self._planes: list[npt.NDArray[np.uint8]] = [
            np.frombuffer(memoryview(plane), np.uint8).reshape(height, plane.line_size)[:, :width]
            for plane in self.frame.planes
        ]
        for plane, value in zip(self._planes, (_Y, _CHROMA, _CHROMA), strict=True):
            plane[:] = value

    @property
    def whole(self) -> Box:
        return 0, 0, self.width, self.height

    def show(self, pixels: npt.NDArray[np.uint8], left: int, top: int) -> bool:
        """Put BGRA pixels (height x width x 4) at this place; whether the picture is another one now."""
        import cv2

        changed = False
        for first in range(0, pixels.shape[0], STRIP_PX):
            strip = pixels[first : first + STRIP_PX]
            rows, columns = slice(top + first, top + first + len(strip)), slice(left, left + strip.shape[1])
            channels = cv2.split(cv2.cvtColor(strip, cv2.COLOR_BGR2YCrCb))
            for plane, source in zip(self._planes, _ORDER, strict=True):
                shown = plane[rows, columns]
                if not np.array_equal(shown, channels[source]):
                    shown[:] = channels[source]
                    changed = True
        return changed

    def blacken(self, box: Box) -> bool:
        """Make a part black; whether it was not."""
        left, top, right, bottom = box
        changed = False
        for plane, value in zip(self._planes, (_Y, _CHROMA, _CHROMA), strict=True):
            part = plane[top:bottom, left:right]
            if (part != value).any():
                part[:] = value
                changed = True
        return changed

    def rgb(self) -> npt.NDArray[np.uint8]:
        """Height x width x 3, as a player shows it."""
        return np.asarray(self.frame.to_ndarray(format="rgb24"), dtype=np.uint8)
