"""What `curate import` says beside its table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curate.cli._say import result, result_json, say, verbosity
from curate.engine.explaining import explain_inputs
from curate.engine.importing import AUTO, Imported
from curate.engine.progress import Shown
from curate.view.explained import explained_lines

_SHOWN = 3


def said(done: Imported, source: str, out: Path) -> None:
    """Where the dataset is, the first of what was refused, and files that nobody recognised."""
    for row in done.rejected[:_SHOWN]:
        line = f", line {row.line}" if row.line else ""
        say(f"Refused: {row.file}{line}: {row.reason}: {row.detail or ''}")
    if len(done.rejected) > _SHOWN:
        say(f"{out / 'rejected.jsonl'} lists all that was refused.")
    for name, what in (("missing", "are not there"), ("damaged", "are cut short, empty, or no pictures")):
        if lost := sum(getattr(one, name) for one in done.sources):
            reason = "images.missing" if name == "missing" else "images.unreadable"
            say(
                f"{lost:,} pictures that the records name {what}: their steps are flagged and no targets of a run or "
                f"an export ({reason})."
            )
    _unknown(done.unknown, source)
    count = done.manifest
    say(f"{count.trajectories:,} trajectories, {count.steps:,} steps, {count.media['files']:,} media files in {out}")


def explain(source: str, paths: Sequence[str], sets: Sequence[str], limit: int | None, as_json: bool) -> None:
    """Print what the data says of itself."""
    with Shown(quiet=verbosity() < 0) as progress:
        found = explain_inputs(source, paths, sets, limit, progress)
    if as_json:
        result_json(found)
    else:
        for one in found.inputs:
            for line in explained_lines(one):
                result(line)
    contradicted = [(one, verdict) for one in found.inputs for verdict in one.verdicts if verdict.contradicts]
    for one, verdict in contradicted[:_SHOWN]:
        stated = f"; state it with --set import.{verdict.question}={verdict.found}" if verdict.found else ""
        say(f"{one.input}: its {verdict.question} is not what {one.source} declares{stated}.")
    _unknown(found.unknown, source)


def _unknown(files: Sequence[str], source: str) -> None:
    if files:
        more = f" and {len(files) - _SHOWN:,} more" if len(files) > _SHOWN else ""
        whom = "any source" if source == AUTO else source
        say(f"Not recognised by {whom}, left alone: {', '.join(files[:_SHOWN])}{more}.")
