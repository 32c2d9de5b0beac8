"""`curate show`."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.cli._app import run
from curate.model.trajectory import decode, encode
from curate.store.dataset import DatasetWriter
from tests.factories import make_step, make_trajectory

HOSTILE = "Save\x1b]0;owned\x07 \x1b[2J it\r\n\u202eevil"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    with DatasetWriter(tmp_path / "ds") as writer:
        writer.add(make_trajectory("made:1"))
        writer.add(make_trajectory("made:2", instruction=HOSTILE, completed=None))
        steps = [make_step(0, "click Save", correct=False, flags=["off_screen"]), make_step(1, [], action=None)]
        writer.add(make_trajectory("made:3", steps=steps))
    return tmp_path / "ds"


def test_json_is_one_canonical_record_a_line(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(dataset), "--json"]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert len(lines) == 3 and captured.err == ""
    for line in lines:
        assert encode(decode(line)).decode() == line


def test_some_ids(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(dataset), "made:3", "made:1", "--json"]) == 0
    assert [decode(line).id for line in capsys.readouterr().out.splitlines()] == ["made:1", "made:3"]
    assert run(["show", str(dataset), "made:1", "mode:2", "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 1 and "'made:2'" in captured.err


def test_what_a_person_reads(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(dataset)]) == 0
    captured = capsys.readouterr()
    assert "Export the quarterly budget" in captured.out and "pyautogui.press('enter')" in captured.out
    assert "outcome unknown" in captured.out and "[wrong, off_screen]" in captured.out
    assert "(no words)" in captured.out and "(no code)" in captured.out
    assert "Next: curate show" in captured.err


def test_recorded_text_cannot_command_the_terminal(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", str(dataset), "made:2"])
    shown = capsys.readouterr().out
    assert not {c for c in shown if not c.isprintable()} - {"\n"}
    assert r"\x1b]0;owned" in shown


@pytest.mark.parametrize("what", ["missing", "folder", "file.jsonl"])
def test_what_is_no_dataset(tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.jsonl").write_text("{}")
    assert run(["show", str(tmp_path / what)]) == 3
    captured = capsys.readouterr()
    assert captured.out == "" and what in captured.err


def test_pairs_need_a_run(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(dataset), "--pairs"]) == 3
    assert "near-copies" in capsys.readouterr().err
