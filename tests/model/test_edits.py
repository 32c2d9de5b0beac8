"""Edits: what a line may say, and when two records are one for a reviewer."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.arrow import records, to_table
from curate.model.audit_label import ANSWERS, AuditLabel
from curate.model.edits import Edit, fingerprint
from curate.model.schemas import explain, schema_of
from curate.model.trajectory import Outcome, Trajectory, decode, encode
from tests.factories import make_step, make_trajectory

LINE: dict[str, Any] = {
    "schema": "edit.v1", "number": 7, "id": "site:17", "step": 3, "kind": "correct", "value": False, "by": "anna",
    "at": "2026-11-30T23:59:01Z", "of": "ab" * 32, "undoes": None,
}  # fmt: skip

GOOD = [
    {"kind": "outcome", "step": None, "value": True},
    {"kind": "outcome", "step": None, "value": None},
    {"kind": "redundant", "value": True},
    {"kind": "cut", "value": None},
    {"kind": "instruction", "step": None, "value": "Open the <b>file</b>\n"},
    {"kind": "blur", "value": [0, 0.25, 1, 0.5]},
    {"kind": "note", "step": None, "value": "odd"},
    {"kind": "note", "step": 0, "value": "odd"},
    {"kind": "undo", "step": None, "value": None, "undoes": 6},
]
BAD = [
    {"kind": "outcome", "step": 3, "value": True},
    {"kind": "outcome", "step": None, "value": 1},
    {"kind": "outcome", "step": None, "value": "true"},
    {"kind": "correct", "step": None},
    {"kind": "cut", "value": 4},
    {"kind": "instruction", "step": None, "value": " "},
    {"kind": "instruction", "step": None, "value": None},
    {"kind": "note", "value": "x" * 20_001},
    {"kind": "blur", "value": [0.5, 0, 0.5, 1]},
    {"kind": "blur", "value": [0, 0, 1.01, 1]},
    {"kind": "blur", "value": [0, 0, 1]},
    {"kind": "undo", "step": None, "value": None, "undoes": None},
    {"undoes": 3},
    {"by": "../anna"},
    {"by": "audit-verdicts-anna"},
    {"at": "yesterday"},
    {"of": "short"},
    {"number": 0},
    {"step": -1},
    {"kind": "delete"},
    {"more": 1},
]


@pytest.mark.parametrize("changes", GOOD)
def test_every_kind_says_what_it_may(changes: dict[str, Any]) -> None:
    line = {**LINE, **changes}
    edit = msgspec.json.decode(json.dumps(line), type=Edit)
    assert json.loads(msgspec.json.encode(edit)) == line
    assert explain(line, schema_of("edit.v1", Edit, "One line of an edits file")) is None


@pytest.mark.parametrize("changes", BAD)
def test_what_a_kind_cannot_say_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps({**LINE, **changes}), type=Edit)


def test_a_label_has_an_answer_to_its_question() -> None:
    line = {"schema": "audit-label.v1", "about": "pairs", "item": "a", "answer": "copy", "by": "b", "at": LINE["at"],
            "run": "0" * 64, "size": 9, "seed": 0}  # fmt: skip
    assert msgspec.json.decode(json.dumps(line), type=AuditLabel).answer in ANSWERS["pairs"]
    with pytest.raises(msgspec.ValidationError, match="copy, different, unsure"):
        msgspec.json.decode(json.dumps({**line, "answer": "success"}), type=AuditLabel)


def _record() -> Trajectory:
    return make_trajectory(steps=[make_step(0), make_step(1, "write hello"), make_step(2, "click Save")])


def test_what_a_run_gives_a_record_is_not_what_a_reviewer_saw() -> None:
    seen = fingerprint(_record())
    record = _record()
    record.id, record.wordings, record.lineage = "other#2", {"of_a_copy": "x"}, ["run: id was other"]
    record.weight.value = 0.5
    record.steps[0].code = None
    assert fingerprint(record) == seen
    assert fingerprint(decode(encode(record))) == seen
    assert fingerprint(next(iter(records(to_table([record]))))) == seen


@given(st.integers(0, 7))
def test_anything_else_is(which: int) -> None:
    record = _record()
    step = record.steps[1]
    changes = [
        lambda: setattr(record, "instruction", "Something else"),
        lambda: setattr(record, "outcome", Outcome(completed=False)),
        lambda: setattr(record, "final_image", "media/ab/abcd.png"),
        lambda: setattr(step, "image", "media/ab/abcd.png"),
        lambda: setattr(step, "actions", record.steps[0].actions),
        lambda: setattr(step, "correct", False),
        lambda: setattr(step, "thought", "Now I type"),
        lambda: record.steps.pop(),
    ]
    changes[which]()
    assert fingerprint(record) != fingerprint(_record())


def test_an_edited_record_is_the_one_it_was_made_from() -> None:
    record = _record()
    before = fingerprint(record)
    record.instruction = "Another"
    record.lineage = [f"edited: instruction by anna; it was {before}"]
    assert fingerprint(record) == before
