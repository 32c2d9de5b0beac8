"""Elements in the texts of page trees: `[12] button 'Search'` (WebArena, BrowserGym), `[12] [BUTTON] [Search]`
(Explorer). The text stays as it is, since actions name elements by its numbers."""

from __future__ import annotations

import re

from curate.model.roles import role_of
from curate.model.trajectory import Element

_QUOTED = re.compile(r"\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_TAGS = {"a": "link", "input": "edit", "textarea": "edit", "select": "combobox", "img": "image", "option": "listitem"}


def element_of(tree: str, number: str) -> Element | None:
    """The element of that number, with its role and name; None where the tree has none."""
    found = re.search(rf"^[ \t]*\[{re.escape(number)}\][ \t]*(.*)$", tree, re.MULTILINE)
    if found is None:
        return None
    bracketed = re.fullmatch(r"\[([^\]]*)\]\s*\[(.*)\]\s*", found[1])
    if bracketed:
        return _element(re.split(r"[,\s]", bracketed[1].strip(), maxsplit=1)[0], bracketed[2])
    role = re.match(r"[A-Za-z]+", found[1])
    if role is None:
        return None
    quoted = _QUOTED.match(found[1], role.end())
    return _element(role[0], quoted[1][1:-1] if quoted else "")


def _element(role: str, name: str) -> Element:
    return Element(
        role=_TAGS.get(role.lower()) or role_of(role) or role.lower(),
        name=name.strip() or None,
    )
