"""How every command behaves: exit codes, one sentence an error, stdout for results only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from curate.cli import _app
from curate.cli._app import Commands, app, run
from curate.model.errors import CurateError, GateError, InputError, StoreError, UsageError
from curate.store.dataset import DatasetWriter
from tests.factories import make_trajectory, write_records

CLI = Path(_app.__file__).parent
COMMANDS = [path.stem.replace("_", "-") for path in sorted(CLI.glob("[a-z]*.py"))]


def fails_with(error: BaseException, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(Commands, "get_command", lambda *_: command)
    return run([*arguments, "anything"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_found_documented_and_short(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "-h"]) == 0
    shown = capsys.readouterr().out
    assert f"curate {name}" in shown.split("Options:")[0].split("\n\n", 1)[1], "no example in the help"
    assert "--quiet" in shown
    lines = (CLI / f"{name.replace('-', '_')}.py").read_text(encoding="utf-8").count("\n")
    assert lines < 60, "a command parses, calls one function and prints"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0 and "curate" in capsys.readouterr().out
    assert run(["-h"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [(["shwo"], "'show'"), (["reduc"], "'reduce'"), (["show", "--jsno", "x"], "--json"), (["--versoin"], "--version")],
)
def test_did_you_mean(arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert hint in captured.err and captured.out == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [(CurateError("It broke."), 1), (StoreError("The disk is full."), 1), (UsageError("Wrong."), 2),
     (InputError("Not there."), 3), (GateError("Too many."), 4), (KeyboardInterrupt(), 130), (click.Abort(), 130)],
)  # fmt: skip
def test_exit_codes(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails_with(error, monkeypatch) == code
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("Error: ") and captured.err.count("\n") == 1
    assert "Traceback" not in captured.err


def test_a_fault_of_the_program_shows_its_traceback_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails_with(ValueError("what"), monkeypatch) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert fails_with(ValueError("what"), monkeypatch, "-v") == 1
    assert "Traceback" in capsys.readouterr().err
    assert fails_with(PermissionError(13, "Permission denied", "/x"), monkeypatch) == 1
    assert "Permission denied (/x)" in capsys.readouterr().err


def test_quiet_before_and_after_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        writer.add(make_trajectory())
    for arguments in (["-q", "show", str(tmp_path / "ds")], ["show", "-q", str(tmp_path / "ds")]):
        assert run(arguments) == 0
        captured = capsys.readouterr()
        assert captured.out and captured.err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGPIPE there")
def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        for number in range(2000):
            writer.add(make_trajectory(f"made:{number}"))
    command = f"{sys.executable} -m curate show --json {tmp_path / 'ds'} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


def test_the_group_names_itself() -> None:
    assert app.help and "curate run" in app.help


_OTHER_PIPE = """
import os, sys
from curate.cli import _app, schema
def broken():
    reading, writing = os.pipe()
    os.close(reading)
    os.write(writing, b"x")
schema.all_schemas = broken
sys.exit(_app.run(["schema"]))
"""

_NO_PROCESSES = """
import multiprocessing.spawn, sys
from curate.cli._app import run
multiprocessing.spawn.set_executable("/is/not/there")
sys.exit(run(["run", sys.argv[1], "--recipe", "web", "--out", sys.argv[2], "--workers", "2"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_only_a_reader_of_stdout_that_has_gone_ends_a_command_in_peace() -> None:
    """A pipe that breaks elsewhere is an error like any other: nothing was done."""
    other = subprocess.run([sys.executable, "-c", _OTHER_PIPE], capture_output=True, text=True, check=False)
    assert other.returncode == 1 and "Broken pipe" in other.stderr
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        command = [sys.executable, "-m", "curate", "schema", "trajectory.v1", "-q"]
        done = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="no exec there")
def test_workers_that_cannot_be_started_are_an_error(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_records(tmp_path / f"{name}.jsonl", [make_trajectory(f"made:{name}")])
    command = [sys.executable, "-c", _NO_PROCESSES, str(tmp_path), str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    # Python's own resource tracker, whose process cannot be started either, may add what it thinks of that.
    told = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    # Whether none could be started or one was gone at once is a race; either way fewer workers are what helps.
    assert done.returncode == 1 and len(told) == 1 and "--workers" in told[0], done.stderr
