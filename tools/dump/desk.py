"""A desktop of its own for recording: Xvfb, a session bus with accessibility, a window manager, programs; everything
started here is ended here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from hand import Box

from tools.xvfb import start_xvfb

SIZE = (1280, 720)
NEEDED = ("Xvfb", "xsetroot", "setxkbmap", "xdotool", "openbox", "xterm", "mousepad", "chromium", "dbus-daemon")
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
NOBODY = 65534
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <include>/usr/share/dbus-1/session.conf</include>
  <policy context="mandatory"><allow user="root"/></policy>
</busconfig>
"""
"""Of the session bus: root's recorder may listen to the plain user's programs."""


class Desk:
    """`with Desk() as desk:` starts the display and the bus; both are then in this process's environment, too."""

    def __init__(self) -> None:
        missing = [name for name in NEEDED if not shutil.which(name)]
        missing += [] if LAUNCHER.exists() else ["at-spi2-core"]
        if missing:
            sys.exit(f"Recording the dump needs these programs, which are not installed: {', '.join(missing)}.")
        self.display = self.bus = ""  # as in DISPLAY and DBUS_SESSION_BUS_ADDRESS
        self._running: list[subprocess.Popen[bytes]] = []
        self._temporary = tempfile.TemporaryDirectory(prefix="dump-")
        self.home = Path(self._temporary.name) / "home"
        self.home.mkdir()
        self._log = (Path(self._temporary.name) / "log").open("wb")
        # Programs warn on the screen when root runs them; nobody uses a desktop as root.
        self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self.plain_user = bool(self._as)
        if self._as:
            Path(self._temporary.name).chmod(0o755)
            os.chown(self.home, NOBODY, NOBODY)

    def __enter__(self) -> Desk:
        width, height = SIZE
        server, self.display = start_xvfb(
            f"{width}x{height}x24", "-ac", stdout=self._log, stderr=self._log, cwd=self.home
        )
        self._running.append(server)
        os.environ["DISPLAY"] = self.display
        self.run("xsetroot", "-solid", "#40576b")
        self.run("setxkbmap", "us", "-variant", "altgr-intl")
        self._start_accessibility()
        self.start(["openbox"])
        time.sleep(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._running:
            self.end(self._running[-1])
        self._log.close()
        self._temporary.cleanup()

    def start(self, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        """Start a program on this desktop as a plain user in an empty home."""
        return self._start(command, {**self._as, **more})

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End a program that was started here."""
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._running.remove(process)

    def run(self, *command: str) -> str:
        """Run a small tool and return what it says."""
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=self._environment())
        return done.stdout

    def window(self, part: str, timeout: float = 30) -> Box:
        """Where the window with this class is, once it is there; it is given the keyboard."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--class", part],
                capture_output=True, text=True, check=False, env=self._environment(),
            ).stdout.split()  # fmt: skip
            if found:
                return self._place(found[-1])
            time.sleep(0.1)
        raise RuntimeError(f"No window of class {part} appeared.")

    def put_window(self, part: str, box: Box) -> Box:
        """Move a window and give it a size."""
        self.window(part)
        identity = self.run("xdotool", "search", "--onlyvisible", "--class", part).split()[-1]
        self.run("xdotool", "windowsize", "--sync", identity, str(box.width), str(box.height))
        self.run("xdotool", "windowmove", identity, str(box.x), str(box.y))
        self.run("xdotool", "windowactivate", "--sync", identity)
        time.sleep(0.3)
        return self._place(identity)

    def _place(self, identity: str) -> Box:
        shell = self.run("xdotool", "getwindowgeometry", "--shell", identity)
        values = dict(line.split("=", 1) for line in shell.split())
        return Box(*(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")))

    def _start(self, command: Sequence[str], more: dict[str, Any]) -> subprocess.Popen[bytes]:
        arguments = {"stdout": self._log, "stderr": self._log, "cwd": self.home, "env": self._environment(), **more}
        process: subprocess.Popen[bytes] = subprocess.Popen(list(command), **arguments)
        self._running.append(process)
        return process

    def _start_accessibility(self) -> None:
        """A session bus and AT-SPI, switched on before any program starts, as on a desktop where it is used."""
        rules = Path(self._temporary.name) / "bus.conf"
        rules.write_text(BUS, encoding="utf-8")
        bus = self.start(
            ["dbus-daemon", f"--config-file={rules}", "--nofork", "--nopidfile", "--print-address"],
            stdout=subprocess.PIPE,
        )
        assert bus.stdout is not None
        with bus.stdout:
            self.bus = os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        self.start([str(LAUNCHER), "--launch-immediately"])
        ask = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus"]
        self._wait_for([*ask, "org.a11y.Bus.GetAddress"])
        switch = ["string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true"]
        self.run(*ask, "org.freedesktop.DBus.Properties.Set", *switch)

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return {
            **kept, "DISPLAY": self.display, "HOME": str(self.home), "LC_ALL": "C.UTF-8",
            "GTK_THEME": "Adwaita", "PS1": "$ ", "HISTFILE": "", "XDG_RUNTIME_DIR": str(self.home),
            "DBUS_SESSION_BUS_ADDRESS": self.bus, "GSETTINGS_BACKEND": "memory",
        }  # fmt: skip

    def _wait_for(self, command: Sequence[str], timeout: float = 15) -> None:
        end = time.monotonic() + timeout
        while subprocess.run(command, capture_output=True, check=False, env=self._environment()).returncode:
            if time.monotonic() > end:
                raise RuntimeError(f"{command[0]} did not succeed within {timeout} s.")
            time.sleep(0.1)
