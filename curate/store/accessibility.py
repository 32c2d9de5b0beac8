"""a11y.jsonl of a recording: what the accessibility interface told, one row a line, in the order it was written.

tree      the window in front after the screen settled, pruned to what shows
element   what lies under the pointer at a press, with what holds it
focus     the element that keys go to from now on
"""

from __future__ import annotations

import msgspec

from curate.model.tree import Node
from curate.store.recording import Nanoseconds


class AccessibilityRow(msgspec.Struct, kw_only=True, tag_field="kind", frozen=True):
    """`t`: when reading was complete, on the clock of the events."""

    t: Nanoseconds


class TreeRow(AccessibilityRow, kw_only=True, tag="tree", frozen=True):
    """One tree, read from `since` to `t`. `cut`: there was more than the recorder reads. `same`: it is that of the tree
    row before it (`nodes` is empty then): nothing had changed."""

    since: Nanoseconds
    app: str | None = None
    title: str | None = None
    cut: bool = False
    same: bool = False
    nodes: list[Node] = []


class ElementRow(AccessibilityRow, kw_only=True, tag="element", frozen=True):
    """The element under the pointer at the press of time `press`. `nodes`: from its window down to it; it is the
    last."""

    press: Nanoseconds
    x: int | float
    y: int | float
    app: str | None = None
    nodes: list[Node] = []


class FocusRow(AccessibilityRow, kw_only=True, tag="focus", frozen=True):
    """Keys go to this element from `t` on; null: to none that is known."""

    app: str | None = None
    node: Node | None = None


AnyAccessibilityRow = TreeRow | ElementRow | FocusRow
