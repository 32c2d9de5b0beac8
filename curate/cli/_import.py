"""What `curate import` says beside its table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curate.cli._say import say
from curate.engine.importing import Imported

_SHOWN = 3


def said(done: Imported, out: Path) -> None:
    """Where the dataset is, the first of what was refused, and files that nobody recognised."""
    for row in done.rejected[:_SHOWN]:
        line = f", line {row.line}" if row.line else ""
        say(f"Refused: {row.file}{line}: {row.reason}: {row.detail or ''}")
    if len(done.rejected) > _SHOWN:
        say(f"{out / 'rejected.jsonl'} lists all that was refused.")
    if done.unknown:
        more = f" and {len(done.unknown) - _SHOWN:,} more" if len(done.unknown) > _SHOWN else ""
        say(f"Not recognised by any source, left alone: {', '.join(done.unknown[:_SHOWN])}{more}.")
    count = done.manifest
    say(f"{count.trajectories:,} trajectories, {count.steps:,} steps, {count.media['files']:,} media files in {out}")


def explain(source: str, paths: Sequence[str], sets: Sequence[str], limit: int | None, as_json: bool) -> None:
    """Print what the data says of itself."""
    raise NotImplementedError
