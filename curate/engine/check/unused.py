"""Pictures that lie in the folders or archives of a dataset and that no record names. A picture was used if its bytes
came into the media while records were read: by size and CRC-32, which the directory of an archive states of each of its
files, so that no archive is unpacked; a file that was
taken as a file is known by its number on the disk, and is not read again. Memory: 16 bytes a picture used."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curate.engine.check.collect import Collected
from curate.engine.check.types import Row
from curate.store.media import MediaStore
from curate.store.zip_parts import Archive, ArchiveError, parts_of

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
_CHUNK = 1 << 20


class NotingMedia(MediaStore):
    """A media store that notes what comes into it: size and CRC-32 of its bytes."""

    def __init__(self, root: Path, at_hand: int) -> None:
        super().__init__(root, at_hand=at_hand, deferred=True)
        self._used, self._files = array("Q"), array("Q")
        self.bytes_added = 0

    def add_bytes(self, data: bytes, extension: str) -> str:
        """As of every store."""
        self._note(zlib.crc32(data), len(data))
        return super().add_bytes(data, extension)

    def add_file(self, path: Path, extension: str | None = None, *, immutable: bool = False) -> str:
        """As of every store."""
        self._files.append(number_of(path))
        if immutable:  # other files are read whole by `add_bytes`
            crc, size = crc_of(path)
            self._note(crc, size)
        return super().add_file(path, extension, immutable=immutable)

    def sync(self) -> None:
        """Nothing here needs to outlast a power cut."""
        self._not_flushed.clear()

    def files(self) -> NDArray[np.uint64]:
        """The numbers of files that came in as files, in order, each once."""
        return np.unique(np.frombuffer(self._files, np.uint64)) if len(self._files) else np.zeros(0, np.uint64)

    def used(self) -> NDArray[np.uint64]:
        """What was noted, in order, each once."""
        return np.unique(np.frombuffer(self._used, np.uint64)) if len(self._used) else np.zeros(0, np.uint64)

    def _note(self, crc: int, size: int) -> None:
        self._used.append(key(crc, size))
        self.bytes_added += size


def key(crc: int, size: int) -> int:
    """A file's CRC-32 and the lower half of its size, as one number."""
    return (crc << 32) | (size & 0xFFFFFFFF)


def number_of(path: Path) -> int:
    """What the file is on this disk, whatever path leads to it; 0 for one that cannot be looked at."""
    try:
        status = path.stat()
    except OSError:
        return 0
    return ((status.st_dev * 0x9E3779B97F4A7C15) ^ status.st_ino) & 0xFFFFFFFFFFFFFFFF


def crc_of(path: Path) -> tuple[int, int]:
    """CRC-32 and size of a file. A file that cannot be read has neither."""
    crc = size = 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                crc, size = zlib.crc32(chunk, crc), size + len(chunk)
    except OSError:
        return 0, 0
    return crc, size


def files_below(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Every file at or below the paths with its name below them, in order; links are not followed."""
    for root in sorted(set(paths)):
        if root.is_file():
            yield root, root.name
            continue
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = Path(folder) / name
                if not path.is_symlink():
                    yield path, path.relative_to(root).as_posix()


def add_unused(found: Collected, paths: Sequence[Path], media: NotingMedia, own: Sequence[Path] = ()) -> None:
    """Pictures in folders and archives whose bytes no record brought in. `own`: folders of recordings, whose pictures
    (of the pointer's shapes) are no records' matter."""
    used, files = media.used(), media.files()
    sizes = np.unique(used & np.uint64(0xFFFFFFFF))
    pictures = 0
    recordings = {one.resolve() for one in own}
    for path, name in files_below(paths):
        if any(parent in recordings for parent in path.resolve().parents):
            continue
        if path.suffix.lower() in SUFFIXES:
            pictures += 1
            if _has(files, number_of(path)):
                continue
            if _has(sizes, path.stat().st_size & 0xFFFFFFFF) and _has(used, key(*crc_of(path))):
                continue
            found.add("pictures.unused", Row(file=name))
            continue
        for member, crc, length in _members(path):
            pictures += 1
            if not _has(used, key(crc, length)):
                found.add("pictures.unused", Row(file=f"{name}!{member}"))
    found.say("pictures.unused", of=pictures)
    if not pictures:
        found.cannot("pictures", "unused pictures", "no picture lies in a file of its own or in an archive.")


def _has(known: NDArray[np.uint64], value: int) -> bool:
    at = int(np.searchsorted(known, np.uint64(value)))
    return at < len(known) and int(known[at]) == value


def _members(path: Path) -> Iterator[tuple[str, int, int]]:
    """(name, CRC-32, size) of the pictures in the archive that begins in this file; a broken one has none."""
    parts = parts_of(path)
    if not parts:
        return
    try:
        for member in Archive(parts).members():
            name = member.name.decode("utf-8", "replace")
            if name.lower().endswith(SUFFIXES):
                yield name, member.crc, member.size
    except (ArchiveError, OSError):
        return
