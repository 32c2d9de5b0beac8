"""`curate view`: the review page."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._view import serve
from curate.view.review.answers import Options
from curate.view.review.reviewing import checked_name


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Of this computer; one that is free if left out."
)
@click.option("--by", default="reviewer", show_default=True, help="Your name, under which your edits are stored.")
@click.option(
    "--recordings", type=click.Path(path_type=Path), multiple=True, metavar="FOLDER",
    help="Where the recordings lie, for raw events and video. Repeatable.",
)  # fmt: skip
@click.option("--no-open", is_flag=True, help="Only print the address.")
def command(folder: Path, port: int, by: str, recordings: tuple[Path, ...], no_open: bool) -> None:
    """Look at a dataset or run in a browser, step by step, and say what is wrong with it.

    \b
    curate view RUN
    curate view RUN --by anna --port 8800 --no-open
    """
    serve(folder, port, Options(by=checked_name(by), recordings=recordings), not no_open)
