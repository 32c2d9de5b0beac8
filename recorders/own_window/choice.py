"""Which of the desktop's windows is the terminal's, from what windows and processes say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


def ancestors(pid: int, parent_of: Callable[[int], int | None]) -> list[int]:
    """A process and those that started it, up to but without the first one of the system."""
    found: list[int] = []
    current: int | None = pid
    while current is not None and current > 1 and current not in found:
        found.append(current)
        current = parent_of(current)
    return found


def choose_window(
    named: int | None, owners: Mapping[int, int | None], family: Sequence[int], active: int | None, multiplexed: bool
) -> int | None:
    """Which of the desktop's windows is the terminal's. `named`: by WINDOWID. `owners`: the windows and the process
    each says it is of. `family`: this process and its ancestors. `active`: the window in front. `multiplexed`: in
    tmux or screen, whose processes descend from no terminal, and whose WINDOWID may be another terminal's."""
    if named is not None and named in owners:
        owner = owners[named]
        if (owner is None and not multiplexed) or (owner is not None and owner in family):
            return named
    mine = [window for window, owner in owners.items() if owner is not None and owner in family]
    if len(mine) == 1:
        return mine[0]
    if active in mine:  # one process, many windows; a command is typed into the one in front
        return active
    return named if multiplexed and named in owners and named == active else None
