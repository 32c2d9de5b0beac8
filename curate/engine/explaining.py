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
from curate.model.constants import DETECTOR_RECORDS
from curate.sources.base import Input
from curate.sources.detector.examine import examine
from curate.sources.detector.verdict import Verdict
from curate.sources.registry import source
from curate.sources.survey import survey
from curate.store.cache import cache_folder


class Explained(msgspec.Struct, kw_only=True):
    """One input: which source reads it, under what name it is published; what a bounded look at it says. `read`,
    `refused`: records that were looked at, and that could not be read."""

    input: str
    source: str
    title: str | None
    read: int
    refused: int
    verdicts: list[Verdict]


class Explanation(msgspec.Struct, kw_only=True):
    """Every input, and files that no source recognises."""

    inputs: list[Explained]
    unknown: list[str] = []


def explain_inputs(
    name: str, paths: Sequence[Path | str], sets: Sequence[str] = (), limit: int | None = None,
    progress: Tells | None = None,
) -> Explanation:  # fmt: skip
    """Look at the first records (`limit`, or DETECTOR_RECORDS) of every input at or below the paths. Raises InputError
    where nothing is recognised, UsageError."""
    options = read_settings(sets)
    found = find_inputs(paths, only_source(name))
    tells = progress or Silent()
    tells.phase("inputs looked at", len(found.inputs))
    explained = []
    for one in found.inputs:
        if one.source != "refused":
            explained.append(_explained(one, options, limit or DETECTOR_RECORDS))
        tells.advance()
    return Explanation(inputs=explained, unknown=found.unknown)


def _explained(one: Input, options: dict[str, dict[str, Any]], records: int) -> Explained:
    by = source(one.source)
    with fetched(one, None, cache_folder() / "explained") as here:
        sample = survey(by, here.path, one.shown, options, records)
    return Explained(
        input=one.shown, source=one.source, title=by.facts.title if by.facts else None, read=sample.records,
        refused=sample.refused, verdicts=examine(sample),
    )  # fmt: skip
