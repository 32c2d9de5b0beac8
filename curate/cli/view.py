"""`curate view`: the review page."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._view import serve
from curate.view.review.answers import Options


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Of this computer; one that is free if left out."
)
@click.option("--by", default="reviewer", show_default=True, help="Your name, under which your edits are stored.")
@click.option("--no-open", is_flag=True, help="Only print the address.")
def command(folder: Path, port: int, by: str, no_open: bool) -> None:
    """Look at a dataset or run in a browser, step by step, and say what is wrong with it.

    \b
    curate view RUN
    curate view RUN --by anna --port 8800 --no-open
    """
    serve(folder, port, Options(by=by), not no_open)
