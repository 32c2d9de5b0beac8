"""Accessibility trees as recordings and records hold them: a flat list of nodes, parents before children, so that no
reader recurses into somebody else's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curate.model.coordinates import holds

State = Literal[
    "focused", "selected", "checked", "expanded", "collapsed", "disabled", "editable", "readonly", "required",
    "invalid", "busy", "modal", "multiline", "password", "pressed", "offscreen",
]  # fmt: skip


class Node(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One element. `parent`: its index in the list, null for a root. `role`: of `model.roles`, null where the system's
    name for it (`raw_role`) is not among them. `box`: left, top, right, bottom, in pixels of the recorded region in a
    recording and in fractions of the picture in a record; null where it has none. `value`: what it holds or is set to;
    never of a password field. `description`: help text, where it says more than the name."""

    parent: Annotated[int, Meta(ge=0)] | None = None
    role: str | None = None
    raw_role: str | None = None
    name: str | None = None
    value: str | None = None
    description: str | None = None
    box: tuple[float, float, float, float] | None = None
    states: list[State] = []


class Tree(msgspec.Struct, kw_only=True, frozen=True):
    """The tree of a step (`Step.tree`, media `.json.zst`): boxes are fractions of the picture, `time` is seconds from
    the first raw event, when reading it was complete (null: the source does not say)."""

    schema: Literal["tree.v1"] = "tree.v1"
    app: str | None = None
    title: str | None = None
    time: float | None = None
    nodes: list[Node] = []


# What a person means by pressing there, though a text, a picture or a box within it lies under the pointer.
_MEANT = frozenset(
    {"button", "link", "menuitem", "menu", "checkbox", "radiobutton", "tab", "treeitem", "listitem", "combobox", "cell",
     "slider", "spinner", "edit"}
)  # fmt: skip
_PART = frozenset({"text", "image", "group", "pane", "separator", None})
_MEANT_LEVELS = 4  # web pages put a picture in a box in a box in a button


def acted_on(nodes: Sequence[Node], x: float, y: float) -> Node:
    """The element that a press at a point was aimed at. `nodes`: from a window down to the innermost element there (the
    last). A part of a button, link or item is not aimed at itself; one without a name is called by its part's."""
    last = nodes[-1]
    for above in nodes:  # a browser answers with the list that the press is about to open below the box
        if above.role == "combobox" and above.box is not None and holds(above.box, x, y) and last.role != "edit":
            return above
    node: Node | None = last
    for _ in range(_MEANT_LEVELS + 1):
        if node is None or node.role not in _PART:
            break
        node = nodes[node.parent] if node.parent is not None else None
    if node is None or node is last or node.role not in _MEANT or node.box is None or not holds(node.box, x, y):
        return last
    return node if node.name else msgspec.structs.replace(node, name=last.name)
