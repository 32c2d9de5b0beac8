"""`curate record`'s words: what is wrong is said before anything is asked or recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.cli._app import run

TASK = ["record", "--task", "Rename the report"]


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["record"], 2, "--task"),
        ([*TASK, "--tasks", "list.txt"], 2, "Give one of them"),
        (["record", "--task", "  "], 2, "--task is empty"),
        ([*TASK, "--keys", "stop=q"], 2, "joined by +"),
        ([*TASK, "--exclude", "title:("], 2, "regular expression"),
        ([*TASK, "--exclude", "monitor:first"], 2, "names no monitor"),
        ([*TASK, "--reason", "because"], 2, "--outcome"),
        ([*TASK, "--outcome", "great"], 2, "done"),
        ([*TASK, "--seconds", "nan"], 2, "--seconds"),
        ([*TASK, "--seconds", "0"], 2, "--seconds"),
        ([*TASK, "--fps", "0"], 2, "--fps"),
        ([*TASK, "--consent", "missing.txt"], 3, "missing.txt"),
        (["record", "--tasks", "missing.jsonl"], 3, "missing.jsonl"),
        (TASK, 1, "DISPLAY is not set"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == "" and said in captured.err and "Traceback" not in captured.err
    assert not Path("recordings").exists()


def test_bad_lines_of_a_list_are_told_with_their_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.jsonl").write_text('{"instruction": "One"}\n{"task": "Two"}\nThree\n', encoding="utf-8")
    assert run(["record", "--tasks", "list.jsonl"]) == 1, "there is no desktop"
    said = capsys.readouterr().err
    assert "list.jsonl, line 2: `instruction` is missing" in said and "list.jsonl, line 3: not JSON" in said
    (tmp_path / "list.jsonl").write_text('{"task": "Two"}\n', encoding="utf-8")
    assert run(["record", "--tasks", "list.jsonl"]) == 3


def test_on_wayland_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    assert run(TASK) == 1
    assert "X11 session" in capsys.readouterr().err
