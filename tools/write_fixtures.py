"""Writes `expected/` of fixtures of sources from what is read now: `python tools/write_fixtures.py NAME...`.

A first draft, to be checked by hand against the source's documentation, line by line: a test that says what the code
does says nothing."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from curate.formats import base
from curate.model.trajectory import Trajectory
from tests.sources.test_fixtures import CASES, name_of, plain, read


def write(case: Path) -> None:
    """The files of one case."""
    with tempfile.TemporaryDirectory() as media:
        items = list(read(case, Path(media)))
    records = [item for item in items if isinstance(item, Trajectory)]
    rows: list[dict[str, Any]] = []
    for record in records:
        targets = [step.index for step in record.steps if step.correct is not False and base.target_code(step)]
        rows += list(base.rows(base.format_named("messages"), record, targets, base.FormatOptions()))
    refused = plain(item for item in items if not isinstance(item, Trajectory))
    (case / "expected").mkdir(exist_ok=True)
    for name, content in (("records", plain(records)), ("examples", rows), ("rejected", refused)):
        if content or name != "rejected":
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
            (case / "expected" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    print(f"{case}: {len(records)} records, {len(rows)} examples, {len(refused)} refused")


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for one in CASES:
        if not wanted or name_of(one) in wanted:
            write(one)
