"""The start of a recording in a real terminal window: it can be called off, and titles are put back."""

from __future__ import annotations

import io
import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recorders import Options, Session
from recorders.terminal.takes import RecordingPlan, record_tasks
from recorders.terminal.tasks import Task
from recorders.terminal.terminal import Terminal
from tests.recorders.conftest import ROOT, run

if not sys.platform.startswith("linux"):
    pytest.skip("a terminal on X11", allow_module_level=True)

pytestmark = pytest.mark.timeout(120)


def wait_for(condition: Callable[[], Any]) -> Any:
    until = time.monotonic() + 40
    while not (found := condition()):
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.05)
    return found


def test_told_to_end_before_it_began_without_anybody_to_ask_it_ends(display: str, tmp_path: Path) -> None:
    """Ctrl-C while it starts, in a script: it neither records nor begins anew."""
    plan = RecordingPlan(out=tmp_path, tasks=[Task(instruction="Type")], options=Options(accessibility=False))
    started = []

    class Interrupted(Session):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            started.append(self)
            self.interrupt()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("recorders.terminal.takes.Session", Interrupted)
        record_tasks(plan, Terminal(io.StringIO(), io.StringIO()), started.append)
    assert len(started) == 1 and list(tmp_path.iterdir()) == []


def test_the_countdown_is_called_off_by_the_stop_shortcut_and_a_killed_recorders_title_goes(
    display: str, tmp_path: Path, program: Callable[..., Any]
) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    record = shlex.join([sys.executable, "-m", "curate", "record", "--no-a11y", "--task", "Type", "--out", str(out)])
    leave = r"printf '\033[22;0t\033]0;recording: Type\a'"  # as a recorder that was killed does
    shell = f"{leave}; sleep 1; script -qfc {shlex.quote(record)} {shlex.quote(str(log))}; cat"
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "TERM": "xterm"}
    look = ("-geometry", "90x20+20+20", "-title", "my shell", "-xrm", "*allowWindowOps: true")
    program("xterm", *look, "-e", "sh", "-c", shell, env=environment, cwd=ROOT)
    window = run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm").split()[-1]

    def says(words: str, times: int = 1) -> None:
        wait_for(lambda: log.exists() and log.read_text(encoding="utf-8", errors="replace").count(words) >= times)

    run("xdotool", "windowactivate", "--sync", window)
    says("Do you agree?")
    run("xdotool", "type", "yes\n")
    says("q quits: ")
    run("xdotool", "key", "ctrl+alt+Home")
    says("recording begins in 2")
    run("xdotool", "key", "ctrl+alt+End")
    says("Called off: nothing was recorded.")
    says("q quits: ", times=2)
    assert not out.exists() or not list(out.iterdir())
    run("xdotool", "type", "q\n")
    wait_for(lambda: run("xdotool", "getwindowname", window).strip() == "my shell")
