"""`curate show --edits`: what was decided, on what reviewers disagree, and what a run left out."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from curate.cli._app import app
from curate.store.edits import edits_folder
from tests.engine.editing.test_edited_runs import made, write
from tests.engine.editing.test_in_force import edit, undo
from tests.runs import run_here


def said(*arguments: str | Path) -> list[str]:
    found = CliRunner().invoke(app, ["show", *map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found.stdout.splitlines()


def test_disagreements_come_first_and_undone_edits_not_at_all(tmp_path: Path) -> None:
    data, out = made(tmp_path / "in", "ab"), tmp_path / "out"
    file = write(tmp_path / "cem.jsonl", [edit(1, "cut", 7, None, "cem", "b")])
    run_here([data], out, edits=[file])
    assert not [line for line in said(out) if "edit" in line.split()]
    folder = edits_folder(out)
    write(folder / "anna.jsonl", [edit(1, "outcome", None, True), edit(2, "note", None, "odd"), undo(3, 2)])
    write(folder / "ben.jsonl", [edit(1, "outcome", None, False, "ben"), edit(2, "correct", 1, False, "ben", "b")])
    assert said(out, "--edits") == [
        "a: disagreement on outcome: anna says true, ben says false",
        "b step 1: correct false by ben (2026-11-30T10:00:00Z)",
        "b step 7: cut by cem (2026-11-30T10:00:00Z); left out: edits.no_step",
    ]
    rows = [json.loads(line) for line in said(out, "--edits", "--json")]
    assert [row["what"] for row in rows] == ["disagreement", "edit", "left out"]
    assert rows[0]["sides"] == [{"by": "anna", "value": True}, {"by": "ben", "value": False}]
    assert len(said(out, "b", "--edits")) == 2
