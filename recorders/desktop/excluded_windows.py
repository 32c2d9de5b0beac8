"""Which windows are excluded: those that the person named, and what belongs to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recorders.desktop.x11_window_facts import Facts, Top


def excluded_windows(tops: Mapping[int, Top], named: Callable[[Facts], bool], maker: Callable[[int], int]) -> set[int]:
    """The excluded ones of the windows right under the root, by their ids; `clients` of all are read. Besides those
    that hold a named window: the dialogues of these and theirs, and the menus, tooltips and nameless windows of their
    programs. `maker`: what the ids of all windows of one program have in common."""
    found = {top.window for top in tops.values() if any(named(one) for one in top.clients or ())}
    hidden = {one.window for window in found for one in tops[window].clients or ()}
    while True:  # dialogues of excluded windows, and theirs
        more = {top.window for top in tops.values() if any(one.owner in hidden for one in top.clients or ())}
        if more <= found:
            break
        found |= more
        hidden |= {one.window for window in more for one in tops[window].clients or ()}
    makers = {maker(window) for window in hidden if _is_program(tops, window)}
    pids = {one.pid for window in found for one in tops[window].clients or () if one.pid}
    return found | {top.window for top in tops.values() if _is_popup_of(top, makers, pids, maker)}


def _is_program(tops: Mapping[int, Top], window: int) -> bool:
    """A program's own window: the frame around it is made by the window manager, as are all other frames."""
    top = tops.get(window)
    return top is None or top.menu or bool(top.clients and top.clients[0].client)


def _is_popup_of(top: Top, makers: set[int], pids: set[int], maker: Callable[[int], int]) -> bool:
    """A menu or tooltip of a program with an excluded window, or a window of it that says nothing of itself."""
    told = top.clients or []
    if not top.menu and any(one.names or one.title for one in told):
        return False
    return maker(top.window) in makers or any(one.pid in pids for one in told)
