"""A change of several files of one recording, all of it or none: new files are written beside the old ones, then one
mark says that they are complete, then they are moved into place. Killed before the mark, the recording is as it was;
killed after it, the next `finish` does the rest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

from curate.store.atomic import store_error, write_json
from curate.store.paths import PathError, inside
from curate.store.recording import ACCESSIBILITY, EVENTS, FRAMES, INFO, RECOVERED, VIDEO

STAGE = ".tmp-recover"
ASIDE = RECOVERED
FILES = (EVENTS, ACCESSIBILITY, VIDEO, FRAMES, INFO)
"""Files that a change may hold, recording.json last: until it is there, nothing claims to be whole."""
_MARK = "complete.json"


class _Mark(msgspec.Struct, forbid_unknown_fields=True):
    """`aside`: files of the recording that move to `recovered/` as they are."""

    aside: list[str] = []


class Change:
    """New files for a recording's folder. Raises StoreError where they cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stage = folder, folder / STAGE
        _remove(self._stage)
        try:
            (self._stage / ASIDE).mkdir(parents=True)
        except OSError as error:
            raise store_error("write to", folder, error) from error

    def new(self, name: str) -> Path:
        """Where to write the new `name` of the recording."""
        return self._stage / name

    def kept(self, name: str) -> Path:
        """Where to write what was cut off the old `name`."""
        return self._stage / ASIDE / name

    def commit(self, aside: Iterable[str] = ()) -> None:
        """Make the change; `aside`: old files to keep in `recovered/`."""
        try:
            for path in [*self._stage.iterdir(), *(self._stage / ASIDE).iterdir()]:
                if path.is_file():
                    _to_disk(path)
        except OSError as error:
            raise store_error("write to", self._folder, error) from error
        write_json(self._stage / _MARK, _Mark(aside=list(aside)))
        finish(self._folder)

    def give_up(self) -> None:
        """Forget the change; the recording is as it was."""
        _remove(self._stage)


def finish(folder: Path) -> bool:
    """Do the rest of a change that is complete and was interrupted; whether there was one. Raises StoreError."""
    stage = folder / STAGE
    try:
        if stage.is_symlink() or not (stage / _MARK).is_file():
            return False
        mark = msgspec.json.decode((stage / _MARK).read_bytes(), type=_Mark)
        aside = inside(folder, ASIDE)
        moves = [(folder / name, aside / name) for name in mark.aside if name in FILES]
        moves += [(stage / ASIDE / name, aside / name) for name in FILES]
        moves += [(stage / name, folder / name) for name in FILES]
        for source, target in moves:
            if os.path.lexists(source):
                target.parent.mkdir(exist_ok=True)
                source.replace(target)
        _remove(stage)
    except OSError as error:
        raise store_error("write to", folder, error) from error
    except (msgspec.DecodeError, PathError):
        return False  # not of this program's making: forgotten with the next change
    return True


def _to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _remove(stage: Path) -> None:
    if stage.is_symlink():
        stage.unlink(missing_ok=True)
    else:
        shutil.rmtree(stage, ignore_errors=True)
