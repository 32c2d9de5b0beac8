"""Names of this computer: its own, its user's, the folders that this run lies in. What of them stands in what is
published was written by a program, or shown to a recorder; either way it says who made the data, and where."""

from __future__ import annotations

import contextlib
import getpass
import re
from collections.abc import Iterator
from pathlib import Path

from curate.publish.gate.found import Found, GateRow
from curate.publish.statements import count as counted

CODE = "paths.machine"
_ANYBODY = {
    "root", "user", "admin", "administrator", "home", "test", "guest", "ubuntu", "debian", "runner", "docker",
    "vagrant", "localhost", "desktop", "laptop", "linux", "windows", "macbook", "work", "data",
    "main", "curate", "python",
}  # fmt: skip
"""Names that say nothing of anybody."""
_SHORTEST = 4  # letters of a name that is looked for: shorter ones stand in words
_GENERIC = {"home", "users", "tmp", "var", "private", "mnt", "media", "volumes", "root", "work", "data", "opt", "srv"}


class Machine:
    """What is looked for, and what of it is found. `names` whole words in any case, `folders` as they are."""

    def __init__(self, found: Found, run: Path) -> None:
        self._found = found
        self.names = sorted({name for name in _names() if len(name) >= _SHORTEST and name.lower() not in _ANYBODY})
        self.folders = sorted(set(_folders(run)), key=len, reverse=True)
        words = [rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in self.names]
        places = [re.escape(form) for folder in self.folders for form in _forms(folder)]
        self._wanted = re.compile("|".join([*places, *words]) or r"(?!)", re.IGNORECASE)
        self._bytes = re.compile(self._wanted.pattern.encode(), re.IGNORECASE)
        self._places = [form.encode() for folder in self.folders for form in _forms(folder)]

    def look(self, id: str | None, step: int | None, where: str, text: str, file: str | None = None) -> None:
        """A text: every name in it once."""
        for name in dict.fromkeys(match[0] for match in self._wanted.finditer(text)):
            self._found.add(CODE, GateRow(id=id, step=step, file=file, what=f"{_shown(name)} in {where}"))

    def names_in(self, data: bytes) -> list[tuple[int, str]]:
        """Where names end in UTF-8 text: bytes from its beginning, and what is shown of each."""
        return [(match.end(), _shown(match[0].decode("utf-8", "replace"))) for match in self._bytes.finditer(data)]

    def places_in(self, data: bytes) -> str | None:
        """What is shown of a folder that stands in any bytes. Names are too short to be looked for in pixels."""
        return next((_shown(place.decode()) for place in self._places if place in data), None)

    def finish(self) -> None:
        """What it comes to."""
        count = self._found.count(CODE)
        self._found.say(CODE, f"Names of this computer, its user or its folders stand in {counted(count, 'place')}.")


def _names() -> Iterator[str]:
    with contextlib.suppress(OSError, KeyError, ImportError):
        yield getpass.getuser()
    import socket

    host = socket.gethostname()
    yield host
    yield host.split(".", 1)[0]
    yield Path.home().name


def _folders(run: Path) -> Iterator[str]:
    """The home folder, and the folders around the run and of this process; not those that every machine has."""
    for start in (Path.home(), run.resolve().parent, Path.cwd()):
        parts = [part for part in start.parts if part != start.anchor]
        if len(parts) >= 2 or (parts and parts[0].lower() not in _GENERIC):
            yield str(start)


def _forms(folder: str) -> list[str]:
    """A path as texts write it: as it is, with its backslashes doubled, as an address."""
    return list(dict.fromkeys([folder, folder.replace("\\", "\\\\"), folder.replace("\\", "/")]))


def _shown(name: str) -> str:
    """A name of which not everything is said: this is printed, and may be pasted somewhere."""
    return name if len(name) < 3 else f"{name[:2]}…{name[-1]} ({len(name)} characters)"
