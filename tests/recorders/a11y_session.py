"""A desktop with accessibility for tests: Xvfb, a window manager, a private D-Bus session with AT-SPI, a home of its
own, and programs on it. Nothing of the machine's own session is touched, and nothing outlives the block.

    with accessible_desktop(tmp_path) as desk:
        desk.program("mousepad", str(file))
        desk.chromium(page)                      # a local page; waits until its window is there
        desk.wait_window("Form")                 # until a window of that title is in front
        desk.run("xdotool", "key", "Tab")

`needs_accessibility` skips a test where a program is missing. Environment variables hold inside the block, so that
recorders and readers started in it find the display and the bus."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.store.accessibility import AnyAccessibilityRow
from tests.recorders.conftest import x_server

LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
PATIENCE_S = 40.0  # until a program shows what it should, on a slow machine
CHROMIUM = (
    "chromium", "--no-first-run", "--no-default-browser-check", "--no-sandbox", "--disable-gpu",
    "--disable-background-networking", "--disable-component-update", "--password-store=basic", "--start-maximized",
)  # fmt: skip


def missing(*programs: str) -> list[str]:
    """What must be installed for a desktop with accessibility, and is not."""
    absent = [name for name in ("dbus-daemon", *programs) if not shutil.which(name)]
    return absent if LAUNCHER.exists() else [*absent, "at-spi2-core"]


def needs_accessibility(*programs: str) -> pytest.MarkDecorator:
    """Skips where something is missing."""
    return pytest.mark.skipif(bool(missing(*programs)), reason=f"not installed: {', '.join(missing(*programs))}")


class Desk:
    """Programs on the display; all are ended with the block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: list[subprocess.Popen[bytes]] = []

    def program(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._running.append(subprocess.Popen(command, start_new_session=True, **quiet))  # type: ignore[call-overload]
        return self._running[-1]

    def chromium(self, page: Path, *more: str) -> subprocess.Popen[bytes]:
        """Chromium on a local page, as a person starts it: without a flag for accessibility."""
        profile = self.folder / f"chromium-{len(self._running)}"
        return self.program(*CHROMIUM, f"--user-data-dir={profile}", *more, page.as_uri())

    def run(self, *command: str) -> str:
        """Run a small tool to its end."""
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout

    def wait_window(self, title: str) -> None:
        """Until a window whose title holds this is in front; it is put there if need be."""

        def there() -> bool:
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--name", title], capture_output=True, text=True, check=False
            ).stdout.split()
            if not found:
                return False
            subprocess.run(["xdotool", "windowactivate", found[-1]], capture_output=True, check=False)
            active = subprocess.run(
                ["xdotool", "getactivewindow", "getwindowname"], capture_output=True, text=True, check=False
            )
            return title in active.stdout

        wait_until(there, f"a window {title!r}")

    def end(self) -> None:
        """End all programs."""
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 15)
        for process in self._running:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()


def wait_until(condition: Callable[[], bool], what: str, patience: float = PATIENCE_S) -> None:
    """Until something is so; fails with its name."""
    until = time.monotonic() + patience
    while not condition():
        if time.monotonic() > until:
            pytest.fail(f"after {patience:.0f} s there was not yet: {what}")
        time.sleep(0.05)


def rows_of(file: Path, kind: Any = AnyAccessibilityRow) -> list[Any]:
    """The whole rows of this kind in a file that may still be written."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    rows = [
        msgspec.json.decode(line, type=AnyAccessibilityRow) for line in lines if line.strip() and line.endswith(b"\n")
    ]
    return [row for row in rows if isinstance(row, kind)]


@contextlib.contextmanager
def accessible_desktop(folder: Path, enabled: bool = True) -> Iterator[Desk]:
    """See the module. `enabled`: accessibility is on before any program starts, as on a desktop where it is used."""
    home = folder / "home"
    for name in (".config", ".cache", "run"):
        (home / name).mkdir(parents=True, exist_ok=True)
    (home / "run").chmod(0o700)
    with x_server(folder), pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
        patch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
        patch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
        patch.setenv("GSETTINGS_BACKEND", "memory")  # what is switched on here stays here
        for name in ("AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "GTK_MODULES"):
            patch.delenv(name, raising=False)
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert bus.stdout is not None
        patch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
        launcher = subprocess.Popen([str(LAUNCHER), "--launch-immediately"], stderr=subprocess.DEVNULL)
        desk = Desk(folder)
        try:
            _wait_for_bus(desk, enabled)
            yield desk
        finally:
            desk.end()
            for process in (launcher, bus):
                process.terminate()
                process.wait(10)
            bus.stdout.close()


def _wait_for_bus(desk: Desk, enabled: bool) -> None:
    def answers() -> bool:
        command = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus"]
        return subprocess.run([*command, "org.a11y.Bus.GetAddress"], capture_output=True, check=False).returncode == 0

    wait_until(answers, "an accessibility bus")
    if enabled:
        desk.run(
            "dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
            "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true",
        )  # fmt: skip
