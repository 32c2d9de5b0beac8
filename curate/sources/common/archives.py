"""Pictures in zip archives beside the records, as datasets ship them: `images.zip`, or in parts. Nothing is unpacked
to the disk; a picture is read when a record names it.

A name is looked for as it stands, then without the folder that the archive is named after (`images/a.png` is `a.png` of
`images.zip`), then in such a folder; in the archives beside the file, and where there are none in those of the folders
beside it."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

from curate.sources.common.reading import UnreadableError
from curate.store.paths import is_inside
from curate.store.zip_parts import Archive, ArchiveError, DamagedError, Member, parts_of

_Stamps = tuple[tuple[Path, int, int], ...]


class Archives:
    """The archives that belong to the records of a file in `folder`, found when the first name is looked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: list[tuple[str, _Stamps]] | None = None

    def read(self, name: str) -> bytes | None:
        """The file of that name, None where no archive holds it. Raises UnreadableError for an archive or a file in it
        that is refused (`read.archive_refused`) or damaged (`read.media_damaged`)."""
        found: tuple[bytes, Member, str] | None = None
        trouble: UnreadableError | None = None
        for shown, archive in self._opened():
            try:
                if isinstance(archive, ArchiveError):
                    raise archive
                member = next((m for n in _spellings(name, shown) if (m := archive.find(n)) is not None), None)
                if member is not None and found is None:
                    found = archive.read(member), member, shown
            except ArchiveError as error:
                reason = "read.media_damaged" if isinstance(error, DamagedError) else "read.archive_refused"
                trouble = trouble or UnreadableError(reason, f"{name[:200]!r} in {shown}: {error}")
                continue
            if member is not None and found is not None and not _same(member, found[1]):
                why = f"{found[2]} and {shown} hold different files named {name[:200]!r}."
                raise UnreadableError("read.archive_refused", why)
        if found is None and trouble is not None:
            raise trouble
        return None if found is None else found[0]

    def _opened(self) -> Iterator[tuple[str, Archive | ArchiveError]]:
        if self._paths is None:
            self._paths = list(_archives(self._folder))
        for shown, stamps in self._paths:
            yield shown, _open(stamps)


def _same(one: Member, other: Member) -> bool:
    return (one.crc, one.size) == (other.crc, other.size)


def _spellings(name: str, shown: str) -> Iterator[str]:
    name = name.replace("\\", "/").removeprefix("./")
    stem = Path(shown).name.split(".zip")[0]
    yield name
    for folder in dict.fromkeys((stem, "images")):
        yield name[len(folder) + 1 :] if name.startswith(f"{folder}/") else f"{folder}/{name}"


def _archives(folder: Path) -> Iterator[tuple[str, _Stamps]]:
    """Archives with the parts of each as they are now, in order of their names."""
    beside = list(_in_folder(folder, folder))
    yield from beside
    if not beside:
        for below in sorted(one.path for one in os.scandir(folder) if one.is_dir(follow_symlinks=False)):
            yield from _in_folder(folder, Path(below))


def _in_folder(root: Path, folder: Path) -> Iterator[tuple[str, _Stamps]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if ".z" in entry.name.lower())
    except OSError:
        return
    for name in names:
        parts = parts_of(folder / name)
        if parts == []:
            yield (folder / name).relative_to(root).as_posix(), ()
        if parts and all(part.is_file() and is_inside(root, part) for part in parts):
            stamps = tuple((part, (status := part.stat()).st_size, status.st_mtime_ns) for part in parts)
            yield (folder / name).relative_to(root).as_posix(), stamps


@functools.lru_cache(maxsize=16)
def _open(stamps: _Stamps) -> Archive | ArchiveError:
    """The archive, opened once a process: a directory of a million files takes a second to read."""
    if not stamps:
        return ArchiveError("The first part of the archive is not there.")
    try:
        return Archive([path for path, _, _ in stamps])
    except ArchiveError as error:
        return error
    except OSError as error:
        return ArchiveError(f"It cannot be read: {error.strerror or error}.")
