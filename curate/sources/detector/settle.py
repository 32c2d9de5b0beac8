"""What neither a source nor the user states of a frame, an order, a sign or a moment is decided from the data: from the
head of the input, so that every part of it is read alike, and only when a row needs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from curate.model.rejected import Rejected
from curate.sources.base import Read, ReadContext, Source
from curate.sources.common.pictures import names_out
from curate.sources.common.reading import rejected
from curate.sources.detector.examine import examine
from curate.sources.detector.survey import survey
from curate.sources.detector.verdict import Verdict
from curate.sources.resuming import read_on


def read_settled(source: Source, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
    """What `source.read` gives, with what nobody states decided from the data where it decides; each record read after
    that says so in its lineage. No record names a file outside of the media, whatever its source."""
    asked = None if source.facts is None else _Asked(source, path, context)
    told = context if asked is None else msgspec.structs.replace(context, decide=asked.decide)
    for item in read_on(source, path, told):
        if isinstance(item, Read) and (why := names_out(item.trajectory)) is not None:
            record = item.trajectory
            yield rejected(context.shown, "read.path_refused", why, record.id, record.source.line)
            continue
        if isinstance(item, Read) and asked is not None and asked.notes:
            item.trajectory.lineage = [*item.trajectory.lineage, *asked.notes]
        yield item


class _Asked:
    """The questions that reading asked so far, and the notes about their answers."""

    def __init__(self, source: Source, path: Path, context: ReadContext) -> None:
        self._source, self._path, self._context = source, path, context
        self._verdicts: dict[str, Verdict] | None = None
        self.notes: list[str] = []

    def decide(self, question: str) -> str | None:
        """The data's answer; None where it has none."""
        if self._verdicts is None:
            sample = survey(self._source, self._path, self._context.shown, self._context.options)
            self._verdicts = {verdict.question: verdict for verdict in examine(sample)}
        verdict = self._verdicts[question]
        if verdict.found is not None:
            note = f"import: decided from the data, {verdict.low:.0%} sure at least: {question} {verdict.found}"
            self.notes += [] if note in self.notes else [note]
        return verdict.found
