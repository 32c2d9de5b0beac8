"""A Python that can show windows: the one that runs the tests, or the system's (Debian keeps tkinter apart)."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys

import pytest


@functools.cache
def _found() -> str | None:
    for python in dict.fromkeys((sys.executable, shutil.which("python3"), "/usr/bin/python3")):
        if python and shutil.which(python):
            asked = subprocess.run([python, "-c", "import tkinter"], capture_output=True, check=False)
            if asked.returncode == 0:
                return python
    return None


def tk_python() -> str:
    """Its path. The test is skipped, with a sentence, where there is none."""
    python = _found()
    if python is None:
        pytest.skip("no window of a test program could be shown: no Python with tkinter (Debian: python3-tk)")
    return python
