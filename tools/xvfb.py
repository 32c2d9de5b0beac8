"""An X server without a screen, for tests, benchmarks and tools."""

from __future__ import annotations

import os
import subprocess
from typing import Any


def start_xvfb(screen: str, *options: str, **popen: Any) -> tuple[subprocess.Popen[bytes], str]:
    """Start Xvfb with one screen (`800x600x24`: width, height, bits a pixel) on a number that is free, and wait until
    it takes connections: its process, which the caller ends, and its name for DISPLAY. `popen`: where its output goes
    (by default nowhere). Raises RuntimeError where it does not come up."""
    tell, told = os.pipe()
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **popen}
    with os.fdopen(tell) as answer:
        try:
            server: subprocess.Popen[bytes] = subprocess.Popen(
                ["Xvfb", "-displayfd", str(told), "-screen", "0", screen, "-nolisten", "tcp", "-noreset", *options],
                pass_fds=(told,), **settings,
            )  # fmt: skip
        finally:
            os.close(told)
        number = answer.readline().strip()
    if not number:
        raise RuntimeError(f"Xvfb ended with exit code {server.wait()}.")
    return server, f":{number}"
