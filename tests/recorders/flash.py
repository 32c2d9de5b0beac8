"""A small window that changes its colour at every press and says when: `python flash.py WIDTH HEIGHT`. After each press
it prints three monotonic times in nanoseconds: when it was told of the press, when it began to paint, and when the X
server had painted. The colours go round in COLOURS."""

from __future__ import annotations

import sys
import time

COLOURS = (0x203040, 0xE0E020, 0x20C0E0, 0xE04080)
AT = (40, 30)
"""Where the window's corner is."""


def main(width: int, height: int) -> None:
    """Until it is ended."""
    import xcffib
    from xcffib import xproto

    connection = xcffib.Connection()
    screen = connection.get_setup().roots[0]
    window, pen = connection.generate_id(), connection.generate_id()
    connection.core.CreateWindow(
        screen.root_depth, window, screen.root, *AT, width, height, 0, xproto.WindowClass.InputOutput,
        screen.root_visual, xproto.CW.BackPixel | xproto.CW.OverrideRedirect | xproto.CW.EventMask,
        [COLOURS[0], 1, xproto.EventMask.ButtonPress],
    )  # fmt: skip
    connection.core.CreateGC(pen, window, 0, [])
    connection.core.MapWindow(window)
    connection.core.GetInputFocus().reply()
    print("ready", flush=True)
    presses = 0
    while True:
        event = connection.wait_for_event()
        if not isinstance(event, xproto.ButtonPressEvent):
            continue
        told = time.monotonic_ns()
        presses += 1
        connection.core.ChangeGC(pen, xproto.GC.Foreground, [COLOURS[presses % len(COLOURS)]])
        began = time.monotonic_ns()
        connection.core.PolyFillRectangle(window, pen, 1, [xproto.RECTANGLE.synthetic(0, 0, width, height)])
        connection.core.GetInputFocus().reply()
        print(told, began, time.monotonic_ns(), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
