"""What the data of each input says of itself, as `curate import auto PATH --explain` shows it; nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.importing import only_source
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import read_settings
from curate.engine.remote_inputs import fetched, find_inputs
from curate.model.constants import DETECTOR_PICTURES, DETECTOR_RECORDS, EXPLAINED_SINGLY, EXPLAINED_TOGETHER
from curate.model.rejected import Rejected
from curate.sources.base import Input
from curate.sources.detector.examine import examine
from curate.sources.detector.survey import survey
from curate.sources.detector.survey import together as survey_together
from curate.sources.detector.verdict import Verdict
from curate.sources.recognise import Found
from curate.sources.registry import source
from curate.store.cache import cache_folder

_PICTURES_LEAST = 2  # of each input of many: one before a step and one after it


class Explained(msgspec.Struct, kw_only=True):
    """One input, or the many of one source: how they are shown, which source reads them, under what name it is
    published; what a bounded look says. `inputs`: how many were looked at together. `read`, `refused`: records that
    were looked at, and that could not be read; `not_read`: where and why the first of these could not."""

    input: str
    inputs: int = 1
    source: str
    title: str | None
    read: int
    refused: int
    not_read: str | None = None
    verdicts: list[Verdict]


class Explanation(msgspec.Struct, kw_only=True):
    """Every input, and files that no source recognises."""

    inputs: list[Explained]
    unknown: list[str] = []


def explain_inputs(
    name: str, paths: Sequence[Path | str], sets: Sequence[str] = (), limit: int | None = None,
    progress: Tells | None = None,
) -> Explanation:  # fmt: skip
    """Look at the first records (`limit`, or DETECTOR_RECORDS) of every input at or below the paths; at a source with
    more than EXPLAINED_SINGLY inputs as a whole, for where each record is a file no file tells anything. Raises
    InputError where nothing is recognised, UsageError."""
    return explain_found(find_inputs(paths, only_source(name)), read_settings(sets), limit, progress)


def explain_found(
    found: Found, options: dict[str, dict[str, Any]], limit: int | None = None, progress: Tells | None = None
) -> Explanation:
    """The same of inputs that were found already, under the sections of reading."""
    groups: dict[str, list[Input]] = {}
    for one in found.inputs:
        groups.setdefault(one.source, []).append(one)
    groups.pop("refused", None)
    together = [[one] for some in groups.values() if len(some) <= EXPLAINED_SINGLY for one in some]
    together += [_spread(some) for some in groups.values() if len(some) > EXPLAINED_SINGLY]
    tells = progress or Silent()
    tells.phase("inputs looked at", sum(map(len, together)))
    explained = [_explained(some, options, limit or DETECTOR_RECORDS, tells) for some in together]
    return Explanation(inputs=sorted(explained, key=lambda one: (one.source, one.input)), unknown=found.unknown)


def _spread(inputs: Sequence[Input]) -> list[Input]:
    """At most EXPLAINED_TOGETHER of many inputs, evenly over all of them."""
    count = min(len(inputs), EXPLAINED_TOGETHER)
    return [inputs[number * len(inputs) // count] for number in range(count)]


def _explained(some: Sequence[Input], options: dict[str, dict[str, Any]], records: int, tells: Tells) -> Explained:
    by = source(some[0].source)
    samples = []
    for one in some:
        with fetched(one, None, cache_folder() / "explained") as here:
            samples.append(
                survey(
                    by, here.path, one.shown, options, records=max(1, records // len(some)),
                    pictures=max(_PICTURES_LEAST, DETECTOR_PICTURES // len(some)),
                )
            )  # fmt: skip
        tells.advance()
    sample = survey_together(samples)
    return Explained(
        input=some[0].shown, inputs=len(some), source=by.name, title=by.facts.title if by.facts else None,
        read=sample.records, refused=sample.refused, not_read=_told(sample.first_refused),
        verdicts=examine(sample),
    )  # fmt: skip


def _told(row: Rejected | None) -> str | None:
    if row is None:
        return None
    return f"{row.file}{f', line {row.line}' if row.line else ''}: {row.reason}: {row.detail or ''}".rstrip(": ")
