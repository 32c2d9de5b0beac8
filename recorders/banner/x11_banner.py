"""The banner on X11: a window without a window manager, above all others, that lets the pointer through. Its text is
its background, so the server itself paints it again."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from curate.store.recording import Monitor
from recorders.banner.base import REPAINT_S, Look
from recorders.x11 import close, connect, root_of

PIXELS = 18
"""Height of the text: read from a chair, without being in the way."""
PADDING = 10
TOP = 4  # below the edge, where a panel hides itself
COLOURS: dict[Look, tuple[str, str]] = {
    "paused": ("#ffb300", "#000000"),
    "private": ("#b3001e", "#ffffff"),
    "waiting": ("#1d4ed8", "#ffffff"),
}
"""Ground and text."""
_STRIP_BYTES = 200_000  # of one request; a server takes 262,140
_INPUT = 2  # the kind of shape that says where a window takes the pointer


class X11Banner:
    """See Banner. `monitors`: it is shown at the top of the primary one. What the server refuses is passed over: a
    recording does not end for it. Raises RecorderError where there is no display."""

    def __init__(self, monitors: Sequence[Monitor]) -> None:
        self._connection: Any = connect()
        self._root = root_of(self._connection)
        chosen = next((m for m in monitors if m.primary), monitors[0] if monitors else None)
        self._left, self._top = (chosen.x, chosen.y) if chosen is not None else (0, 0)
        self._width: int = chosen.width if chosen is not None else self._root.width_in_pixels
        self._lock = threading.Lock()
        self._window: int | None = None

    def show(self, text: str, look: Look) -> None:
        with self._lock:
            old = self._window
            try:
                self._window = self._made(text, look)
                self._destroy(old)
                self._settle()
            except Exception:  # the library's errors have no parent; the server may have gone
                self._window = self._window or old

    def keep_on_top(self) -> None:
        from xcffib import xproto

        with self._lock:
            if self._window is not None:
                self._quietly(
                    lambda: self._connection.core.ConfigureWindow(
                        self._window, xproto.ConfigWindow.StackMode, [xproto.StackMode.Above]
                    )
                )

    def hide(self) -> None:
        with self._lock:
            if self._window is None:
                return
            window, self._window = self._window, None
            self._quietly(lambda: self._destroy(window))
        time.sleep(REPAINT_S)

    def close(self) -> None:
        self.hide()
        with self._lock:
            close(self._connection)

    def _made(self, text: str, look: Look) -> int:
        """A window that shows the text, in front of all others."""
        import xcffib.xfixes
        from xcffib import xproto

        pixels, width, height = _picture(text, look, self._width - 2 * PADDING)
        core, ids = self._connection.core, self._connection.generate_id
        ground, context, window = ids(), ids(), ids()
        core.CreatePixmap(self._root.root_depth, ground, self._root.root, width, height)
        core.CreateGC(context, ground, 0, [])
        rows = max(1, _STRIP_BYTES // (width * 4))
        for top in range(0, height, rows):
            part = pixels[top * width * 4 : (top + rows) * width * 4]
            tall = min(rows, height - top)
            core.PutImage(
                xproto.ImageFormat.ZPixmap, ground, context, width, tall, 0, top, 0, self._root.root_depth,
                len(part), part,
            )  # fmt: skip
        left = self._left + max(0, (self._width - width) // 2)
        core.CreateWindow(
            self._root.root_depth, window, self._root.root, left, self._top + TOP, width, height, 0,
            xproto.WindowClass.InputOutput, self._root.root_visual,
            xproto.CW.BackPixmap | xproto.CW.OverrideRedirect, [ground, 1],
        )  # fmt: skip
        fixes = self._connection(xcffib.xfixes.key)
        fixes.QueryVersion(5, 0).reply()
        region = ids()
        fixes.CreateRegion(region, 0, [])
        fixes.SetWindowShapeRegion(window, _INPUT, 0, 0, region)  # clicks go to what is below
        core.MapWindow(window)
        fixes.DestroyRegion(region)
        core.FreeGC(context)
        core.FreePixmap(ground)
        return int(window)

    def _destroy(self, window: int | None) -> None:
        if window is not None:
            self._connection.core.DestroyWindow(window)
            self._settle()

    def _settle(self) -> None:
        """Until the server has done what it was asked."""
        self._connection.core.GetInputFocus().reply()

    def _quietly(self, work: Any) -> None:
        try:
            work()
            self._connection.flush()
        except Exception:  # xcffib's have no common parent. A sign that cannot be shown must not end a recording: the
            return  # terminal's title and the summary say the same, and a server that is gone is told by others


def _picture(text: str, look: Look, widest: int) -> tuple[bytes, int, int]:
    """The text as BGRX pixels, with width and height; cut where it is wider than `widest`."""
    from PIL import Image, ImageDraw, ImageFont

    ground, ink = COLOURS[look]
    font = ImageFont.load_default(PIXELS)
    length = int(font.getlength(text))
    width, height = min(length + 2 * PADDING, max(1, widest)), PIXELS + 2 * PADDING
    image = Image.new("RGB", (width, height), ground)
    ImageDraw.Draw(image).text((PADDING, height // 2), text, fill=ink, font=font, anchor="lm")
    return image.convert("RGBA").tobytes("raw", "BGRA"), width, height
