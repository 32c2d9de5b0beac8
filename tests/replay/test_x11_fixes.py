"""Authority files that PyAutoGUI's Xlib can read."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorders.replay import x11_fixes

WILD, LOCAL, INTERNET = 65535, 256, 0


def entry(family: int, *parts: bytes) -> bytes:
    return struct.pack(">H", family) + b"".join(struct.pack(">H", len(part)) + part for part in parts)


COOKIE = (b"0", b"MIT-MAGIC-COOKIE-1", b"\x01" * 16)


def test_entries_for_any_host_become_this_hosts_and_others_stay() -> None:
    raw = entry(WILD, b"", *COOKIE) + entry(INTERNET, b"\x7f\0\0\1", *COOKIE)
    assert x11_fixes.mended_authority(raw, b"here") == entry(LOCAL, b"here", *COOKIE) + entry(
        INTERNET, b"\x7f\0\0\1", *COOKIE
    )


@given(st.binary(max_size=200))
def test_any_file_gives_a_whole_one(raw: bytes) -> None:
    mended = x11_fixes.mended_authority(raw, b"here")
    assert x11_fixes.mended_authority(mended, b"here") == mended


def test_no_file_of_the_users_is_touched(tmp_path: Path) -> None:
    """In a process of its own, since it changes the environment; Xlib reads what it is pointed at."""
    for name, content in (("absent", None), ("wild", entry(WILD, b"", *COOKIE))):
        home = tmp_path / name
        home.mkdir()
        if content is not None:
            (home / ".Xauthority").write_bytes(content)
        program = (
            "import os; from recorders.replay.x11_fixes import prepare; prepare();"
            "from Xlib.xauth import Xauthority; print(len(Xauthority().entries), os.environ['XAUTHORITY'])"
        )
        environment = {**os.environ, "HOME": str(home)}
        environment.pop("XAUTHORITY", None)
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
        )
        *_, count, path = done.stdout.split()  # Xlib itself warns on stdout where there is no entry
        assert count == ("0" if content is None else "1"), done.stderr
        assert not Path(path).exists(), "the copy goes with the process"
        assert [p.name for p in home.iterdir()] == ([".Xauthority"] if content is not None else [])
        if content is not None:
            assert (home / ".Xauthority").read_bytes() == content


def test_without_tkinter_pyautoguis_mouseinfo_ends_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XAUTHORITY", str(tmp_path / "none"))
    monkeypatch.delitem(sys.modules, "mouseinfo", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    x11_fixes.prepare()
    assert sys.modules.pop("mouseinfo").MouseInfoWindow is None
