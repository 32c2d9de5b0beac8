"""Sequences of raw events and what they are, all by hand: what a person at this keyboard would say was done.

`shared` has 64 more that others wrote (tests/reduce/test_reducer_conformance.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from tests.reduce.person import accounted, lines, reduce_all, script

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "sequences.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_sequence(case: dict[str, Any]) -> None:
    events = script(case["events"])
    steps, stretches = reduce_all(events, **case.get("options", {}))
    assert lines(steps) == case["expected"]
    assert accounted(steps, stretches) == [event.index for event in events]
    if "flags" in case:
        assert sorted({flag for step in steps for flag in step.flags}) == case["flags"]
    if "reasons" in case:
        assert {s.reason for s in stretches} - {"reduce.pointer_motion"} == set(case["reasons"])
    assert all(flag in FLAGS for step in steps for flag in step.flags)
    assert all(stretch.reason in REASONS for stretch in stretches)
    if "steps" in case:
        assert len(steps) == case["steps"]


def test_names_are_told_apart() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES)
