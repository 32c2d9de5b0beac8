"""A desktop of its own for replays: Xvfb, a window manager, programs in an empty home; everything started here is ended
here. Nothing waits for a fixed time: a slow machine only takes longer."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.replay.dump_tools import Box
from tools.xvfb import start_xvfb

SIZE = (1280, 720)
NEEDED = (
    "Xvfb",
    "xdpyinfo",
    "xwininfo",
    "xsetroot",
    "setxkbmap",
    "xdotool",
    "openbox",
    "xterm",
    "mousepad",
    "chromium",
)
LAYOUT = ("us", "-variant", "altgr-intl")
LIMIT_S = 60.0
"""How long anything may take before it has failed."""


def missing() -> list[str]:
    """What must be installed first."""
    return [name for name in NEEDED if not shutil.which(name)]


def wait_for(what: str, told: Callable[[], Any], limit: float = LIMIT_S) -> Any:
    """What `told` returns once it is true. Raises RuntimeError with `what` where it never is."""
    end = time.monotonic() + limit
    while True:
        found = told()
        if found:
            return found
        if time.monotonic() > end:
            raise RuntimeError(f"{what} did not happen within {limit:.0f} s")
        time.sleep(0.05)


class Desk:
    """`with Desk() as desk:`; DISPLAY is its display meanwhile."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._running: list[subprocess.Popen[bytes]] = []
        self.display = ""

    def __enter__(self) -> Desk:
        temporary = tempfile.TemporaryDirectory(prefix="replay-", ignore_cleanup_errors=True)
        folder = Path(self._stack.enter_context(temporary))
        self.home = folder / "home"
        self.home.mkdir()
        self._log = self._stack.enter_context((folder / "log").open("wb"))
        before = {name: os.environ.get(name) for name in ("DISPLAY", "XDG_SESSION_TYPE", "XAUTHORITY")}
        self._stack.callback(_restore, before)
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        self._server, self.display = start_xvfb(size, stdout=self._log, stderr=self._log)
        os.environ["DISPLAY"] = self.display
        os.environ.pop("XDG_SESSION_TYPE", None)
        wait_for("the X server", lambda: self._works("xdpyinfo"))
        self.run("xsetroot", "-solid", "#40576b")
        self.layout()
        self.start(["openbox"])
        wait_for("the window manager", lambda: "window id" in self._says("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._running[::-1], self._server]:
            _end(process)
        self._stack.close()

    def layout(self, *names: str) -> None:
        """Set the keyboard layout; without names the usual one."""
        self.run("setxkbmap", *(names or LAYOUT))

    def start(self, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        """Start a program on this desktop."""
        settings = {"stdout": self._log, "stderr": self._log, "cwd": self.home, "env": self.environment(), **more}
        process: subprocess.Popen[bytes] = subprocess.Popen(list(command), **settings)
        self._running.append(process)
        return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End a program that was started here."""
        _end(process)
        self._running.remove(process)

    def run(self, *command: str) -> str:
        """Run a small tool and return what it says."""
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=self.environment(), timeout=LIMIT_S
        )
        return done.stdout

    def environment(self) -> dict[str, str]:
        """Of programs on this desktop."""
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        return {
            **kept, "DISPLAY": self.display, "HOME": str(self.home), "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1",
            "GTK_THEME": "Adwaita", "PS1": "$ ", "HISTFILE": "", "XDG_RUNTIME_DIR": str(self.home),
        }  # fmt: skip

    def window(self, part: str) -> tuple[str, Box]:
        """The window with this class once it is there, and where its inside is (xdotool counts the frame twice)."""
        name = wait_for(f"a window of {part}", lambda: self._windows(part))[-1]
        said = self.run("xwininfo", "-id", name)
        keys = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        numbers = [re.search(rf"{key}: +(-?\d+)", said) for key in keys]
        return name, Box(*(int(number[1]) for number in numbers if number is not None))

    def place(self, part: str, box: Box) -> Box:
        """Give a window its place and the keyboard."""
        name, _ = self.window(part)
        self.run("xdotool", "windowsize", name, str(box.width), str(box.height))
        self.run("xdotool", "windowmove", name, str(box.x), str(box.y))
        self.run("xdotool", "windowactivate", "--sync", name)
        last: Box | None = None

        def settled() -> bool:
            nonlocal last
            before, last = last, self.window(part)[1]
            return before == last

        wait_for(f"{part} in its place", settled)
        return self.window(part)[1]

    def _windows(self, part: str) -> list[str]:
        return self._says("xdotool", "search", "--onlyvisible", "--class", part).split()

    def _says(self, *command: str) -> str:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.environment(), timeout=LIMIT_S
        )
        return done.stdout

    def _works(self, *command: str) -> bool:
        done = subprocess.run(command, capture_output=True, check=False, env=self.environment(), timeout=LIMIT_S)
        return done.returncode == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _restore(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextlib.contextmanager
def desk() -> Iterator[Desk]:
    """A desk for a `with`."""
    with Desk() as made:
        yield made
