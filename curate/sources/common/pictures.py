"""Pictures and other files that records name, brought into the dataset's own media.

A name in a record is relative to the file the record stands in; a file that is not there may be in a zip archive
beside it (`sources.common.archives`). A name that is absolute or leads out of that folder refuses the whole record:
whoever wrote it wanted something else. A picture that is not there becomes null, its step is flagged
`picture_missing`. When none of a record's pictures is there a run refuses the record, since the folder was most likely
copied without them and a record of words alone would be trained on as if it had never had any; an import reads it
(`import.pictures`). A damaged picture is as good as none and flagged `picture_damaged` too: one that does not serve in
its archive, and a file that is no whole picture by its first and last bytes and its checksums (cut short, empty, a page
of an error in its place). What only decoding shows, the stage `images` finds.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.model.constants import WHOLE_FILE_BYTES
from curate.model.errors import StoreError
from curate.model.trajectory import Trajectory
from curate.sources.base import ReadContext
from curate.sources.common.archives import Archives
from curate.sources.common.facts import ImportOptions
from curate.sources.common.reading import UnreadableError
from curate.store.media import is_reference
from curate.store.paths import PathError, inside
from curate.store.picture_files import sound_header
from curate.store.picture_size import picture_size

_STEP_FIELDS = ("image", "image_after", "tree")
_RUN_FIELDS = ("final_image", "video", "trace")
_DOUBLE = (".zst", ".gz")
_KNOWN = 100_000  # pictures are shared between neighbours, not over a whole corpus


class Carrier:
    """Brings files below `folder` into the media of `context`, each once. `as_written`: the records are our own, and
    stay as they are; to others' records the size of a picture is added where they do not state it."""

    def __init__(self, folder: Path, context: ReadContext, *, as_written: bool = False) -> None:
        self._as_written = as_written
        self._folder = folder
        self._media = context.media
        self._required = msgspec.convert(context.options.get("import", {}), ImportOptions).needs_pictures
        self._own = folder.resolve() == self._media.root.resolve()
        self._known: dict[str, str | None] = {}
        self._sizes: dict[str, tuple[int, int] | None] = {}  # by reference
        self._damaged: dict[str, str] = {}  # by name, what is wrong
        self._archives = Archives(folder)

    def carry(self, record: Trajectory) -> Trajectory:
        """The record with references into the media, changed in place. Raises UnreadableError."""
        named = 0
        missing: list[str] = []
        for step in record.steps:
            for field in _STEP_FIELDS:
                if (reference := getattr(step, field)) is None:
                    continue
                named += 1
                if not self._field(step, field, reference, missing, picture=field != "tree"):
                    damaged = {"picture_damaged"} if reference in self._damaged else set()
                    step.flags = sorted({*step.flags, "picture_missing", *damaged})
        for field in _RUN_FIELDS:
            if (reference := getattr(record, field)) is not None:
                named += 1
                self._field(record, field, reference, missing, picture=field == "final_image")
        if named and len(missing) == named and self._required:
            raise self._none_of(missing)
        for step in () if self._as_written else record.steps:
            if step.image is not None and step.image_size is None:
                step.image_size = self._size_of(step.image)
        return record

    def size(self, reference: str | None) -> tuple[int, int] | None:
        """Width and height in pixels of the picture of that name, None where it is not there or is none. The picture is
        brought in for it. Raises UnreadableError."""
        stored = self._stored(reference, picture=True) if reference else None
        return None if stored is None else self._size_of(stored)

    def _size_of(self, stored: str) -> tuple[int, int] | None:
        """By the header of a stored picture: what a source does not state of it, the file does."""
        if stored not in self._sizes:
            if len(self._sizes) > _KNOWN:
                self._sizes.clear()
            with self._media.open(stored) as file:
                self._sizes[stored] = picture_size(file)
        return self._sizes[stored]

    def content(self, reference: str) -> bytes | None:
        """What a file other than a picture holds (a task's text, boxes), beside the records or in an archive; it is not
        brought in. None where it is not there. Raises UnreadableError."""
        try:
            path = inside(self._folder, reference)
        except PathError as error:
            raise UnreadableError("read.path_refused", f"{reference[:200]!r}: {error}") from error
        try:
            if not path.is_file():
                return self._archives.read(reference)
            with path.open("rb") as file:
                return file.read(WHOLE_FILE_BYTES)
        except (OSError, ValueError):
            return None

    def _none_of(self, missing: list[str]) -> UnreadableError:
        damaged = next((self._damaged[name] for name in missing if name in self._damaged), None)
        if damaged is not None:
            return UnreadableError("read.media_damaged", f"None of the {len(missing)} files it names serves. {damaged}")
        return UnreadableError(
            "read.media_missing",
            f"None of the {len(missing)} files it names is there; the first is {missing[0][:200]!r}.",
        )

    def _field(self, holder: object, field: str, reference: str, missing: list[str], *, picture: bool) -> bool:
        """Bring in what one field names; whether it is there, and serves."""
        stored = self._stored(reference, picture=picture)
        if stored is None:
            missing.append(reference)
        setattr(holder, field, stored)
        return stored is not None

    def _stored(self, reference: str, *, picture: bool) -> str | None:
        if reference not in self._known:
            if len(self._known) > _KNOWN:
                self._known.clear()
                self._damaged.clear()
            self._known[reference] = self._store(reference, picture)
        return self._known[reference]

    def _store(self, reference: str, picture: bool) -> str | None:
        try:
            path = inside(self._folder, reference)
        except PathError as error:
            raise UnreadableError("read.path_refused", f"{reference[:200]!r}: {error}") from error
        try:
            if not path.is_file():
                return self._from_archive(reference, path, picture)
            known = self._as_written and is_reference(reference)  # looked at when it was stored under its hash
            if picture and not known and not self._serves(reference, path):
                return None
            if self._own and self._media.has(reference):
                return reference
            return self._media.add_file(path, _extension(path), immutable=is_reference(reference))
        except (StoreError, OSError) as error:
            if _cannot_read(path):
                return None
            raise error

    def _serves(self, reference: str, path: Path) -> bool:
        """Whether a file is a whole picture; what is wrong with it is kept."""
        with path.open("rb") as file:
            data = file.read(WHOLE_FILE_BYTES + 1)
            if len(data) > WHOLE_FILE_BYTES:  # a whole page: by its header alone
                file.seek(0)
                return picture_size(file) is not None or self._is_damaged(reference)
        return self._is_sound(reference, data)

    def _is_sound(self, reference: str, data: bytes) -> bool:
        return sound_header(data) is not None or self._is_damaged(reference)

    def _is_damaged(self, reference: str) -> bool:
        self._damaged[reference] = f"{reference[:200]!r} is no whole picture."
        return False

    def _from_archive(self, reference: str, path: Path, picture: bool) -> str | None:
        try:
            data = self._archives.read(reference)
        except UnreadableError as error:
            if error.reason != "read.media_damaged":
                raise
            self._damaged[reference] = str(error)
            return None
        if data is None or (picture and not self._is_sound(reference, data)):
            return None
        return self._media.add_bytes(data, _extension(path))


def names_out(record: Trajectory) -> str | None:
    """What is wrong with the first name of a picture or other file that leads out of its folder: a source that brings
    its pictures in by a `Carrier` leaves none."""
    holders = [(record, _RUN_FIELDS), *((step, _STEP_FIELDS) for step in record.steps)]
    for holder, fields in holders:
        for field in fields:
            if (name := getattr(holder, field)) is not None and not is_reference(name):
                try:
                    inside(Path(), name)
                except PathError as error:
                    return f"{name[:200]!r}: {error}"
    return None


def _extension(path: Path) -> str:
    suffixes = [suffix.lstrip(".").lower() for suffix in path.suffixes]
    known = [s for s in suffixes[-2 if path.suffix in _DOUBLE else -1 :] if s.isascii() and s.isalnum() and len(s) <= 8]
    return ".".join(known) or "bin"


def _cannot_read(path: Path) -> bool:
    """Whether it is the named file that fails, not the place it goes to; a name may be too long to exist at all."""
    try:
        with path.open("rb") as file:
            file.read(1)
        return False
    except (OSError, ValueError):
        return True
