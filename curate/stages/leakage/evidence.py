"""What can give a test task away, how strong that is, and under which reason it is told. Strong evidence drops a run;
weak evidence is listed for a person, or drops where the recipe says so."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Kind = Literal[
    "task", "template", "id", "file", "canary", "phrase", "template_phrase", "like_template", "path", "paraphrase"
]
Strength = Literal["strong", "weak"]

REASON: dict[str, str] = {
    "task": "leaks.same_task",
    "coverage": "leaks.same_task",
    "copy": "leaks.copy_of_leak",
    "template": "leaks.same_template",
    "id": "leaks.same_id",
    "file": "leaks.test_file",
    "canary": "leaks.canary",
    "app": "leaks.same_app",
    "site": "leaks.same_site",
    "tested_app": "leaks.same_app",  # of a test task, without being held out
    "tested_site": "leaks.same_site",
    "like_template": "leaks.like_template",
    "path": "leaks.same_path",
    "screen": "leaks.same_screen",
    "paraphrase": "leaks.paraphrase",
    "phrase": "leaks.phrase",
}
"""By kind, strongest first."""
STRONG = ("task", "coverage", "copy", "template", "id", "file", "canary", "app", "site")

RUN_WITNESS = ("leaks.own_test", "leaks.copy_of_leak")
"""Reasons whose witness is a run, not a test task."""


class Hit(msgspec.Struct, frozen=True):
    """One test task that a record gives away, as it is measured. `evidence`: the text, phrase, id, name or string that
    does. `share`: of the test task's phrases (1 where something else tells). `phrases`: those shared."""

    test: str | None
    kind: Kind
    evidence: str
    share: float
    phrases: tuple[str, ...] = ()


class Leak(NamedTuple):
    """What is decided from: one kind of evidence (a key of REASON) with its words and witness."""

    kind: str
    detail: str
    witness: str | None

    @property
    def strength(self) -> Strength:
        return "strong" if self.kind in STRONG else "weak"

    @property
    def reason(self) -> str:
        return REASON[self.kind]
