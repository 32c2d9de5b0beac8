"""Where this program keeps what it can make again: mirrors of remote inputs, run folders on their way to a store."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """`CURATE_CACHE`, or the system's place for caches."""
    given = os.environ.get("CURATE_CACHE")
    if given:
        return Path(given).absolute()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "cua-curate"
