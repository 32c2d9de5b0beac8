"""a11y.jsonl of our own recordings: the element under the pointer at each press, and trees that are read from the file
when a step asks for one. Whatever the file holds, nothing is raised: what cannot be read is said in one line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import MAX_TREE_BYTES, NS_PER_S
from curate.model.events import ElementAt, TreeAt
from curate.model.tree import Node, acted_on
from curate.store.accessibility import ElementRow, TreeRow
from curate.store.recording import RowLine, lines

_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class _Head(msgspec.Struct, frozen=True):
    """A row without its nodes."""

    kind: str
    t: int
    since: int = 0
    app: str | None = None
    title: str | None = None
    same: bool = False


class Accessibility(msgspec.Struct):
    """What the file tells. `elements` and `trees` in order of time; `remarks`: a line about what could not be read."""

    elements: list[ElementAt] = []
    trees: list[TreeAt] = []
    remarks: list[str] = []


def read_accessibility(path: Path, zero: int) -> Accessibility:
    """Everything of the file but the trees' nodes. `zero`: nanoseconds of the recording's first row."""
    found = Accessibility()
    rows, bad, first_bad = 0, 0, ""
    base: int | None = None  # where the last tree with nodes begins in the file; None: it cannot be read
    decode_head = msgspec.json.Decoder(_Head).decode
    decode_element = msgspec.json.Decoder(ElementRow).decode
    for number, line, _, offset, _ in _lines(path):
        rows += 1
        try:
            if line is None:
                base = None  # whatever it was, "the same as before" would mean it
                raise ValueError(f"it is longer than {MAX_TREE_BYTES:,} bytes")
            head = decode_head(line)
            if head.kind == "tree":
                base = base if head.same else offset
                if base is not None and 0 <= head.since <= head.t:
                    found.trees.append(_tree(path, base, head, zero))
            elif head.kind == "element":
                element = _element(decode_element(line), zero)
                if element is not None:
                    found.elements.append(element)
        except (*_ERRORS, ValueError) as error:
            bad += 1
            first_bad = first_bad or f"line {number}: {error}"
    found.elements.sort(key=lambda element: element.time)
    found.trees.sort(key=lambda tree: tree.time)
    if bad:
        found.remarks.append(f"accessibility: {bad} of {rows} rows of {path.name} cannot be read ({first_bad})")
    return found


def _lines(path: Path) -> Iterator[RowLine]:
    """The lines of the file; blank lines are none, and so is half a last line, which is what a reader that was killed
    leaves."""
    try:
        for line in lines(path, MAX_TREE_BYTES):
            if line.data is None or (line.whole and line.data.strip()):
                yield line
    except OSError:
        return  # as if there were no more of it: no step depends on this file


def _tree(path: Path, offset: int, head: _Head, zero: int) -> TreeAt:
    def load() -> list[Node]:
        try:
            with path.open("rb") as file:
                file.seek(offset)
                row = msgspec.json.decode(file.readline(MAX_TREE_BYTES), type=TreeRow)
        except (OSError, *_ERRORS):
            return []
        return sound(row.nodes)

    return TreeAt(
        started=(head.since - zero) / NS_PER_S,
        time=(head.t - zero) / NS_PER_S,
        app=head.app,
        title=head.title,
        load=load,
    )


def _element(row: ElementRow, zero: int) -> ElementAt | None:
    nodes = sound(row.nodes)
    if not nodes:
        return None
    node = acted_on(nodes, float(row.x), float(row.y))
    return ElementAt(time=(row.press - zero) / NS_PER_S, role=node.role, name=node.name, box=node.box)


def sound(nodes: list[Node]) -> list[Node]:
    """The nodes with what cannot be so taken out: a parent that does not come before its child, a box that is none."""
    found = []
    for index, node in enumerate(nodes):
        changes: dict[str, Any] = {}
        if node.parent is not None and node.parent >= index:
            changes["parent"] = None
        box = node.box
        if box is not None and not (all(map(math.isfinite, box)) and box[0] <= box[2] and box[1] <= box[3]):
            changes["box"] = None
        found.append(msgspec.structs.replace(node, **changes) if changes else node)
    return found
