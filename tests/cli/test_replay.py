"""`curate replay`, as far as it goes without a desktop (on one: tests/replay)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.model.actions import Click, Swipe, Write
from tests.factories import make_step, make_trajectory, write_records

HOSTILE = "ls\x1b]0;owned\x07\u202e"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    steps = [make_step(0, Click(0.25, 0.5)), make_step(1, Write(HOSTILE)), make_step(2, Swipe(0.1, 0.1, 0.2, 0.2))]
    return write_records(tmp_path / "r.jsonl", [make_trajectory("r", steps=steps, instruction=HOSTILE)])


@pytest.fixture(autouse=True)
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_a_dry_run_prints_the_actions_and_nothing_of_a_text_acts_on_the_terminal(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(records), "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert "pyautogui.click(x=0.25, y=0.5)" in printed
    assert "mobile.swipe" in printed
    assert all(character.isprintable() or character == "\n" for character in printed)
    assert run(["replay", str(records), "--dry-run", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["step"] for line in lines] == [0, 1, 2]
    assert lines[1]["actions"] == [{"type": "write", "text": HOSTILE}]


def test_without_a_terminal_it_needs_a_yes(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(records)]) == 2
    assert "--yes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "DISPLAY is not set"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland"),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "Wayland"),
        ({"DISPLAY": ":9999"}, "PyAutoGUI cannot act on the display :9999"),
    ],
)
def test_where_nothing_can_be_performed_one_sentence_says_so(
    records: Path,
    variables: dict[str, str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XAUTHORITY", str(tmp_path / "none"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run(["replay", str(records), "--yes"]) == 1
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in error
    assert "Traceback" not in error


def test_wrong_numbers_are_usage_errors(records: Path) -> None:
    assert run(["replay", str(records), "--speed", "0"]) == 2
    assert run(["replay", str(records), "--pause", "-1"]) == 2
    assert run(["replay", str(records / "absent")]) == 3
