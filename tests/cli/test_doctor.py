"""`curate doctor`."""

from __future__ import annotations

import json

import pytest

from curate.cli._app import run
from curate.cli._findings import show_findings


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 1
    said = capsys.readouterr()
    assert "\x1b" not in said.out, "colours are for terminals"
    assert "Traceback" not in said.out + said.err
    lines = said.out.splitlines()
    assert lines[0] == "This machine"
    assert lines[-1].startswith("Nothing can be recorded here yet")
    (number,) = (n for n, line in enumerate(lines) if line.startswith("Not tested by anybody: "))
    checked = lines[:number]
    assert "Publishing" in checked and "Hub" not in lines[-1], "publishing is no concern of recording"
    states = [line[2:11].strip() for line in checked if line.startswith("  ") and line[2] != " " and line[2] != "-"]
    assert set(states) <= {"ok", "warning", "missing"}
    assert "missing" in states


def test_for_machines_and_without_secrets(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_not_to_be_seen")
    assert run(["doctor", "--json"]) == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["works"] is False
    assert {"group", "name", "state", "said", "do"} == set(found["findings"][0])
    assert "a token is there" in said.out
    assert "hf_not_to_be_seen" not in said.out + said.err


def test_what_others_named_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    class _Named:
        group, name, state, do = "Screen", "windows", "ok", "rename \x1b]0;title\x07 it"
        said = "The window manager is \x1b[2Jnice\u202e."

    assert list(show_findings([_Named()]))
    shown = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert "\\x1b[2Jnice\\u202e" in shown
