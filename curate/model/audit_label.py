"""What a person answered of one item of an audit, without having seen the machine's answer (`audit-label.v1`)."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from curate.model.edits import At, By

SCHEMA = "audit-label.v1"
About = Literal["verdicts", "pairs", "keyframes"]
ABOUT: tuple[About, ...] = get_args(About)
UNSURE = "unsure"
"""The answer of who cannot tell: counted, in no figure."""
ANSWERS: dict[str, tuple[str, ...]] = {
    "verdicts": ("success", "failure", UNSURE),
    "pairs": ("copy", "different", UNSURE),
    "keyframes": ("right", "wrong", UNSURE),
}
"""What can be answered. verdicts: was the task of the run completed? pairs: are both runs one, so that one of them
is too many? keyframes: does the picture show the screen before the action, with what it acts on?"""


class AuditLabel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer: a line of `audit-<about>-<by>.jsonl`. A later answer of the same person of the same item stands."""

    schema: Literal["audit-label.v1"] = "audit-label.v1"
    about: About
    item: Annotated[str, Meta(min_length=1)]
    answer: str
    by: By
    at: At

    def __post_init__(self) -> None:
        allowed = ANSWERS[self.about]
        if self.answer not in allowed:
            raise ValueError(f"the answer about {self.about} is one of {', '.join(allowed)}")
