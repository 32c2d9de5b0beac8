"""Pictures of exported records: as they lie, each opened once, for no export hands on one that does not open; or in
the size a trainer wants, in a folder beside the examples: `pictures-<size>/<2 hex>/<sha256 of the picture it was made
from>.<ext>`. A name depends on the picture and the options alone, so each picture is made once, whoever makes it, and
an export that was interrupted finds what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from PIL import Image

from curate.engine.workers import Workers
from curate.model.constants import EXPORT_PICTURES, EXPORT_RECORDS
from curate.model.trajectory import Step, Trajectory
from curate.store.atomic import write_bytes
from curate.store.media import MediaStore, is_reference, read_rgb
from curate.store.paths import PathError
from curate.store.picture_size import picture_size
from curate.store.resizing import SizeOptions, extension_of, resize_picture

T = TypeVar("T")


class PicturesJob(msgspec.Struct, frozen=True):
    """Pictures to make: `references` of the store at `root`, into the folder `out`; None: they are opened only, and
    stay where they are."""

    root: Path
    out: Path | None
    references: list[str]
    options: SizeOptions


class Made(msgspec.Struct, frozen=True):
    """One picture made, or found to open. `reference`: relative to the folder beside the examples, or as it was;
    `size`: in pixels."""

    reference: str
    size: tuple[int, int]


Result = Made | str
"""A picture, or the reason code why there is none."""


def make_pictures(job: PicturesJob) -> list[Result]:
    """Make (or open) each picture unless it is there; a reason code for one that is missing or does not open. Raises
    StoreError."""
    store = MediaStore(job.root)
    return [_make(store, job.out, reference, job.options) for reference in job.references]


def _make(store: MediaStore, out: Path | None, reference: str, options: SizeOptions) -> Result:
    if not is_reference(reference):
        return "images.missing"
    there = None if out is None else _there(out, reference, options)
    if there is not None:
        return there
    try:
        data = store.read(reference)
    except (PathError, OSError):
        return "images.missing"
    if out is None:
        pixels = read_rgb(data)
        return "images.unreadable" if pixels is None else Made(reference, (pixels.shape[1], pixels.shape[0]))
    name, extension = _named(reference, options)
    made = resize_picture(data, extension, options)
    if made is None or (made.data is data and read_rgb(data) is None):  # one that needs no change is not decoded there
        return "images.unreadable"
    write_bytes(out / name, made.data)
    return Made(f"{out.name}/{name}", (made.width, made.height))


def _named(reference: str, options: SizeOptions) -> tuple[str, str]:
    """The name of a picture that is made, and its extension."""
    digest, _, extension = reference.rsplit("/", 1)[-1].partition(".")
    extension = extension_of(extension, options)
    return f"{digest[:2]}/{digest}.{extension}", extension


def _there(out: Path, reference: str, options: SizeOptions) -> Made | None:
    """A picture that was made before."""
    name, _ = _named(reference, options)
    try:
        with Image.open(out / name) as there:
            return Made(f"{out.name}/{name}", there.size)
    except OSError:  # not there, or of an older export that a power loss cut short
        return None


def size_of_picture(store: MediaStore, reference: str) -> tuple[int, int] | None:
    """Width and height of a stored picture; None where it is missing or none."""
    try:
        with store.open(reference) as file:
            return picture_size(file)
    except (PathError, OSError):
        return None


class ExportedPictures:
    """Gives records the names of their new pictures; without `beside` those that open keep theirs. `made`: how many
    different pictures they name (more, where one comes again after many others); `missing`: how many there were not, or
    do not open. `after`: pictures of what came after a step are named too. `sure`: whether a step's picture is known to
    open, and is not looked at."""

    def __init__(
        self, root: Path, beside: Path | None, options: SizeOptions, workers: Workers, after: bool = False,
        sure: Callable[[Any, Step], bool] | None = None,
    ) -> None:  # fmt: skip
        self._root, self._options, self._workers, self._after, self._sure = root, options, workers, after, sure
        self.folder = None if beside is None else beside / f"pictures-{options}"
        self._known: dict[str, Result] = {}
        self.made = self.missing = 0

    def bring(self, records: Iterable[tuple[T, Trajectory]]) -> Iterator[tuple[T, Trajectory, dict[int, str]]]:
        """Each record with its pictures renamed, in place, and by index the reason of steps whose picture there is
        not: what cannot be seen is no target. What comes with a record is given back with it."""
        stream = iter(records)
        while chunk := list(islice(stream, EXPORT_RECORDS)):
            self._make(name for told, record in chunk for name in self._named(told, record) if name is not None)
            for told, record in chunk:
                yield told, record, self._rename(record)

    def _named(self, told: T, record: Trajectory) -> Iterator[str | None]:
        """The pictures of a record that rows may show."""
        for step in record.steps:
            if self._sure is None or not self._sure(told, step):
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
            lost = sum(isinstance(result, str) for result in results)
            self.missing += lost
            self.made += len(results) - lost
        self._known = known  # runs that follow each other share pictures; a whole corpus of names is not kept

    def _rename(self, record: Trajectory) -> dict[int, str]:
        lost = {}
        for step in record.steps:
            made = None if step.image is None else self._known.get(step.image)
            if isinstance(made, str):
                lost[step.index] = made
                step.image = step.image_size = None
            elif made is not None:
                step.image = made.reference
                if self.folder is not None or step.image_size is None:
                    step.image_size = made.size
        if self._after:
            for step in record.steps:
                step.image_after = self._renamed(step.image_after)
            record.final_image = self._renamed(record.final_image)
        return lost

    def _renamed(self, name: str | None) -> str | None:
        made = None if name is None else self._known[name]
        return made.reference if isinstance(made, Made) else None
