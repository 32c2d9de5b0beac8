"""What a person decided of a record while reviewing it: one line of an edits file (`edit.v1`), which stands beside the
data and never changes it. `curate run --edits` applies them (docs/edits.md)."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from curate.model.actions import Fraction
from curate.model.trajectory import Step, Trajectory

SCHEMA = "edit.v1"
Kind = Literal["outcome", "correct", "redundant", "cut", "instruction", "blur", "note", "undo"]
OF_STEPS = frozenset({"correct", "redundant", "cut", "blur"})
"""Kinds that speak of one step."""
REVIEWER = r"^(?!audit-)[a-z0-9_-]{1,40}$"
"""A reviewer is a pseudonym that is a file name on every system; `audit-...` is the name of files of audit labels."""
By = Annotated[str, Meta(pattern=REVIEWER)]
At = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A moment, UTC, to the second: such texts sort by time."""
Fingerprint = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Number = Annotated[int, Meta(ge=1)]
Region = tuple[Fraction, Fraction, Fraction, Fraction]
"""left, top, right, bottom as fractions of the picture."""
MAX_TEXT = 20_000  # characters of an instruction or a note: a page that asks for more is at fault
_SEEN = ("index", "image", "image_after", "observation", "thought", "low_level", "actions", "correct", "redundant",
         "reflection", "time")  # fmt: skip


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision. `number`: from 1, rising within a reviewer's file. `id`: of the record; `step`: the index of a
    step where the kind speaks of one, else null. `value` by kind:

    outcome      true, false, null: whether the task was completed (null: unknown)
    correct      true, false, null: of a step; false flags it as wrong
    redundant    true, false, null: of a step
    cut          null: the step and all after it are taken off
    instruction  the new text
    blur         [left, top, right, bottom], fractions of the step's picture
    note         a text; changes nothing
    undo         null; `undoes` is the number of an earlier edit of the same file

    `of`: `fingerprint` of the record that the reviewer saw, null where it is not known."""

    schema: Literal["edit.v1"] = "edit.v1"
    number: Number
    id: Annotated[str, Meta(min_length=1)]
    step: Annotated[int, Meta(ge=0)] | None = None
    kind: Kind
    value: bool | str | Region | None = None  # a text's length is checked below: msgspec 0.23 crashes on Meta here
    by: By
    at: At
    of: Fingerprint | None = None
    undoes: Number | None = None

    def __post_init__(self) -> None:
        wrong = _problem(self)
        if wrong is not None:
            raise ValueError(wrong)


def _problem(edit: Edit) -> str | None:
    """What the type cannot say: which value and which step a kind has."""
    value, kind = edit.value, edit.kind
    if (edit.step is not None) != (kind in OF_STEPS) and kind not in ("note", "undo"):
        return f"an edit of kind {kind} {'needs' if kind in OF_STEPS else 'has no'} `step`"
    if (edit.undoes is not None) != (kind == "undo"):
        return "an undo names in `undoes` the number of the edit that it undoes, and no other kind does"
    if kind in ("outcome", "correct", "redundant") and not (value is None or isinstance(value, bool)):
        return f"the value of {kind} is true, false or null"
    if kind in ("cut", "undo") and value is not None:
        return f"the value of {kind} is null"
    if kind in ("instruction", "note") and not (isinstance(value, str) and value.strip()):
        return f"the value of {kind} is a text"
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"a text has at most {MAX_TEXT:,} characters"
    if kind == "blur" and not (isinstance(value, tuple) and value[0] < value[2] and value[1] < value[3]):
        return "the value of blur is [left, top, right, bottom] with left < right and top < bottom"
    return None


EDITED = re.compile(r"^edited: .*; it was ([0-9a-f]{64})$")
"""The line in the lineage of a record that edits changed: how it looked before any."""


def fingerprint(record: Trajectory) -> str:
    """What a reviewer saw of a record, as 64 hexadecimal digits: its instruction, outcome, pictures, and of each step
    its actions, texts and marks. What a run gives to a record beside it (id, other wordings, code, weight) has no say:
    so the record is found again when the same input is read. A record that was edited has the fingerprint of what it
    was made from, so that the edits of one review and those of the next speak of one record."""
    for line in record.lineage:
        found = EDITED.match(line)
        if found is not None:
            return found.group(1)
    seen = [record.instruction, record.outcome.completed, record.final_image, [_seen(step) for step in record.steps]]
    return hashlib.sha256(msgspec.json.encode(seen)).hexdigest()


def _seen(step: Step) -> list[Any]:
    return [getattr(step, name) for name in _SEEN]
