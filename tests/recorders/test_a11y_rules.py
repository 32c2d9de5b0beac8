"""What is kept of what accessibility tells, and what a press was aimed at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.roles import role_of
from curate.model.tree import Node, acted_on
from recorders.a11y.prune import MAX_TEXT, NOWHERE, Seen, in_open_menu, in_reading_order, prune, shorten
from recorders.privacy.names import Scrub

SIZE = (800, 600)
keep = Scrub([])


# --- what is kept ---------------------------------------------------------------------------------------------


@st.composite
def windows(draw: st.DrawFn) -> list[Seen]:
    count = draw(st.integers(1, 20))
    edge = st.integers(-300, 1200).map(float)
    found = []
    for index in range(count):
        left, top = draw(edge), draw(edge)
        nowhere = draw(st.integers(0, 9)) == 0
        box = (float(NOWHERE), float(NOWHERE), 0.0, 0.0) if nowhere else (left, top, left + draw(st.integers(0, 500)), top + draw(st.integers(0, 500)))  # fmt: skip  # noqa: E501
        found.append(
            Seen(
                parent=draw(st.integers(0, index - 1)) if index and draw(st.integers(0, 9)) else None,
                raw_role=draw(st.sampled_from(["push button", "panel", "entry", "password text", "frame", "??"])),
                name=draw(st.none() | st.text(max_size=400)),
                value=draw(st.none() | st.just("hunter2")),
                box=draw(st.none() | st.just(box)),
                shows=draw(st.integers(0, 5)) > 0,
            )
        )
        if found[-1].raw_role == "password text":
            found[-1].states = ["password"]
    return found


def below(seen: Sequence[Seen], index: int) -> list[int]:
    above = []
    parent = seen[index].parent
    while parent is not None:
        above.append(parent)
        parent = seen[parent].parent
    return above


@settings(max_examples=60)
@given(windows(), st.integers(1, 30))
def test_only_what_shows_is_kept(seen: list[Seen], most: int) -> None:
    nodes, cut = prune(seen, SIZE, keep, most)
    assert len(nodes) <= most
    for index, node in enumerate(nodes):
        assert node.parent is None or node.parent < index
        assert node.name is None or len(node.name) <= MAX_TEXT
        if node.box is not None:
            left, top, right, bottom = node.box
            assert 0 <= left < right <= SIZE[0] and 0 <= top < bottom <= SIZE[1]
        if "password" in node.states:
            assert node.value is None
            assert all(other.parent != index for other in nodes)  # nothing of what is in it
    visible = [
        index
        for index, element in enumerate(seen)
        if all(seen[i].shows and not (seen[i].box and seen[i].box[0] <= NOWHERE) for i in [index, *below(seen, index)])
        and not any("password" in seen[i].states for i in below(seen, index))
        and (element.box is None or prune([msgspec.structs.replace(element, parent=None)], SIZE, keep)[0])
    ]
    if not cut:
        assert len(nodes) == len(visible)
        assert [node.role or node.raw_role for node in nodes] == [
            role_of(seen[i].raw_role) or seen[i].raw_role for i in visible
        ]


@settings(max_examples=60)
@given(windows())
def test_reading_order_is_that_of_a_page(seen: list[Seen]) -> None:
    """Every element with all that is in it stands in one piece, and children stay in their order."""
    ordered = in_reading_order(seen)
    assert sorted(map(id_of, ordered)) == sorted(map(id_of, seen))
    for index, element in enumerate(ordered):
        assert element.parent is None or element.parent < index
        end = index + 1
        while end < len(ordered) and index in below(ordered, end):
            end += 1
        assert not any(index in below(ordered, later) for later in range(end, len(ordered)))


def id_of(element: Seen) -> str:
    return repr((element.raw_role, element.name, element.box, element.shows, element.value))


def test_text_is_one_line_of_bounded_length() -> None:
    assert shorten("  a \ufffc\n b\t") == "a b"
    assert shorten("") is None and shorten(" \n") is None and shorten("\ufffc") is None
    long = shorten("x" * 5000)
    assert long is not None and len(long) == MAX_TEXT and long.endswith("…")


def test_names_of_the_machine_are_masked_in_every_text() -> None:
    seen = Seen(parent=None, raw_role="entry", name="To hansolo", value="hansolo@x", description="of Hansolo")
    (node,), _ = prune([seen], SIZE, Scrub(["hansolo"]))
    assert b"hansolo" not in msgspec.json.encode(node).lower()


def test_a_menu_is_found_in_the_tree_that_was_read_while_it_was_open() -> None:
    window = Node(role="window", box=(0, 0, 500, 500))
    bar = Node(parent=0, role="menubar", box=(0, 0, 500, 20))
    edit = Node(parent=1, role="menu", name="Edit", box=(0, 0, 40, 20))
    item = Node(parent=2, role="menuitem", name="Copy", box=(0, 40, 200, 60))
    page = Node(parent=0, role="edit", box=(0, 20, 500, 500))
    nodes = [window, bar, edit, item, page]
    assert [node.name for node in in_open_menu(nodes, 30, 50)] == [None, None, "Edit", "Copy"]
    assert in_open_menu(nodes, 300, 300) == []
    context = [window, page, Node(role="window", box=(100, 100, 200, 200)), Node(parent=2, role="button", box=(100, 100, 150, 120))]  # fmt: skip  # noqa: E501
    assert [node.role for node in in_open_menu(context, 110, 110)] == ["window", "button"]


# --- what a press was aimed at ---------------------------------------------------------------------------------


def test_a_press_on_a_part_is_aimed_at_the_whole() -> None:
    window = Node(role="window", box=(0, 0, 800, 600))
    button = Node(parent=0, role="button", name="Save", box=(10, 10, 60, 30))
    label = Node(parent=1, role="text", name="Save", box=(15, 12, 50, 28))
    assert acted_on([window, button, label], 20, 20) == button
    nameless = msgspec.structs.replace(button, name=None)
    assert acted_on([window, nameless, label], 20, 20).name == "Save"
    assert acted_on([window, nameless, label], 20, 20).role == "button"
    paragraph = Node(parent=0, role="text", name="Hello", box=(10, 10, 60, 30))
    assert acted_on([window, paragraph], 20, 20) == paragraph
    page_of_a_notebook = Node(parent=0, role="tab", name="One", box=(0, 0, 40, 15))
    inside = Node(parent=1, role="text", name="Hello", box=(10, 100, 60, 130))
    assert acted_on([window, page_of_a_notebook, inside], 20, 110) == inside
    select = Node(parent=0, role="combobox", name="Country", box=(10, 10, 60, 30))
    opening = Node(parent=1, role="menu", box=(10, 10, 60, 20))
    assert acted_on([window, select, opening], 20, 15) == select
    item = Node(parent=2, role="menuitem", name="Peru", box=(10, 30, 60, 50))
    assert acted_on([window, select, opening, item], 20, 40) == item, "the list is open below the box"
    edit = Node(parent=0, role="edit", name="Mail", box=(10, 10, 60, 30))
    assert acted_on([window, edit], 20, 20) == edit


def test_a_closed_list_shows_what_is_chosen_and_nothing_else() -> None:
    """Chromium says of a closed select that all its options show, each where the box is."""
    box = (0.0, 0.0, 100.0, 20.0)

    def select(*states: Any) -> list[Seen]:
        return [
            Seen(parent=None, raw_role="combo box", name="Country", box=box, states=list(states)),
            Seen(parent=0, raw_role="menu", box=box),
            Seen(parent=1, raw_role="menu item", name="Chad", box=box),
            Seen(parent=1, raw_role="menu item", name="Peru", box=box, states=["selected"]),
            Seen(parent=None, raw_role="push button", name="Next", box=box),
        ]

    closed, _ = prune(select("collapsed"), SIZE, keep)
    assert [(n.role, n.name, n.value) for n in closed] == [("combobox", "Country", "Peru"), ("button", "Next", None)]
    opened, _ = prune(select("expanded"), SIZE, keep)
    assert [n.name for n in opened] == ["Country", None, "Chad", "Peru", "Next"]
    editable = [*select("collapsed"), Seen(parent=0, raw_role="entry", name="Country", value="Pe", box=box)]
    assert [n.value for n in prune(editable, SIZE, keep)[0]] == ["Peru", None, "Pe"]
