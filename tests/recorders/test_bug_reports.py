"""docs/bug_reports.md: all of the reports are there, and every test it names exists."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("| \n").split(" | ")]
    for line in (ROOT / "docs" / "bug_reports.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)(?:\[([^\]]+)\])?`")


def test_all_are_there_once_with_a_proof_or_a_reason() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 44))
    for row in ROWS:
        assert len(row) == 4, row
        assert TEST.search(row[3]) or "not tested here: " in row[3], row[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_test_that_is_named_exists(row: list[str]) -> None:
    assert row[3].count("`tests/") == len(TEST.findall(row[3])), "a test is not named as FILE::TEST"
    for file, name, case in TEST.findall(row[3]):
        path = ROOT / file
        assert path.is_file(), f"{file} is not there"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{name}"
        if case:
            sequences = (ROOT / "tests" / "reduce" / "sequences.jsonl").read_text(encoding="utf-8").splitlines()
            assert case in {json.loads(line)["name"] for line in sequences}, case
