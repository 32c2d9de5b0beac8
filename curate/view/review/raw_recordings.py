"""The recordings that records were made from, read only: found by the name that outputs give them, which is a hash of
their events, so that it is the same recording or none.

They are looked for where the person says, beside the data, and among the recordings that ship with the package. What a
run took secrets out of is not shown: its recordings still hold them."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from curate.model import data as shipped
from curate.model.edits import EDITED
from curate.model.errors import CurateError, InputError
from curate.model.events import RawRecording
from curate.model.trajectory import Trajectory
from curate.sources import agentnettool, recording
from curate.sources.common.reading import UnreadableError
from curate.sources.recognise import shown_recording
from curate.store.paths import own_file
from curate.view.review.data import ReviewData
from curate.view.review.limits import NEAR_FOLDERS

_OPEN: dict[str, Callable[[Path], RawRecording]] = {
    "recording": recording.open_recording,
    "agentnettool": agentnettool.open_recording,
}
_NAME = re.compile(r"(recording-[0-9a-f]{12})(?: \(\d+\))?")
_HELD = 2


class GoneError(CurateError):
    """A recording that cannot be shown; the message is the sentence that the page shows in its place."""


class OpenedRecording(msgspec.Struct, frozen=True):
    """A recording and the time of its first raw event, from which a record's times count."""

    raw: RawRecording
    zero: float


class Recordings:
    """The recordings of one opened folder. `named`: folders (or recordings) that the person names. `goes_away`: what is
    shown leaves this computer: of a record that a person edited (a blurred region, say) the recording does not."""

    def __init__(self, data: ReviewData, named: Sequence[Path] = (), goes_away: bool = False) -> None:
        self._data, self._named, self._goes_away = data, named, goes_away
        for folder in named:
            if not folder.is_dir():
                raise InputError(f"{folder} is no folder: --recordings names a recording, or a folder of some.")
        self._opened: OrderedDict[str, OpenedRecording] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, record: Trajectory) -> OpenedRecording:
        """The recording of a record. Raises GoneError."""
        opening = _OPEN.get(record.source.name)
        if opening is None:
            raise GoneError("This record was not made from a recording that this program reads: it has no raw events.")
        if self._redacted:
            raise GoneError("Secrets were taken out of this data. Its recordings still hold them: they are not shown.")
        if self._goes_away and any(EDITED.match(line) for line in record.lineage):
            raise GoneError("A person edited this record. Its recording holds what it was before: it is not exported.")
        match = _NAME.fullmatch(record.source.file or "")
        with self._lock:
            path = self._known.get(match[1]) if match else None
            if path is None or match is None:
                raise GoneError(_not_found(bool(self._named)))
            if match[1] not in self._opened:
                self._opened[match[1]] = _open(opening, path)
            self._opened.move_to_end(match[1])
            while len(self._opened) > _HELD:
                self._opened.popitem(last=False)
            return self._opened[match[1]]

    @cached_property
    def _redacted(self) -> bool:
        if self._data.kind != "run":
            return False
        recipe: Any = self._data.run.read_run().get("recipe")
        return isinstance(recipe, dict) and "redact" in (recipe.get("order") or ())

    @cached_property
    def _known(self) -> dict[str, Path]:
        """Recordings by name. The first of one name stands: they are equal."""
        found: dict[str, Path] = {}
        for folder in islice(self._folders(), NEAR_FOLDERS):
            if own_file(folder, "events.jsonl") is not None:
                found.setdefault(shown_recording(folder), folder)
        return found

    def _folders(self) -> Iterator[Path]:
        for named in self._named:
            yield from _below(named, 4)
        yield from _below(shipped.folder("dump"), 1)
        yield from _below(self._data.root.resolve().parent, 2)


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """A folder and those in it, so many levels down; links are not followed."""
    yield folder
    if depth:
        try:
            inside = sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink())
        except OSError:
            return
        for child in inside:
            if not child.name.startswith("."):
                yield from _below(child, depth - 1)


def _not_found(named: bool) -> str:
    where = "in the folders that were named" if named else "beside the data"
    return f"The recording of this record was not found {where}: name where it is with --recordings FOLDER."


def _open(opening: Callable[[Path], RawRecording], path: Path) -> OpenedRecording:
    try:
        raw = opening(path)
        first = next(iter(raw.events()), None)
    except (UnreadableError, InputError, OSError) as error:
        raise GoneError(f"The recording of this record cannot be read: {_why(error)}") from error
    if first is None:
        raise GoneError("The recording of this record holds no event.")
    return OpenedRecording(raw, first.time)


def _why(error: Exception) -> str:
    return (error.strerror or type(error).__name__) + "." if isinstance(error, OSError) else str(error)
