"""The clipboard on a real X server: what programs copy is told once, in order, with its text."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import Any

import pytest

from curate.store.recording import ClipboardRow
from recorders.clipboard_watch import MAX_TEXT, X11ClipboardWatch, kept

pytestmark = pytest.mark.timeout(60)


def test_what_is_copied_is_told_with_its_text(display: str, program: Any) -> None:
    if not shutil.which("xclip"):
        pytest.skip("xclip is not installed")
    rows: list[Any] = []
    watched = X11ClipboardWatch()
    watched.start(rows.append)
    for n, text in enumerate(("first", "zweiter: ñé日€😀", "x" * (MAX_TEXT + 1))):
        subprocess.run(["xclip", "-selection", "clipboard"], input=text.encode(), check=True, timeout=20)
        end = time.monotonic() + 20
        while len(rows) <= n and time.monotonic() < end:
            time.sleep(0.02)
    subprocess.run(["xclip", "-selection", "primary"], input=b"only selected", check=True, timeout=20)
    time.sleep(0.3)
    watched.stop()
    assert all(isinstance(row, ClipboardRow) for row in rows)
    assert [row.text for row in rows] == ["first", "zweiter: ñé日€😀", None]


def test_a_text_that_is_too_long_is_none() -> None:
    assert kept("x" * MAX_TEXT) == "x" * MAX_TEXT
    assert kept("x" * (MAX_TEXT + 1)) is None
    assert kept(None) is None
