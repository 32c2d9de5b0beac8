"""An audit: the items of a blind sample (`audit-item.v1`), and what a person answered of one without having seen the
machine's answer (`audit-label.v1`). docs/audit.md says what each question means."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from curate.model.edits import At, By

SCHEMA = "audit-label.v1"
ITEM_SCHEMA = "audit-item.v1"
About = Literal["verdicts", "pairs", "keyframes"]
ABOUT: tuple[About, ...] = get_args(About)
UNSURE = "unsure"
"""The answer of who cannot tell: counted, in no figure."""
ANSWERS: dict[str, tuple[str, ...]] = {
    "verdicts": ("success", "failure", UNSURE),
    "pairs": ("copy", "different", UNSURE),
    "keyframes": ("right", "wrong", UNSURE),
}
"""What can be answered; the first is the positive one. verdicts: was the task of the run completed? pairs: are both
runs one, so that one of them is too many? keyframes: is the picture the screen as it was before the action, with what
it acts on, and that neither lit up nor pointed at?"""

RunKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
"""Which run an item is of (`engine.auditing.sampling.run_key`)."""
Size = Annotated[int, Meta(ge=1)]
Name = Annotated[str, Meta(min_length=1)]


class AuditItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to look at: a line of a sample's file, in the order it is asked in. `item`: its name, which tells
    nothing. `id`: of the run; `step`: the index of its step (keyframes); `other`: the id of the other run (pairs).
    `run`, `size`, `seed`: what it was drawn from, how many were wanted, and by which seed.

    How many things of the run it stands for is not here: it tells what the machine said. Whoever evaluates draws the
    same sample again."""

    schema: Literal["audit-item.v1"] = "audit-item.v1"
    about: About
    run: RunKey
    size: Size
    seed: int
    item: Name
    id: Name
    step: Annotated[int, Meta(ge=0)] | None = None
    other: Name | None = None

    def __post_init__(self) -> None:
        if (self.step is not None) != (self.about == "keyframes"):
            raise ValueError("an item has a `step` where it is about keyframes, and only there")
        if (self.other is not None) != (self.about == "pairs"):
            raise ValueError("an item has an `other` run where it is about pairs, and only there")


class AuditLabel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer: a line of `audit-<about>-<by>.jsonl`. A later answer of the same person of the same item stands.
    `run`, `size`, `seed`, `item`: of the item (`AuditItem`)."""

    schema: Literal["audit-label.v1"] = "audit-label.v1"
    about: About
    run: RunKey
    size: Size
    seed: int
    item: Name
    answer: str
    by: By
    at: At

    def __post_init__(self) -> None:
        allowed = ANSWERS[self.about]
        if self.answer not in allowed:
            raise ValueError(f"the answer about {self.about} is one of {', '.join(allowed)}")
