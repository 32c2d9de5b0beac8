"""From what an interface tells of a window to the nodes that are kept: only what shows, in the recorded region, within
limits. Plain functions over plain data, for every platform."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from curate.model.coordinates import holds
from curate.model.roles import role_of
from curate.model.tree import Node, State

MAX_NODES = 3000  # a page of a thousand rows shows a few hundred; LibreOffice's whole tree has 1,932
MAX_DEPTH = 60  # nested frames of web pages reach 40
MAX_TEXT = 300  # characters of a name, a description, a value
_ITEM = frozenset({"menuitem", "listitem"})
_IN_LIST = _ITEM | {"menu", "list", "pane", "text"}
NOWHERE = -(2**31)  # what AT-SPI says of something that is on no screen

Box = tuple[float, float, float, float]


class Seen(msgspec.Struct, kw_only=True):
    """One element as an interface tells it. `parent`: index in the list, None for a root. `raw_role`: the interface's
    name. `box`: left, top, right, bottom in pixels of the recorded region, not clipped; None where it has none.
    `shows`: whether it is on the screen as far as its program knows. `ref`: the names of its program and of the object,
    None where an interface has none."""

    parent: int | None
    raw_role: str
    role: str | None = None
    name: str | None = None
    value: str | None = None
    description: str | None = None
    box: Box | None = None
    states: list[State] = []
    shows: bool = True
    ref: tuple[str, str] | None = None


def prune(
    seen: Sequence[Seen], size: tuple[int, int], mask: Callable[[str | None], str | None], max_nodes: int = MAX_NODES
) -> tuple[list[Node], bool]:
    """The nodes that are kept, parents before children, and whether there was more than is kept (`cut`).

    Left out with all below them: what does not show, what is nowhere, what lies below a password field, and what is
    deeper than `MAX_DEPTH`. Left out alone, its children handed to its parent: what lies outside of the region."""
    kept: list[Node] = []
    place: dict[int, int | None] = {}  # of an element whose children are read: the index of the node that holds them
    depth: dict[int, int] = {}
    closed: dict[int | None, int] = {}  # of a closed combo box and its list: the combo box's node
    cut = False
    for index, element in enumerate(seen):
        if element.parent is not None and element.parent not in place:
            continue  # below something left out
        if not element.shows or is_nowhere(element.box):
            continue
        if element.parent in closed and _role(element) in _IN_LIST:
            # browsers say that the items of a closed list show, in place of the box
            whole = closed[index] = closed[element.parent]
            place[index], depth[index] = None, 0
            if "selected" in element.states and _role(element) in _ITEM and kept[whole].value is None:
                kept[whole] = msgspec.structs.replace(kept[whole], value=mask(shorten(element.name)))
            continue
        level = 0 if element.parent is None else depth[element.parent] + 1
        holder = None if element.parent is None else place[element.parent]
        if level > MAX_DEPTH or len(kept) >= max_nodes:
            cut = True
            continue
        box = clip(element.box, size)
        if element.box is None or box is not None:
            kept.append(_node(element, holder, box, mask))
            holder = len(kept) - 1
            if kept[-1].role == "combobox" and "expanded" not in element.states:
                closed[index] = holder
        if "password" not in element.states:
            place[index], depth[index] = holder, level
    return kept, cut


def single(element: Seen, size: tuple[int, int], mask: Callable[[str | None], str | None]) -> Node | None:
    """One element by itself, whatever it is part of; None where it does not show in the region."""
    alone, _ = prune([msgspec.structs.replace(element, parent=None)], size, mask)
    return alone[0] if alone else None


def in_reading_order(seen: Sequence[Seen]) -> list[Seen]:
    """The same elements, each followed by what is in it, as a person reads them. Parents come before children in
    `seen`, too, but level by level."""
    below: dict[int | None, list[int]] = {}
    for index, element in enumerate(seen):
        below.setdefault(element.parent, []).append(index)
    ordered: list[Seen] = []
    place: dict[int, int] = {}
    todo = below.get(None, [])[::-1]
    while todo:
        index = todo.pop()
        parent = seen[index].parent
        place[index] = len(ordered)
        ordered.append(msgspec.structs.replace(seen[index], parent=None if parent is None else place[parent]))
        todo += below.get(index, [])[::-1]
    return ordered


def in_open_menu(nodes: Sequence[Node], x: float, y: float) -> list[Node]:
    """From a tree that was read while a menu was open: what the menu has at a point, from its window down to it; empty
    where no menu of the tree is there. (A menu may be gone before its program is asked who was pressed.)"""
    found: int | None = None
    popup = False  # below a second window: a context menu, the list of a combo box
    for index, node in enumerate(nodes):
        popup = popup or (node.parent is None and index > 0)
        if node.box is None or not holds(node.box, x, y):
            continue
        if node.role == "menuitem" or (popup and node.parent is not None):
            found = index
    path: list[int] = []
    while found is not None:
        path.append(found)
        found = nodes[found].parent
    return [
        msgspec.structs.replace(nodes[index], parent=place - 1 if place else None)
        for place, index in enumerate(reversed(path))
    ]


def is_nowhere(box: Box | None) -> bool:
    """Whether the interface says that the element is on no screen at all."""
    return box is not None and (box[0] <= NOWHERE or box[1] <= NOWHERE)


def clip(box: Box | None, size: tuple[int, int]) -> Box | None:
    """The part of a box in the region; None where there is none."""
    if box is None:
        return None
    left, top = max(0.0, box[0]), max(0.0, box[1])
    right, bottom = min(float(size[0]), box[2]), min(float(size[1]), box[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def shorten(text: str | None, limit: int = MAX_TEXT) -> str | None:
    """Text without what is no text, in one line, of bounded length; None for nothing."""
    if not text:
        return None
    plain = " ".join(text[: limit * 4].replace("\ufffc", " ").split())  # U+FFFC stands for an element within the text
    return (plain if len(plain) <= limit else plain[: limit - 1] + "…") or None


def _role(element: Seen) -> str | None:
    return element.role or role_of(element.raw_role)


def _node(element: Seen, parent: int | None, box: Box | None, mask: Callable[[str | None], str | None]) -> Node:
    role = _role(element)
    name = mask(shorten(element.name))
    description = mask(shorten(element.description))
    return Node(
        parent=parent,
        role=role,
        raw_role=None if role is not None else element.raw_role[:40] or None,
        name=name,
        value=None if "password" in element.states else mask(shorten(element.value)),
        description=description if description != name else None,
        box=box,
        states=element.states,
    )
