"""a11y.jsonl as it is found: whole, hostile, cut off."""

from __future__ import annotations

from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.constants import MAX_TREE_BYTES
from curate.model.tree import Node
from curate.sources.parts.recording_a11y import read_accessibility
from curate.sources.recording import open_recording
from curate.store import recording as rec
from curate.store.accessibility import AnyAccessibilityRow, ElementRow, FocusRow, TreeRow
from tests.sources.test_recording import folder_with

ZERO = 5_000_000_000
SECOND = 1_000_000_000
WINDOW = Node(role="window", name="A", box=(0, 0, 8, 6))
BUTTON = Node(parent=0, role="button", name="Save", box=(1, 1, 4, 3))


def tree(second: float, *nodes: Node, same: bool = False) -> TreeRow:
    t = ZERO + round(second * SECOND)
    return TreeRow(t=t, since=t - SECOND // 10, app="a", title="A", nodes=list(nodes), same=same)


def element(second: float, *nodes: Node, x: float = 2, y: float = 2) -> ElementRow:
    press = ZERO + round(second * SECOND)
    return ElementRow(t=press + SECOND // 50, press=press, x=x, y=y, nodes=list(nodes))


def written(folder: Path, *rows: AnyAccessibilityRow | bytes) -> Path:
    path = folder / rec.ACCESSIBILITY
    path.write_bytes(b"".join((row if isinstance(row, bytes) else msgspec.json.encode(row)) + b"\n" for row in rows))
    return path


def test_a_recording_opens_with_its_elements_and_trees(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [rec.MoveRow(seq=0, t=ZERO, x=1, y=1)])
    written(folder, tree(1, WINDOW, BUTTON), FocusRow(t=ZERO), element(2, WINDOW, BUTTON), tree(3, same=True))
    opened = open_recording(folder)
    assert [(e.time, e.role, e.name, e.box) for e in opened.elements] == [(2.0, "button", "Save", (1, 1, 4, 3))]
    assert [(t.started, t.time, t.app, t.title) for t in opened.trees] == [(0.9, 1.0, "a", "A"), (2.9, 3.0, "a", "A")]
    assert [t.load() for t in opened.trees] == [[WINDOW, BUTTON], [WINDOW, BUTTON]]
    assert opened.remarks == []


def test_no_file_is_no_trees(tmp_path: Path) -> None:
    opened = open_recording(folder_with(tmp_path, [rec.MoveRow(seq=0, t=ZERO, x=1, y=1)]))
    assert (opened.elements, opened.trees, opened.remarks) == ([], [], [])


def test_half_a_last_row_is_what_a_kill_leaves(tmp_path: Path) -> None:
    path = written(tmp_path, tree(1, WINDOW))
    path.write_bytes(path.read_bytes() + msgspec.json.encode(tree(2, WINDOW))[:-9])
    found = read_accessibility(path, ZERO)
    assert len(found.trees) == 1 and found.remarks == []


def test_a_reader_that_was_started_again_leaves_a_broken_row_in_the_middle(tmp_path: Path) -> None:
    path = written(tmp_path, tree(1, WINDOW), b'{"kind":"tree","t":60000', tree(2, WINDOW, BUTTON))
    found = read_accessibility(path, ZERO)
    assert [len(t.load()) for t in found.trees] == [1, 2]
    assert len(found.remarks) == 1 and "1 of 3" in found.remarks[0] and "line 2" in found.remarks[0]


def test_the_same_as_a_row_that_cannot_be_read_is_no_tree(tmp_path: Path) -> None:
    huge = b'{"kind":"tree","t":6000000000,"since":6000000000,"nodes":[' + b" " * MAX_TREE_BYTES + b"]}"
    path = written(tmp_path, tree(1, WINDOW), huge, tree(3, same=True), tree(4, BUTTON), tree(5, same=True))
    found = read_accessibility(path, ZERO)
    assert [t.time for t in found.trees] == [1.0, 4.0, 5.0]
    assert "longer" in found.remarks[0]


def test_nested_garbage_wrong_types_and_later_kinds(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        b'{"kind":"tree","t":6000000000,"since":6000000000,"nodes":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"kind":"tree","t":"soon"}',
        b"\xff\xfe",
        b"null",
        b'{"kind":"gesture","t":6000000000}',
        b'{"kind":"element","t":6000000000,"press":6000000000,"x":1,"y":1,"nodes":[{"box":[1,2]}]}',
        b'{"kind":"element","t":6000000000,"press":6000000000,"x":1,"y":1,"nodes":[]}',
        element(2, WINDOW, BUTTON),
    )
    found = read_accessibility(path, ZERO)
    assert [e.name for e in found.elements] == ["Save"]
    assert all(t.load() == [] for t in found.trees)


def test_nodes_that_cannot_be_are_mended(tmp_path: Path) -> None:
    """A parent after its child would send a reader round in circles; a box inside out holds nothing."""
    loop = [Node(parent=1, role="group"), Node(parent=1, role="group", box=(5, 5, 1, 1)), Node(parent=0, role="text")]
    found = read_accessibility(written(tmp_path, tree(1, *loop)), ZERO)
    nodes = found.trees[0].load()
    assert [node.parent for node in nodes] == [None, None, 0] and nodes[1].box is None


@settings(max_examples=80)
@given(st.lists(st.binary(max_size=60) | st.sampled_from([tree(1, WINDOW), element(1, WINDOW), tree(2, same=True)])))
def test_whatever_the_file_holds_nothing_is_raised(
    tmp_path_factory: object, rows: list[bytes | AnyAccessibilityRow]
) -> None:
    folder = tmp_path_factory.mktemp("a11y")  # type: ignore[attr-defined]
    found = read_accessibility(written(folder, *rows), ZERO)
    assert len(found.trees) <= len(rows)
    for seen in found.trees:
        nodes = seen.load()
        assert all(node.parent is None or node.parent < number for number, node in enumerate(nodes))
