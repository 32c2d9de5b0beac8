"""Names, states and attributes of each system's accessibility interface, and interfaces that are polled."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from curate.model.roles import ROLES, role_of
from curate.model.trajectory import Screen
from recorders.a11y import atspi_names, ax, uia
from recorders.a11y.polled import Polled
from recorders.a11y.prune import Seen
from recorders.a11y.reader import Setup
from recorders.a11y.untested import UNTESTED
from recorders.privacy.exclusions import Exclusions


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
