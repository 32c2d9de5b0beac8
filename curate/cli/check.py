"""`curate check`: an audit of any dataset as it lies on disk."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._check import ROWS, check_out, gate, packs, show, write
from curate.cli._say import verbosity
from curate.engine.check.checking import CheckOptions, check
from curate.engine.progress import Shown
from curate.model.constants import CHECK_PICTURES


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--source", default="auto", metavar="NAME", help="Read by this source; auto: by whoever recognises it.")
@click.option("--tests", multiple=True, metavar="PACK|FILE", help="Test tasks to look for; may be repeated.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many records of each input.")
@click.option("--pictures", type=click.IntRange(min=0), default=CHECK_PICTURES, metavar="N", show_default=True,
              help="At most so many pictures are decoded.")  # fmt: skip
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="What you state: import.space=permille.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write check.json, check.html and rows/.")
@click.option("--json", "as_json", is_flag=True, help="The findings for machines (schema check.v1).")
@click.option("--strict", is_flag=True, help="Leave with exit code 4 when a finding is an error.")
def command(
    paths: tuple[str, ...], source: str, tests: tuple[str, ...], limit: int | None, pictures: int,
    sets: tuple[str, ...], out: Path | None, as_json: bool, strict: bool,
) -> None:  # fmt: skip
    """Look at a dataset before you trust it: public sources, dataset and run folders, recordings, JSONL, mixed.

    Frame, order, scroll sign and moment of the pictures; what cannot be read; pictures missing, damaged or unused;
    pointer and hover; gaps, loops, contradictions; copies, leaks, splits; personal data; licences. Nothing is converted
    or changed, and without --out nothing is written.

    \b
    curate check agentnet/ --tests osworld.jsonl --out check
    curate check rows.jsonl --limit 1000
    curate check dataset --json --strict
    """
    options = CheckOptions(
        name=source, sets=sets, limit=limit, pictures=pictures, tests=packs(tests),
        rows=None if out is None else out / ROWS,
    )  # fmt: skip
    if out is not None:
        check_out(out)
    with Shown(quiet=verbosity() < 0) as progress:
        found = check(paths, options, progress)
    if out is not None:
        write(found, out)
    show(found, out, as_json, paths)
    if strict:
        gate(found)
