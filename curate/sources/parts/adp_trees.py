"""What records of the Agent Data Protocol hold of a screen's or page's elements, as a step's tree: the page's own text,
whose numbers actions name, or the boxes that were noted on a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curate.model.coordinates import place_box
from curate.model.finite import finite_number
from curate.model.roles import role_of
from curate.model.tree import Node, Tree
from curate.sources.common.android_tree import role_of_class
from curate.sources.common.conventions import Size
from curate.store.media import MediaStore
from curate.store.trees import add_text_tree, add_tree

StoresTree = Callable[[MediaStore], str]
"""Stores a step's tree and gives its reference."""


def tree_of(
    axtree: str | None, html: str | None, annotations: Sequence[Any] | None, size: Size | None
) -> StoresTree | None:
    """The tree of a step; None where it has none."""
    if axtree:
        return lambda media: add_text_tree(media, axtree)
    if html:
        return lambda media: add_text_tree(media, html, "html.zst")
    nodes = [_node(one, size) for one in annotations or [] if isinstance(one, Mapping)]
    return (lambda media: add_tree(media, Tree(nodes=nodes))) if nodes else None


def _node(annotation: Mapping[str, Any], size: Size | None) -> Node:
    raw, text = annotation.get("element_type"), annotation.get("text")
    kind = raw if isinstance(raw, str) and raw else None
    role = "image" if kind and kind.startswith("ICON") else role_of(kind) or role_of_class(kind)
    return Node(
        role=role, raw_role=kind, name=text if isinstance(text, str) and text else None,
        box=_box(annotation.get("bounding_box"), size),
    )  # fmt: skip


def _box(held: Any, size: Size | None) -> tuple[float, float, float, float] | None:
    """x, y, width and height as fractions: they are fractions where none is beyond 1."""
    given = [held.get(name) for name in ("x", "y", "width", "height")] if isinstance(held, Mapping) else []
    sides = [side for side in map(finite_number, given) if side is not None]
    if len(sides) != 4:
        return None
    x, y, width, height = sides
    fractions = all(side <= 1 for side in sides)
    if not fractions and size is None:
        return None
    return place_box(x, y, x + width, y + height, *((1, 1) if fractions or size is None else size))
