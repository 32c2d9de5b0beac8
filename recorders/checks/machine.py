"""Checks of the machine: system, session, packages, disk, the Hub. None needs a display."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
from pathlib import Path

from recorders.backends import platform_here
from recorders.checks.base import Finding, missing, ok, warning
from recorders.x11 import no_session

MB_PER_MINUTE = 12
"""What a recording takes at most, averaged over ordinary work at 1080p."""
LITTLE_MINUTES, NO_MINUTES = 60, 5
PACKAGES = ("av", "mss", "msgspec", "numpy", "pyautogui", "xcffib" if sys.platform == "linux" else "pynput")


def system() -> Finding:
    """Whether there is a recorder for this system."""
    platform_here()
    return ok(f"{_system_name()}, {os.cpu_count()} cores")


def _system_name() -> str:
    if sys.platform == "linux":
        try:
            return f"{platform.freedesktop_os_release()['PRETTY_NAME']}"
        except (OSError, KeyError):
            return f"Linux {platform.release()}"
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}"
    return f"{platform.system()} {platform.release()}"


def python() -> Finding:
    """Python and the packages that the recorder is made of."""
    versions, absent = [], []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            absent.append(name)
    if absent:
        return missing(f"Not installed: {', '.join(absent)}.", f"pip install {' '.join(absent)}")
    return ok(f"Python {platform.python_version()}: {', '.join(versions)}")


def session() -> Finding:
    """The kind of graphical session."""
    if sys.platform in ("win32", "darwin"):
        return ok("a desktop session")
    absent = no_session()
    if absent is not None:
        return missing(*absent)
    return ok(f"X11, display {os.environ['DISPLAY']}")


def disk() -> Finding:
    """Room for recordings, in minutes, where `curate record` puts them if nothing else is said."""
    place = Path("recordings") if Path("recordings").is_dir() else Path.cwd()
    free = shutil.disk_usage(place).free // 1_000_000
    minutes = free // MB_PER_MINUTE
    said = (
        f"{_amount(free)} free in {place.resolve()}: {_duration(minutes)} of recording at {MB_PER_MINUTE} MB a minute"
    )
    if not os.access(place, os.W_OK):
        return warning(f"{place.resolve()} cannot be written to.", "Name another folder: curate record --out FOLDER.")
    do = "Make room, or record to another disk with --out."
    if minutes < NO_MINUTES:
        return missing(said, do)
    return warning(said, do) if minutes < LITTLE_MINUTES else ok(said)


def _amount(megabytes: int) -> str:
    return f"{megabytes / 1000:.1f} GB" if megabytes >= 1000 else f"{megabytes} MB"


def _duration(minutes: int) -> str:
    return f"{minutes // 60} hours" if minutes >= 120 else f"{minutes} minutes"


def hub() -> Finding:
    """Whether datasets can be published. The token is not read, only looked for; nothing goes over the network."""
    try:
        version = importlib.metadata.version("huggingface_hub")
    except importlib.metadata.PackageNotFoundError:
        return warning("huggingface_hub is not installed: nothing can be published.", "pip install huggingface_hub")
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    file = Path(os.environ.get("HF_TOKEN_PATH") or home / "token")
    if os.environ.get("HF_TOKEN") or file.is_file():
        return ok(f"huggingface_hub {version}, a token is there (it was not read, nothing was sent)")
    return warning(
        f"huggingface_hub {version}, no token: recording works, publishing does not.",
        "Log in when you want to publish: hf auth login",
    )
