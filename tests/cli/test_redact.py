"""`curate redact` as a person uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.cli._app import run
from curate.store.recording import EVENTS, read_info
from tests.factories import make_trajectory, write_records
from tests.reduce.redaction.desk import Desk

SECRET = "Tr0ub4dor&3"


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        desk = Desk(tmp_path / "in" / name)
        desk.types(SECRET, 40, 100)
        desk.finish(instruction=f"Use {SECRET} in {name}")
    return tmp_path / "in"


def secrets(tmp_path: Path, text: str = SECRET) -> Path:
    path = tmp_path / "secrets.txt"
    path.write_text(text + "\n", "utf-8")
    return path


def test_every_recording_below_the_arguments_is_written_anew(
    recordings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["redact", str(recordings), "--secrets", str(secrets(tmp_path)), "--out", str(out)]) == 0
    printed, said = capsys.readouterr()
    assert printed.splitlines() == [str(out / "one"), str(out / "two")]
    assert "1 typed" in said and f"curate run {out}" in said and SECRET not in printed + said
    assert read_info(out / "one").instruction == "Use [redacted] in one"
    assert SECRET in read_info(recordings / "one").instruction, "what was given stays as it is"
    written = (out / "one" / EVENTS).stat().st_mtime_ns
    assert run(["redact", str(recordings), "--secrets", str(secrets(tmp_path)), "--out", str(out)]) == 0
    assert "is there already, with the same secrets" in capsys.readouterr().err
    assert (out / "one" / EVENTS).stat().st_mtime_ns == written
    others = secrets(tmp_path, SECRET + "\nanother one")
    assert run(["redact", str(recordings), "--secrets", str(others), "--out", str(out)]) == 1
    assert "not from these secrets" in capsys.readouterr().err
    assert SECRET.encode() not in (out / ".redacted.json").read_bytes()


@pytest.mark.parametrize(("text", "said"), [("", "is empty"), ("ab", "fewer than 3")])
def test_a_file_without_secrets_is_refused_first(
    recordings: Path, tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["redact", str(recordings), "--secrets", str(secrets(tmp_path, text)), "--out", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_what_is_left_is_an_error_of_its_own(
    recordings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (recordings / "one" / "dump.bin").write_bytes(b"\0" * 40 + SECRET.encode())
    code = run(["redact", str(recordings / "one"), "--secrets", str(secrets(tmp_path)), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().err
    assert code == 4 and "dump.bin, byte 40" in said and SECRET not in said
    assert not list((tmp_path / "out").iterdir())


def test_other_inputs_are_sent_to_the_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records(tmp_path / "runs.jsonl", [make_trajectory()])
    code = run(
        ["redact", str(tmp_path / "runs.jsonl"), "--secrets", str(secrets(tmp_path)), "--out", str(tmp_path / "o")]
    )
    assert code == 3 and "redact.secrets" in capsys.readouterr().err


def test_a_recording_whose_events_cannot_be_read_says_so(
    recordings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (recordings / "one" / EVENTS).unlink()
    code = run(["redact", str(recordings / "one"), "--secrets", str(secrets(tmp_path)), "--out", str(tmp_path / "o")])
    assert code == 3 and EVENTS in capsys.readouterr().err
