"""What of an excluded window shows, and so must be black.

A window on top of it saves the pixels that it covers only if it covers them for certain: opaque, not shaped, and
neither of the two changed for SETTLED_S. With a compositor nothing is certain: its pictures lag behind the windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recorders.boxes import Box, without
from recorders.desktop.x11_window_facts import Top

SETTLED_S = 1.0


def grown(top: Top) -> Box:
    """A window with the frame that is drawn around it."""
    left, right, above, below = top.clients[0].extents if top.clients else (0, 0, 0, 0)
    return (top.box[0] - left, top.box[1] - above, top.box[2] + right, top.box[3] + below)


def showing(top: Top, above: Sequence[Top], now: float, covers: Callable[[Top], bool]) -> tuple[list[Box], list[float]]:
    """What shows of a window at `now` (seconds, as `touched`), and when to ask again because others will have settled.
    `above`: the windows on top of it that count; none where nothing is certain. `covers`: whether nothing below a
    window shows through it."""
    if any(one.minimised for one in top.clients or ()):  # some window managers keep such windows below all others
        return ([], []) if top.touched + SETTLED_S <= now else ([grown(top)], [top.touched + SETTLED_S])
    pieces, again = [grown(top)], []
    for cover in above:
        if not covers(cover):
            continue
        settled = max(top.touched, cover.touched) + SETTLED_S
        if settled > now:
            again.append(settled)
        else:
            pieces = [part for piece in pieces for part in without(piece, cover.box)]
    return pieces, again
