"""The pictures of what is published: there, what their names say, in the size that steps state; what is written in them
and in their files goes to the search for personal data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from curate.model.trajectory import Trajectory
from curate.publish.gate.found import Found, at
from curate.publish.gate.machine import Machine
from curate.publish.gate.ocr import HOW, Engine
from curate.publish.gate.personal import PersonalData
from curate.publish.gate.picture_words import has_words, words_in
from curate.publish.kept import Kept
from curate.publish.statements import count as counted
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.picture_size import picture_size

MISSING, LOST, SIZE, PLACE = "pictures.missing", "pictures.lost", "coordinates.size", "personal.place"
_LOST = ("picture_missing", "picture_damaged")
_MET = 200_000  # references that are not read twice; a picture that comes again later is


class Pictures:
    """Reads every picture once. `ocr`: reads the text in the first `most` of them (None: all)."""

    def __init__(
        self, found: Found, media: MediaStore, personal: PersonalData, machine: Machine, ocr: Engine | None,
        most: int | None,
    ) -> None:  # fmt: skip
        self._found, self._media, self._personal, self._machine = found, media, personal, machine
        self._ocr, self._most = ocr, most
        self._met: set[str] = set()
        self._steps = self.looked = self.read = self.unread = 0
        self._videos = 0

    def add(self, kept: Kept) -> None:
        """The next run."""
        sizes = {step.image: step.image_size for step in kept.record.steps if step.image is not None}
        self._videos += kept.record.video is not None
        for step in kept.record.steps:
            self._steps += 1
            if any(flag in step.flags for flag in _LOST):
                self._found.add(LOST, at(kept, "the source has no such picture, or a damaged one", step.index))
        for step_index, reference in _references(kept.record):
            if reference in self._met:
                continue
            if len(self._met) >= _MET:
                self._met.clear()
            self._met.add(reference)
            self._look(kept, step_index, reference, sizes.get(reference))

    def _look(self, kept: Kept, step: int | None, reference: str, stated: tuple[int, int] | None) -> None:
        self.looked += 1
        try:
            data = self._media.read(reference)
        except (OSError, PathError):
            self._found.add(MISSING, at(kept, f"{reference} is not there", step))
            return
        if hashlib.sha256(data).hexdigest() != reference.rsplit("/", 1)[-1].split(".", 1)[0]:
            self._found.add(MISSING, at(kept, f"{reference} is not what its name says", step))
            return
        size = picture_size(data)
        if size is None:
            self._found.add(MISSING, at(kept, f"{reference} is no picture", step))
            return
        if stated is not None and tuple(stated) != size:
            what = f"{size[0]} x {size[1]}, the step states {stated[0]} x {stated[1]}"
            self._found.add(SIZE, at(kept, what, step))
        if has_words(data):
            self._words(kept, step, data)
        self._text(kept, step, data)

    def _words(self, kept: Kept, step: int | None, data: bytes) -> None:
        texts, place = words_in(data)
        if place:
            self._found.add(PLACE, at(kept, "its EXIF has a place", step))
        if texts:
            self._personal.look(kept, [("the picture's file", step, text) for text in texts])
            self._machine.look(kept.record.id, step, "the picture's file", "\n".join(texts))

    def _text(self, kept: Kept, step: int | None, data: bytes) -> None:
        if self._ocr is None or (self._most is not None and self.read + self.unread >= self._most):
            return
        text = self._ocr.read(data)
        if text is None:
            self.unread += 1
            return
        self.read += 1
        self._personal.look(kept, [("the picture", step, text)])
        self._machine.look(kept.record.id, step, "the picture", text)

    def finish(self) -> None:
        """Totals, and what was not looked at."""
        told = {
            MISSING: ("picture is named and not there", "pictures are named and not there"),
            SIZE: ("picture has another size than is stated", "pictures have another size than their steps state"),
            PLACE: ("picture says where it was taken", "pictures say where they were taken"),
        }  # fmt: skip
        for code, words in told.items():
            self._found.say(code, f"{counted(self._found.count(code), *words)}.", self.looked)
        steps = counted(self._found.count(LOST), "step")
        self._found.say(LOST, f"{steps} whose picture the source does not have.", self._steps)
        if self._ocr is None and self.looked:
            self._found.cannot(f"the text in {self.looked:,} pictures", f"no engine for it is installed ({HOW})")
        elif self.looked > self.read:
            because = f"{self._ocr.name if self._ocr else ''} read the first {self.read:,} (--ocr all reads every one)"
            self._found.cannot(f"the text in {self.looked - self.read:,} of {self.looked:,} pictures", because)
        if self._videos:
            self._found.cannot(f"{self._videos:,} videos", "their pictures are not searched for text")


def _references(record: Trajectory) -> Iterator[tuple[int | None, str]]:
    for step in record.steps:
        for reference in (step.image, step.image_after):
            if reference is not None:
                yield step.index, reference
    if record.final_image is not None:
        yield None, record.final_image
