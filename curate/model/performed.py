"""What came of a replay: recorders.replay makes it, `curate replay` prints it."""

from __future__ import annotations

from typing import Literal

import msgspec


class CannotPerform(msgspec.Struct, frozen=True):
    """A step that cannot be performed on this desktop, and why, as a sentence."""

    step: int
    why: str


class Performed(msgspec.Struct, kw_only=True):
    """How many `steps` were performed of how many (`of`), those `left_out`, and how it `ended`. `shortened`: seconds of
    recorded gaps that were not waited for. `last`: the step that was last begun. `status`: what the record's own end
    says. `why`: of `window` (another program was where the next step's own should be), as a sentence."""

    steps: int = 0
    of: int = 0
    left_out: list[CannotPerform] = []
    notes: list[str] = []
    shortened: float = 0.0
    last: int | None = None
    status: str | None = None
    ended: Literal["done", "escape", "interrupt", "window"] = "done"
    why: str | None = None
    seconds: float = 0.0
