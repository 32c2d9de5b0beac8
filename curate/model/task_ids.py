"""Ids of tasks that say which other task they were cut or copied from."""

from __future__ import annotations

import re

MADE_FROM = r"(?s)^(.+?)(?:\.\d+-\d+\..*|-wos)$"
"""`<parent>.<from>-<to>.<text>`: steps of a longer episode (Android in the Wild); `<id>-wos`: a task of
WindowsAgentArena that was made from OSWorld's of this id. Understood by `re` and by RE2."""

_MADE_FROM = re.compile(MADE_FROM)


def parent_of(id: str) -> str | None:
    """The id of the task that this one says it was made from; None where it says nothing of the kind."""
    found = _MADE_FROM.match(id)
    return found[1] if found else None
