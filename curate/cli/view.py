"""`curate view`: the review page."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from curate.cli._view import serve, write_export
from curate.model.errors import UsageError
from curate.view.review.answers import Options
from curate.view.review.export import ExportOptions
from curate.view.review.reviewing import checked_name


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the page; one that is free if left out.")
@click.option("--by", default="reviewer", show_default=True, help="Your name, under which your edits are stored.")
@click.option(
    "--recordings", type=click.Path(path_type=Path), multiple=True, metavar="FOLDER",
    help="Where the recordings lie, for raw events and video. Repeatable.",
)  # fmt: skip
@click.option(
    "--audit", type=click.Path(path_type=Path), metavar="SAMPLE",
    help="Ask for answers on a blind sample of `curate audit`; what the run decided is not shown.",
)  # fmt: skip
@click.option("--no-open", is_flag=True, help="Only print the address.")
@click.option(
    "--export", "out", type=click.Path(path_type=Path), metavar="DIR", help="Write the pages as files instead."
)
@click.option("--limit", type=click.IntRange(min=1), help="With --export: so many trajectories, from the first.")
@click.option("--events", is_flag=True, help="With --export: the raw events of each step too.")
@click.option("--clips", is_flag=True, help="With --export: the video of each step too.")
def command(
    folder: Path, port: int, by: str, recordings: tuple[Path, ...], audit: Path | None, no_open: bool,
    out: Path | None, limit: int | None, events: bool, clips: bool,
) -> None:  # fmt: skip
    """Look at a dataset or run in a browser, step by step, and say what is wrong with it.

    \b
    curate view RUN
    curate view RUN --by anna --port 8800 --no-open
    curate view RUN --audit SAMPLE --by anna
    curate view RUN --export pages --limit 100
    """
    mode: Literal["server", "export"] = "server" if out is None else "export"
    options = Options(by=checked_name(by), recordings=recordings, mode=mode, audit=audit)
    if out is not None and audit is not None:
        raise UsageError("--audit asks for answers, which exported pages do not store: leave --export out.")
    if out is not None:
        write_export(folder, out, options, ExportOptions(limit=limit, events=events, clips=clips))
    elif limit is not None or events or clips:
        raise UsageError("--limit, --events and --clips go with --export.")
    else:
        serve(folder, port, options, not no_open)
