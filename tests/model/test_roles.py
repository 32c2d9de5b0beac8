"""One vocabulary of roles for every accessibility interface."""

from __future__ import annotations

import re

import pytest

from curate.model.roles import ROLES, role_of


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("ButtonControl", "button"), ("EditControl", "edit"), ("HyperlinkControl", "link"), ("TabItemControl", "tab"),
        ("push button", "button"), ("page tab", "tab"), ("check box", "checkbox"), ("table cell", "cell"),
        ("AXTextField", "edit"), ("AXStaticText", "text"), ("AXPopUpButton", "button"), ("AXRow", "treeitem"),
        ("radio", "radiobutton"), ("link", "link"), ("treeitem", "treeitem"), ("list item", "listitem"),
        ("SomethingControl", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_names_of_all_interfaces(name: str | None, role: str | None) -> None:
    assert role_of(name) == role


def test_a_role_is_its_own_name() -> None:
    for role in ROLES:
        assert re.fullmatch("[a-z]+", role) and role_of(role) == role
