"""A desktop of its own for recorder tests: Xvfb with a window manager, ended with the tests."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorders.interrupted import killed_recording
from tools.xvfb import start_xvfb

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("Xvfb", "openbox", "xdotool", "xterm", "setxkbmap", "xsetroot")
# Without the menus of the root window: an open one would keep the keyboard from every test that follows.
WINDOW_MANAGER = '<openbox_config xmlns="http://openbox.org/3.4/rc"><keyboard/><mouse/></openbox_config>'


@contextlib.contextmanager
def x_server(folder: Path) -> Iterator[str]:
    """An X server with a window manager; its name, which is also DISPLAY while it runs."""
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        pytest.skip(f"the recorder was not tested on a display: {', '.join(missing)} not installed")
    log, manners = (folder / "log").open("wb"), folder / "rc.xml"
    manners.write_text(WINDOW_MANAGER, encoding="utf-8")
    server, name = start_xvfb("800x600x24", stdout=log, stderr=log)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", name)
        patch.delenv("XDG_SESSION_TYPE", raising=False)
        manager = subprocess.Popen(["openbox", "--config-file", str(manners)], stdout=log, stderr=log)
        time.sleep(0.5)
        try:
            yield name
        finally:  # whatever happened on it
            for process in (manager, server):
                process.terminate()
                process.wait(10)
    log.close()


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One display for all tests that leave it as it was."""
    with x_server(tmp_path_factory.mktemp("display")) as name:
        yield name


@pytest.fixture
def program(display: str, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts a program on the display; ended after the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*command: str, **more: Any) -> subprocess.Popen[bytes]:
        more = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more}
        running.append(subprocess.Popen(command, **more))
        return running[-1]

    yield start
    for process in running:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(*command: str) -> str:
    """Run a small tool to its end."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout


def recorder_process(out: Path, name: str, *more: str) -> subprocess.Popen[str]:
    """A recorder in a process of its own that has said that it records."""
    process = subprocess.Popen(
        [sys.executable, "-m", "recorders", "--task", "try it", "--out", str(out), "--name", name, "--no-a11y", *more],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = process.stderr.readline()
    assert said.startswith("recording"), said
    return process


@pytest.fixture(scope="session")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording whose recorder was killed; tests work on copies (interrupted.copy_of)."""
    return killed_recording(tmp_path_factory.mktemp("killed") / "r")
