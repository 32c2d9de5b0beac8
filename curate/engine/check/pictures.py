"""What is seen in the pictures themselves, by the measures of the stage images: what cannot be decoded, has another
size than stated, is blank, or shows the same as the step before. A bounded number is decoded; what is left is told."""

from __future__ import annotations

from collections.abc import Sequence

from curate.engine.check.collect import Collected, amount, at
from curate.engine.check.stills import Stills
from curate.engine.check.types import Sure
from curate.model.constants import BLANK_SHARE
from curate.model.trajectory import Trajectory
from curate.model.wilson import wilson
from curate.stages.images import measure_run
from curate.stages.measures.picture_reader import PictureReader


class Pictures:
    """Looks into the pictures of records while they are at hand, `most` of them."""

    def __init__(self, found: Collected, reader: PictureReader, most: int) -> None:
        self._found, self._reader, self._left = found, reader, most
        self._stills = Stills(found, reader)
        self.looked = self.passed = self.compared = self.stated = 0

    def add(self, records: Sequence[Trajectory]) -> None:
        """The pictures of a batch."""
        for record in records:
            shown = sum(step.image is not None for step in record.steps)
            if shown > self._left:
                self.passed += shown
                continue
            self._left -= shown
            if shown:
                self._of(record)

    def _of(self, record: Trajectory) -> None:
        self._stills.add(record)
        for step, row in zip(record.steps, measure_run(record, self._reader), strict=True):
            state, width, height, stated, white, difference = row[4], row[6], row[7], row[8], row[9], row[10]
            if state is None or state == "missing":  # one that is shared with a record of long ago
                continue
            self.looked += 1
            if state == "unreadable":
                self._found.add("pictures.damaged", at(record, "cannot be decoded", step.index))
                continue
            self.stated += step.image_size is not None
            if stated is not None:
                what = f"{width} x {height}, the record states {stated}"
                self._found.add("pictures.wrong_size", at(record, what, step.index))
            if white is not None and white > BLANK_SHARE:
                self._found.add("pictures.blank", at(record, f"{white:.1%} near-white", step.index))
            if difference is not None:
                self.compared += 1
                if difference == 0.0:
                    self._found.add("pictures.unchanged", at(record, step.action, step.index))

    def finish(self) -> None:
        """Sentences with their totals; what is not measurable."""
        self._stills.finish(self.passed)
        if not self.looked:
            why = "no record has a picture that is there." if not self.passed else "the bound on pictures is 0."
            self._found.cannot("pictures", "damaged, blank and wrongly sized pictures", why)
            return
        told = {
            "pictures.wrong_size": (self.stated, " whose record states a size"),
            "pictures.blank": (self.looked, ""),
            "pictures.unchanged": (self.compared, " with one before them to compare with"),
        }
        for kind, (of, what) in told.items():
            for finding in self._found.parts(kind):
                sentence = f"{amount(finding, of)}{what}{self._sampled()}" if what or self.passed else ""
                self._found.say(kind, sentence, of=of, sure=self._sure(finding.count, of))

    def _sampled(self) -> str:
        return f"; {self.passed:,} more were not looked at" if self.passed else ""

    def _sure(self, yes: int, known: int) -> Sure | None:
        if not self.passed:
            return None
        low, high = wilson(yes, known)
        return Sure(by="measured", yes=yes, known=known, low=round(low, 4), high=round(high, 4))
