"""Which programs' password fields cannot be told is known before a recording, and can be changed in time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recorders.a11y.beforehand import NothingToldError, silent_programs, switched_on
from recorders.checks.helpers import accessibility
from tests.recorders.a11y_session import accessible_desktop, needs_accessibility, wait_until

pytestmark = pytest.mark.timeout(240)
PAGE = "<!doctype html><title>Sign in</title><label>Secret <input type=password autofocus></label>"


def enabled() -> bool:
    said = subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
         "org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return "true" in said


@needs_accessibility("Xvfb", "openbox", "xdotool", "xprop", "chromium", "xterm")
def test_a_browser_that_was_open_before_is_named_and_one_started_since_is_not(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    with accessible_desktop(tmp_path, enabled=False) as desk:
        before = desk.chromium(tmp_path / "page.html")
        desk.program("xterm", "-title", "shell", "-e", "cat")
        desk.wait_window("Sign in")
        terminal = int(desk.run("xdotool", "search", "--sync", "--onlyvisible", "--name", "^shell$").split()[-1])
        assert not enabled()
        with switched_on() as beforehand:
            assert enabled()
            assert beforehand.silent() == ["chromium", "xterm"]
            assert beforehand.silent([terminal]) == ["chromium"], "nobody types a password into the recorder's own"
            found = accessibility()
            assert found.state == "warning" and "chromium, xterm" in found.said and "assword" in found.said
            before.terminate()
            before.wait(20)
            desk.chromium(tmp_path / "page.html")
            desk.wait_window("Sign in")
            wait_until(lambda: beforehand.silent([terminal]) == [], "a tree from the browser that was started since")
        assert not enabled(), "as it was"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="AT-SPI is Linux's")
def test_without_a_bus_it_is_said_that_nothing_can_be_told(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    with switched_on() as beforehand, pytest.raises(NothingToldError, match="no accessibility bus"):
        beforehand.silent()
    with pytest.raises(NothingToldError):
        silent_programs()
    assert "assword" in accessibility().said
