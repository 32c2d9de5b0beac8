"""What must be so before PyAutoGUI is imported on X11, for this process only: no file of the user's is changed.

Its Xlib dies where there is no ~/.Xauthority, and does not know entries for any host (family "wild", which login
managers write). Its mouseinfo ends the whole program where Python lacks tkinter.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import platform
import struct
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

_WILD, _LOCAL = 65535, 256


def prepare() -> None:
    """Mend the process's environment for PyAutoGUI."""
    _readable_authority()
    if importlib.util.find_spec("tkinter") is None or importlib.util.find_spec("_tkinter") is None:
        stub = types.ModuleType("mouseinfo")
        stub.MouseInfoWindow = None  # type: ignore[attr-defined]
        sys.modules.setdefault("mouseinfo", stub)


def _readable_authority() -> None:
    """Point XAUTHORITY at a copy that Xlib can read, where it cannot read what is there."""
    given = os.environ.get("XAUTHORITY")
    path = Path(given) if given else Path.home() / ".Xauthority"
    raw: bytes | None = None
    with contextlib.suppress(OSError):
        raw = path.read_bytes()
    mended = mended_authority(raw or b"", platform.node().encode())
    if mended == raw:
        return
    handle, copy = tempfile.mkstemp(prefix="xauthority-")  # private to the user
    with os.fdopen(handle, "wb") as file:
        file.write(mended)
    atexit.register(_remove, copy)
    os.environ["XAUTHORITY"] = copy


def _remove(copy: str) -> None:
    with contextlib.suppress(OSError):
        Path(copy).unlink()


def mended_authority(raw: bytes, host: bytes) -> bytes:
    """An authority file's bytes with entries for any host made entries for this one. What cannot be read as one ends
    the copy."""
    mended = b""
    for family, parts in _entries(raw):
        if family == _WILD:
            family, parts = _LOCAL, [host, *parts[1:]]
        mended += struct.pack(">H", family) + b"".join(struct.pack(">H", len(part)) + part for part in parts)
    return mended


def _entries(raw: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Family, then address, number, name and data of each entry."""
    at = 0
    while at + 2 <= len(raw):
        (family,) = struct.unpack_from(">H", raw, at)
        at += 2
        parts = []
        for _ in range(4):
            if at + 2 > len(raw):
                return
            (length,) = struct.unpack_from(">H", raw, at)
            parts.append(raw[at + 2 : at + 2 + length])
            at += 2 + length
        yield family, parts
