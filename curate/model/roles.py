"""Roles of elements in one small vocabulary, lower-case, whatever accessibility interface named them."""

from __future__ import annotations

import re

# The name in the record, and the names that Windows (UI Automation), AT-SPI, macOS (AX) and ARIA have for it,
# without case, spaces and the affixes "Control" and "AX".
_NAMES: dict[str, tuple[str, ...]] = {
    "button": ("button", "pushbutton", "togglebutton", "splitbutton", "menubutton", "spinbutton", "popupbutton"),
    "calendar": ("calendar",),
    "cell": ("cell", "tablecell", "dataitem", "gridcell"),
    "checkbox": ("checkbox", "switch"),
    "combobox": ("combobox",),
    "desktop": ("desktop", "desktopframe", "desktopicon"),
    "dialog": ("dialog", "alert", "sheet", "filechooser", "colorchooser"),
    "document": ("document", "documentframe", "documentweb", "documenttext", "webarea"),
    "edit": ("edit", "entry", "textfield", "textarea", "textbox", "searchbox", "passwordtext", "securetextfield"),
    "group": ("group", "grouping", "section", "panel", "filler", "form"),
    "heading": ("heading", "header", "headeritem", "columnheader", "rowheader", "tablecolumnheader"),
    "image": ("image", "icon", "graphic", "canvas"),
    "link": ("link", "hyperlink"),
    "list": ("list", "listbox", "outline"),
    "listitem": ("listitem", "option"),
    "menu": ("menu", "popupmenu"),
    "menubar": ("menubar", "applicationmenu"),
    "menuitem": ("menuitem", "menubaritem", "checkmenuitem", "radiomenuitem", "menuitemcheckbox", "menuitemradio"),
    "pane": ("pane", "splitpane", "splitgroup", "layeredpane", "scrollpane", "scrollarea", "viewport"),
    "progressbar": ("progressbar", "progressindicator"),
    "radiobutton": ("radiobutton", "radio"),
    "scrollbar": ("scrollbar",),
    "separator": ("separator", "splitter"),
    "slider": ("slider", "thumb", "dial"),
    "spinner": ("spinner", "incrementor"),
    "statusbar": ("statusbar",),
    "tab": ("tabitem", "pagetab", "tab"),
    "tablist": ("tablist", "pagetablist", "tabgroup"),
    "table": ("table", "datagrid", "grid", "treetable"),
    "text": ("text", "label", "statictext", "paragraph", "static"),
    "titlebar": ("titlebar",),
    "toolbar": ("toolbar", "appbar"),
    "tooltip": ("tooltip",),
    "tree": ("tree",),
    "treeitem": ("treeitem", "outlineitem", "row", "outlinerow"),
    "window": ("window", "frame", "application", "internalframe"),
}
ROLES = tuple(_NAMES)
_BY_NAME = {name: role for role, names in _NAMES.items() for name in names}


def role_of(name: str | None) -> str | None:
    """The role for a name such as `ButtonControl`, `push button`, `AXTextField`; None for one that is not known."""
    if not name:
        return None
    plain = re.sub(r"[\s_-]", "", name.removeprefix("AX").removesuffix("Control")).lower()
    return _BY_NAME.get(plain)
