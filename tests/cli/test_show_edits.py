"""`curate show --edits`: what was decided, on what reviewers disagree, and what a run left out."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from curate.cli._app import app
from curate.store.edits import edits_folder
from tests.engine.editing.test_edited_runs import made, write
from tests.engine.editing.test_in_force import edit, undo
from tests.factories import make_trajectory
from tests.runs import run_here
from tests.view.review.conftest import make_dataset


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


def test_ids_without_an_edit_are_not_called_a_folder_without_edits(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "data", [make_trajectory("a"), make_trajectory("b")])
    write(edits_folder(data) / "anna.jsonl", [edit(1, "outcome", None, True)])
    found = CliRunner().invoke(app, ["show", str(data), "--edits", "b", "x\u202ey"])
    assert found.exit_code == 0, found.output
    assert "No edit is about these: b, x\\u202ey." in found.stderr


def test_a_run_says_which_line_of_edits_was_cut_short(tmp_path: Path) -> None:
    """A file that is copied while it is written, or of a reviewer whose computer stopped."""
    data, out = made(tmp_path / "in", "ab"), tmp_path / "out"
    file = write(tmp_path / "ben.jsonl", [edit(1, "outcome", None, False, "ben"), edit(2, "cut", 1, None, "ben", "b")])
    file.write_bytes(file.read_bytes()[:-9])
    sets = ["--set", "nearcopies.evidence=actions", "--edits", str(file), "--out", str(out)]
    found = CliRunner().invoke(app, ["run", str(data), "--recipe", "web", *sets])
    assert found.exit_code == 0, found.output
    assert f"{file}: line 2 was cut short when it was written, and is passed over." in found.stderr
    assert "Edits: 1 of 1 in force were applied." in found.stderr
