"""Pictures of exported records in the size a trainer wants, in a folder beside the examples:
`pictures-<size>/<2 hex>/<sha256 of the picture it was made from>.<ext>`. A name depends on the picture and the options
alone, so each picture is made once, whoever makes it, and an export that was interrupted finds what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
from PIL import Image

from curate.engine.workers import Workers
from curate.model.constants import EXPORT_PICTURES, EXPORT_RECORDS
from curate.model.trajectory import Trajectory
from curate.store.atomic import write_bytes
from curate.store.media import MediaStore, is_reference
from curate.store.paths import PathError
from curate.store.picture_size import picture_size
from curate.store.resizing import SizeOptions, extension_of, resize_picture

T = TypeVar("T")


class PicturesJob(msgspec.Struct, frozen=True):
    """Pictures to make: `references` of the store at `root`, into the folder `out`."""

    root: Path
    out: Path
    references: list[str]
    options: SizeOptions


class Made(msgspec.Struct, frozen=True):
    """One picture made. `reference`: relative to the folder beside the examples; `size`: in pixels."""

    reference: str
    size: tuple[int, int]


def make_pictures(job: PicturesJob) -> list[Made | None]:
    """Make each picture unless it is there; None for one that is missing or unreadable. Raises StoreError."""
    store = MediaStore(job.root)
    return [_make(store, job.out, reference, job.options) for reference in job.references]


def _make(store: MediaStore, out: Path, reference: str, options: SizeOptions) -> Made | None:
    if not is_reference(reference):
        return None
    digest, _, extension = reference.rsplit("/", 1)[-1].partition(".")
    extension = extension_of(extension, options)
    name = f"{digest[:2]}/{digest}.{extension}"
    path = out / name
    try:
        with Image.open(path) as there:
            return Made(f"{out.name}/{name}", there.size)
    except OSError:  # not there, or of an older export that a power loss cut short
        pass
    try:
        data = store.read(reference)
    except (PathError, OSError):
        return None
    made = resize_picture(data, extension, options)
    if made is None:
        return None
    write_bytes(path, made.data)
    return Made(f"{out.name}/{name}", (made.width, made.height))


def size_of_picture(store: MediaStore, reference: str) -> tuple[int, int] | None:
    """Width and height of a stored picture; None where it is missing or none."""
    try:
        with store.open(reference) as file:
            return picture_size(file)
    except (PathError, OSError):
        return None


class ExportedPictures:
    """Gives records the names of their new pictures. `made`: how many different pictures they name (more, where one
    comes again after many others); `missing`: how many there were not, or could not be read. `after`: pictures of what
    came after a step are named too."""

    def __init__(self, root: Path, beside: Path, options: SizeOptions, workers: Workers, after: bool = False) -> None:
        self._root, self._options, self._workers, self._after = root, options, workers, after
        self.folder = beside / f"pictures-{options}"
        self._known: dict[str, Made | None] = {}
        self.made = self.missing = 0

    def bring(self, records: Iterable[tuple[T, Trajectory]]) -> Iterator[tuple[T, Trajectory, set[int]]]:
        """Each record with its pictures renamed, in place, and the indices of steps whose picture could not be made:
        what cannot be seen is no target. What comes with a record is given back with it."""
        stream = iter(records)
        while chunk := list(islice(stream, EXPORT_RECORDS)):
            self._make(name for _, record in chunk for name in self._named(record) if name is not None)
            for told, record in chunk:
                yield told, record, self._rename(record)

    def _named(self, record: Trajectory) -> Iterator[str | None]:
        """The pictures of a record that rows may show."""
        for step in record.steps:
            yield step.image
            if self._after:
                yield step.image_after
        if self._after:
            yield record.final_image

    def _make(self, named: Iterable[str]) -> None:
        wanted = list(dict.fromkeys(named))
        known = {name: self._known[name] for name in wanted if name in self._known}
        new = [name for name in wanted if name not in known]
        jobs = [
            PicturesJob(self._root, self.folder, new[at : at + EXPORT_PICTURES], self._options)
            for at in range(0, len(new), EXPORT_PICTURES)
        ]
        for number, results in self._workers.run(make_pictures, jobs):
            known.update(zip(jobs[number].references, results, strict=True))
            self.missing += results.count(None)
            self.made += len(results) - results.count(None)
        self._known = known  # runs that follow each other share pictures; a whole corpus of names is not kept

    def _rename(self, record: Trajectory) -> set[int]:
        lost = set()
        for step in record.steps:
            if step.image is None:
                continue
            made = self._known[step.image]
            if made is None:
                lost.add(step.index)
            step.image, step.image_size = (None, None) if made is None else (made.reference, made.size)
        if self._after:
            for step in record.steps:
                step.image_after = self._renamed(step.image_after)
            record.final_image = self._renamed(record.final_image)
        return lost

    def _renamed(self, name: str | None) -> str | None:
        made = None if name is None else self._known[name]
        return None if made is None else made.reference
