"""AT-SPI's numbers and names in the project's words."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.roles import role_of
from curate.model.tree import State

# Numbers of AtspiStateType (atspi-constants.h, at-spi2-core 2.46).
BUSY, CHECKED, EDITABLE, ENABLED, EXPANDABLE, EXPANDED, FOCUSED = 3, 4, 7, 8, 9, 10, 12
MODAL, MULTI_LINE, PRESSED, SELECTED, SENSITIVE, SHOWING, MANAGES_DESCENDANTS = 16, 17, 20, 23, 24, 25, 31
REQUIRED, INVALID_ENTRY, READ_ONLY, ACTIVE = 33, 36, 43, 1
_PLAIN: dict[int, State] = {
    BUSY: "busy", CHECKED: "checked", EDITABLE: "editable", EXPANDED: "expanded", FOCUSED: "focused", MODAL: "modal",
    MULTI_LINE: "multiline", PRESSED: "pressed", SELECTED: "selected", REQUIRED: "required",
    INVALID_ENTRY: "invalid", READ_ONLY: "readonly",
}  # fmt: skip
PASSWORD_ROLE = "password text"
WITH_TEXT = frozenset({"entry", "text", "combo box", "spin button", "terminal", "editbar", "date editor"})
WITH_VALUE = frozenset({"slider", "progress bar", "spin button", "level bar", "dial"})

# What is pressed as a whole: there is nothing further down that a press could be aimed at.
WHOLE = frozenset(
    {"push button", "toggle button", "radio button", "check box", "link", "entry", "password text", "combo box",
     "slider", "spin button", "menu item", "check menu item", "radio menu item", "static", "label", "image", "icon"}
)  # fmt: skip
MENU_ITEMS = frozenset({"menu item", "check menu item", "radio menu item"})
IN_MENU = MENU_ITEMS | {"menu", "tearoff menu item"}
TO_MENU = IN_MENU | {
    "menu bar",
    "frame",
    "dialog",
    "window",
    "filler",
    "panel",
    "root pane",
    "layered pane",
    "tool bar",
}


def bits(words: Sequence[int]) -> int:
    """The state set of GetState (two unsigned 32-bit words, low first) as one number."""
    return sum((word & 0xFFFFFFFF) << 32 * place for place, word in enumerate(words[:2]))


def has(states: int, state: int) -> bool:
    """Whether a state is in the set."""
    return bool(states >> state & 1)


def states_of(states: int, raw_role: str) -> list[State]:
    """The states that a record knows."""
    found: list[State] = [name for number, name in _PLAIN.items() if has(states, number)]
    if has(states, EXPANDABLE) and not has(states, EXPANDED):
        found.append("collapsed")
    if not has(states, ENABLED) and not has(states, SENSITIVE):
        found.append("disabled")
    if raw_role == PASSWORD_ROLE:
        found.append("password")
    return found


def role_for(raw_role: str, states: int) -> str | None:
    """The role; AT-SPI's `text` is GTK's name of a text view as well as of a piece of text."""
    if raw_role == "text" and has(states, EDITABLE):
        return "edit"
    return role_of(raw_role)
