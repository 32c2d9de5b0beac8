"""Accessibility trees as recordings and records hold them: a flat list of nodes, parents before children, so that no
reader recurses into somebody else's data."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

State = Literal[
    "focused", "selected", "checked", "expanded", "collapsed", "disabled", "editable", "readonly", "required",
    "invalid", "busy", "modal", "multiline", "password", "pressed", "offscreen",
]  # fmt: skip


class Node(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One element. `parent`: its index in the list, null for a root. `role`: of `model.roles`, null where the system's
    name for it (`raw_role`) is not among them. `box`: left, top, right, bottom, in pixels of the recorded region in a
    recording and in fractions of the picture in a record; null where it has none. `value`: what it holds or is set to;
    never of a password field. `description`: help text, where it says more than the name."""

    parent: Annotated[int, Meta(ge=0)] | None = None
    role: str | None = None
    raw_role: str | None = None
    name: str | None = None
    value: str | None = None
    description: str | None = None
    box: tuple[float, float, float, float] | None = None
    states: list[State] = []
