"""`curate recover`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.store.recording import read_info
from recorders.lock import FolderLock
from tests.recorders.interrupted import killed_recording

DUMP = Path(__file__).resolve().parents[2] / "curate" / "_data" / "dump"


def test_all_of_a_folder_and_a_second_time_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    killed = killed_recording(tmp_path / "in" / "deep" / "one", frames=5, events=9)
    shutil.copytree(DUMP / "calculator-tip", tmp_path / "in" / "two")
    assert run(["recover", str(tmp_path / "in")]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        f"{killed}: made whole",
        f"{tmp_path / 'in' / 'two'}: ended as it should, left as it is",
    ]
    assert "The recorder was interrupted" in said.err
    assert "curate run" in said.err.splitlines()[-1]
    assert read_info(killed).recovered
    assert run(["recover", "--json", str(tmp_path / "in")]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["changed"] for row in rows] == [False, False]
    assert rows[0]["counts"]["events"] == 10


def test_one_that_cannot_be_recovered_keeps_none_of_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    living = killed_recording(tmp_path / "a", frames=3, events=3)
    killed_recording(tmp_path / "b", frames=3, events=3)
    lock = FolderLock(living)
    assert run(["recover", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [f"{tmp_path / 'b'}: made whole"]
    assert said.err.count("Error: ") == 1 and "still being written" in said.err
    lock.release()


def test_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recover", str(tmp_path)]) == 3
    assert run(["recover", str(tmp_path / "nothing")]) == 3
    assert "not there" in capsys.readouterr().err
