"""The rules of reading accessibility that are pure: when, what is kept, names and states of each system."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.roles import ROLES, role_of
from curate.model.trajectory import Screen
from curate.model.tree import Node, acted_on
from recorders.a11y import atspi_names, ax, uia
from recorders.a11y.polled import Polled
from recorders.a11y.prune import MAX_TEXT, NOWHERE, Seen, in_open_menu, in_reading_order, prune, shorten
from recorders.a11y.reader import Setup
from recorders.a11y.untested import UNTESTED
from recorders.a11y.when import NS, When
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.names import Scrub

SIZE = (800, 600)
SECOND = NS
keep = Scrub([])


# --- when -----------------------------------------------------------------------------------------------------


def due_at(when: When, now: int, steps: int = 100_000) -> int:
    """The first moment at which a tree may be read, asked as the reader does."""
    for _ in range(steps):
        wait = when.wait(now)
        assert wait is not None
        if wait == 0:
            return now
        now += wait
    raise AssertionError("never due")


def read(when: When, at: int, cpu: int = 0, same: bool = False) -> None:
    when.began()
    when.ended(at, cpu, same)


def test_a_tree_is_read_when_the_screen_has_settled() -> None:
    when = When(0)
    read(when, 0)
    when.changed(10 * SECOND)
    when.changed(10 * SECOND + SECOND // 5)
    settled = due_at(when, 10 * SECOND + SECOND // 5) - (10 * SECOND + SECOND // 5)
    assert SECOND // 4 <= settled <= SECOND // 2


def test_nothing_is_read_again_while_nothing_changes() -> None:
    when = When(0)
    read(when, 0)
    assert when.wait(1000 * SECOND) is None


def test_a_screen_that_never_settles_is_read_all_the_same() -> None:
    when = When(0)
    read(when, 0)
    now = SECOND
    while when.wait(now) != 0:
        now += SECOND // 10
        when.changed(now)
        assert now < 4 * SECOND
    assert now >= 2 * SECOND


@given(st.lists(st.integers(min_value=1, max_value=2 * SECOND), min_size=1, max_size=60))
def test_never_within_half_a_second_after_a_key(gaps: list[int]) -> None:
    """Report 13: a tree read while keys are typed makes Chromium type them again."""
    when = When(0)
    now = 0
    for gap in gaps:
        now += gap
        when.changed(now)
        when.acted(now, typed=True)
    assert due_at(when, now) - now >= SECOND // 2


def test_what_changes_by_itself_is_looked_at_less_and_less_until_somebody_acts() -> None:
    when, now, readings = When(0), 0, 0
    while now < 120 * SECOND:  # a caret that blinks for two minutes
        now += SECOND * 6 // 10
        when.changed(now)
        if when.wait(now + SECOND * 4 // 10) == 0:
            read(when, now + SECOND * 4 // 10, same=True)
            readings += 1
    assert readings <= 12
    when.acted(now)
    assert due_at(when, now + SECOND // 10) - now <= SECOND


@given(st.lists(st.tuples(st.integers(1, 3 * SECOND), st.integers(0, SECOND // 2)), min_size=20, max_size=80))
def test_trees_take_their_share_of_a_core_and_no_more(acts: list[tuple[int, int]]) -> None:
    """Readings that cost up to half a second each: over any stretch at most 10 % and what was saved."""
    when, now, spent = When(0), 0, 0
    for gap, cpu in acts:
        now += gap
        when.acted(now)
        when.changed(now)
        now = due_at(when, now)
        when.began()
        now += cpu
        when.ended(now, cpu, same=False)
        spent += cpu
    assert spent <= 0.1 * now + SECOND


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


# --- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "states", "role"),
    [
        ("push button", 0, "button"), ("password text", 0, "edit"), ("page tab", 0, "tab"), ("frame", 0, "window"),
        ("text", 1 << atspi_names.EDITABLE, "edit"), ("text", 0, "text"), ("static", 0, "text"),
        ("check box", 0, "checkbox"), ("document web", 0, "document"), ("table cell", 0, "cell"),
        ("combo box", 0, "combobox"), ("menu item", 0, "menuitem"), ("radio menu item", 0, "menuitem"),
        ("toggle button", 0, "button"), ("link", 0, "link"), ("scroll pane", 0, "pane"), ("alert", 0, "dialog"),
    ],
)  # fmt: skip
def test_atspi_roles(raw: str, states: int, role: str) -> None:
    assert atspi_names.role_for(raw, states) == role
    assert role in ROLES


def test_atspi_states_as_gtk_and_chromium_send_them() -> None:
    """Words seen on the wire: a focused text view of GTK, Chromium's password field, a grey menu item."""
    assert atspi_names.states_of(atspi_names.bits([0x43021980, 0]), "text") == ["editable", "focused", "multiline"]
    password = atspi_names.states_of(atspi_names.bits([1191184768, 64]), "password text")
    assert "password" in password and "editable" in password
    assert "disabled" in atspi_names.states_of(atspi_names.bits([1 << 25 | 1 << 30, 0]), "menu item")
    assert "disabled" not in atspi_names.states_of(atspi_names.bits([1 << 24 | 1 << 8 | 1 << 25, 0]), "menu item")
    assert "collapsed" in atspi_names.states_of(1 << 9 | 1 << 8, "combo box")
    assert "expanded" in atspi_names.states_of(1 << 9 | 1 << 10 | 1 << 8, "combo box")


def test_windows_names_and_states() -> None:
    assert role_of("ButtonControl") == "button" and role_of("DataItemControl") == "cell"
    assert role_of("TreeItemControl") == "treeitem" and role_of("HyperlinkControl") == "link"
    assert uia.program_name("C:\\Program Files\\X\\Notepad.EXE") == "notepad"
    assert uia.program_name(None) is None
    assert uia.states_of(enabled=False, focused=True, password=True, readonly=True) == [
        "disabled", "focused", "password", "readonly",
    ]  # fmt: skip
    assert uia.states_of(enabled=True, focused=False, password=False, toggle=1, expanded=0) == ["checked", "collapsed"]
    assert uia.states_of(enabled=True, focused=False, password=False, toggle=2, expanded=3) == []


def test_macos_attributes() -> None:
    secret = ax.seen_of({"AXRole": "AXTextField", "AXSubrole": ax.SECURE, "AXTitle": "PIN", "AXValue": "1234"}, 0, None)
    assert secret.value is None and "password" in secret.states and role_of(secret.raw_role) == "edit"
    text = ax.seen_of({"AXRole": "AXStaticText", "AXValue": "Total: 3"}, None, None)
    assert (text.name, text.value, role_of(text.raw_role)) == ("Total: 3", None, "text")
    box = ax.seen_of({"AXRole": "AXCheckBox", "AXTitle": "Stay", "AXValue": 1, "AXEnabled": False}, None, None)
    assert set(box.states) == {"checked", "disabled"}
    slider = ax.seen_of({"AXRole": "AXSlider", "AXValue": 0.5}, None, None)
    assert slider.value == "0.5"


def test_points_of_macos_are_pixels_of_a_retina_region() -> None:
    """A window at (100, 50) points of a region whose corner is (-1440, 0), at two pixels a point."""
    assert ax.to_pixels((100, 50), (10, 20), (-1440, 0), 2.0) == (3080, 100, 3100, 140)
    x, y = ax.to_points(3080, 100, (-1440, 0), 2.0)
    assert (x, y) == (100, 50)


def test_what_cannot_be_tested_here_is_named() -> None:
    assert {"windows", "macos"} <= set(UNTESTED) and all(UNTESTED.values())


# --- interfaces that block and are polled ----------------------------------------------------------------------


class Paper:
    """A desk of one window drawn on paper."""

    def __init__(self) -> None:
        self.focus = "name"
        self.asked: list[str] = []
        self.tree: dict[str, list[str]] = {"window": ["name", "secret", "ok"], "secret": ["bullets"]}

    def open(self, setup: Setup) -> None:
        self.setup = setup

    def front(self) -> tuple[Any, str | None, str | None]:
        return "window", "paper", "A window"

    def window_at(self, x: float, y: float) -> tuple[Any, str | None, str | None]:
        return "ok", "paper", "A window"

    def focused(self) -> tuple[Any, str | None, str | None]:
        return self.focus, "paper", "A window"

    def children(self, element: Any) -> Sequence[Any]:
        return self.tree.get(element, [])

    def parent(self, element: Any) -> Any | None:
        return None if element == "window" else "window"

    def describe(self, element: Any, parent: int | None) -> Seen:
        self.asked.append(element)
        if element == "ok" and self.setup.screen.height == 1:
            raise OSError("gone")
        return Seen(parent=parent, raw_role="edit", name=element, states=["password"] if element == "secret" else [])


def polled(excluded: Exclusions = Exclusions(), height: int = 600) -> tuple[Polled, Paper, list[Any]]:  # noqa: B008
    desk, told = Paper(), []
    backend = Polled("paper", desk)

    async def use() -> None:
        await backend.open(Setup(file="", screen=Screen(width=800, height=height), excluded=excluded), told.append)
        told.append(await backend.window())
        told.append(await backend.element(1, 1))
        desk.focus = "secret"
        while not any(getattr(item, "password", False) for item in told):
            if excluded:
                break
            await asyncio.sleep(0.01)
        await backend.close()

    asyncio.run(use())
    return backend, desk, told


def test_a_polled_interface_gives_trees_elements_and_focus() -> None:
    _, desk, told = polled()
    tree, element = (item for item in told if hasattr(item, "cut"))
    assert [(seen.name, seen.parent) for seen in tree.seen] == [("window", None), ("name", 0), ("secret", 0), ("ok", 0)]
    assert "bullets" not in desk.asked  # nothing of a password field is asked for
    assert [(seen.name, seen.parent) for seen in element.seen] == [("window", None), ("ok", 0)]
    assert told[-1].password and told[-1].app == "paper"


def test_a_polled_interface_never_asks_an_excluded_window() -> None:
    _, desk, told = polled(Exclusions(apps=("Paper",)))
    assert desk.asked == []
    assert [item for item in told if item is not None and getattr(item, "seen", None) is not None] == []


def test_elements_that_go_away_are_left_out() -> None:
    _, _, told = polled(height=1)
    tree = next(item for item in told if hasattr(item, "cut"))
    assert [seen.name for seen in tree.seen] == ["window", "name", "secret"]


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
