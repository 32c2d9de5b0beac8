"""How a recording's video is encoded: H.264 without loss, small for what a screen shows. Colours are 4:4:4 in the full
range.

Measured on a minute of desktop work at 1080p (docs/screen.md): lossless, because text stays crisp and it is the
cheapest; 4:4:4, because 4:2:0 smears coloured text; a wide search for motion (`umh`, 64 pixels), because scrolled text
is then found again in the frame before (9 times smaller than x264's `ultrafast` at the same cost); arithmetic coding,
because most of a frame is unchanged and costs it next to nothing; no look-ahead (`zerolatency`), so that a frame is out
of the encoder as soon as it is in.
"""

from __future__ import annotations

from types import MappingProxyType

ENCODER = MappingProxyType({
    "preset": "ultrafast", "qp": "0", "tune": "zerolatency",
    "x264-params": "cabac=1:me=umh:merange=64:analyse=i4x4",
})  # fmt: skip
"""Options of FFmpeg's `libx264`; a copy of them is what it takes."""
KEY_FRAME_EVERY = 60
"""Frames. Decoding sixty takes a third of a second at 1080p."""
