"""Names of the machine and of who uses it, taken out of recorded text before it is written: host, account, real name,
home folder, machine number, and whatever looks like an account, a hardware address or a home folder.

This is about what the system says (window titles, names of elements, faults). What the person types and what the task
says is the data itself: `curate redact` takes secrets out of that.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from curate.model.privacy import Masker

# Names everybody's machine has say nothing about anybody, and are words too.
_ANYBODYS = {
    "root", "/root", "user", "admin", "administrator", "guest", "home", "localhost", "localdomain", "local", "desktop",
    "laptop", "ubuntu", "debian", "fedora", "workgroup", "mac", "macbook", "pro", "air", "pc", "unknown", "nobody",
}  # fmt: skip
_HIDDEN = "[name]"
_SHORTEST_PART = 3  # letters of a first or family name: shorter ones are found in every text
_NUMBERS = ("/etc/machine-id", "/sys/class/dmi/id/product_serial", "/sys/class/dmi/id/board_serial",
            "/sys/class/dmi/id/product_uuid")  # fmt: skip


def names_here() -> list[str]:
    """This machine's and this user's names, as they may turn up in window titles."""
    import getpass
    import socket

    names = [socket.gethostname(), os.environ.get("COMPUTERNAME", ""), os.environ.get("USERDOMAIN", "")]
    with contextlib.suppress(OSError, KeyError, ImportError):  # there may be no such user, as in some containers
        names.append(getpass.getuser())
    with contextlib.suppress(RuntimeError):  # nor a home folder
        names += [str(Path.home()), Path.home().name]
    names += [os.environ.get(key, "") for key in ("USER", "LOGNAME", "USERNAME")]
    return [*names, *_real_names(), *_machine_numbers()]


def _real_names() -> list[str]:
    """What the system calls the person; the first part of GECOS."""
    with contextlib.suppress(Exception):  # no such user, no such list, no such module
        if os.name == "nt":
            return [_windows_name()]
        import pwd

        return [pwd.getpwuid(os.getuid()).pw_gecos.split(",")[0].strip()]
    return []


def _windows_name() -> str:
    """The display name of who is logged in; untested."""
    import ctypes

    size = ctypes.c_ulong(256)
    text = ctypes.create_unicode_buffer(size.value)
    secur32 = ctypes.windll.secur32  # type: ignore[attr-defined, unused-ignore]
    return text.value if secur32.GetUserNameExW(3, text, ctypes.byref(size)) else ""


def _machine_numbers() -> list[str]:
    found = []
    for path in _NUMBERS:
        with contextlib.suppress(OSError, UnicodeDecodeError):  # mostly for root only
            found.append(Path(path).read_text("ascii").strip())
    return [number for number in found if len(number) > 5]


class Scrub:
    """Replaces whole words that are one of the names, their spellings and parts, and anything that looks like an
    account (`who@where`), a hardware address or a home folder. Names of one letter stay: they would be found
    everywhere. Of no names: nothing is replaced (what is excluded is known by its whole title)."""

    def __init__(self, names: Iterable[str]) -> None:
        names = list(names)
        self._looks = Masker() if names else None
        whole: set[str] = set()
        parts: set[str] = set()
        for name in names:
            whole |= _spellings(name.strip())
            if " " in name.strip() and "/" not in name and "\\" not in name:
                parts |= {part for part in re.split(r"[\s.]+", name) if len(part) >= _SHORTEST_PART}
        self._whole = _words({n for n in whole if len(n) > 1 and n.lower() not in _ANYBODYS}, re.IGNORECASE)
        self._parts = _words({p for p in parts if p.lower() not in _ANYBODYS}, 0)  # `Will` is a name, `will` a word

    def __call__(self, text: str | None) -> str | None:
        if not text:
            return text
        text = self._looks(text) if self._looks else text
        for pattern in (self._whole, self._parts):
            text = pattern.sub(_HIDDEN, text) if pattern else text
        return text


def _spellings(name: str) -> set[str]:
    """A host with and without its domain, and as people write it: `annas-macbook.local` is also `anna's macbook`."""
    found = {name}
    if "/" not in name and "\\" not in name and " " not in name:
        short = name.split(".")[0]
        spaced = re.sub(r"[-_]", " ", short)
        found |= {
            short,
            spaced,
            re.sub(r"(\w)s ", r"\1's ", spaced, count=1),
            re.sub(r"(\w)s ", r"\1’s ", spaced, count=1),
        }
    return found


def _words(names: set[str], flags: int) -> re.Pattern[str] | None:
    if not names:
        return None
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", flags)
