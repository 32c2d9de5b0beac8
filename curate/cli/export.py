"""`curate export`: a dataset or run in a training format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli._dataset import checked_folder
from curate.cli._export_options import format_options, picture_options, size_options
from curate.cli._say import next_command, say
from curate.engine.exporting import export, own_options
from curate.formats.base import formats
from curate.model.errors import UsageError
from curate.model.printed import quoted


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option("--format", "name", metavar="NAME", required=True, help="A training format; a wrong name lists them.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="The JSONL file to write.")
@click.option("--split", metavar="NAME", help="Only this split of a run, such as train (default: all).")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="An option of the format: history=3.")
@picture_options
def command(
    folder: Path, name: str, out: Path, split: str | None, sets: tuple[str, ...], workers: int, **pictures: Any
) -> None:
    """Write the examples of a dataset or run folder in a training format, with smaller pictures beside it if asked.

    \b
    curate export RUN --format messages --split train --out train.jsonl
    curate export RUN --format messages --max-pixels 1000000 --multiple 28 --jpeg 90 --out train/train.jsonl
    curate export DATASET --format opencua --set level=L3 --out opencua.jsonl
    """
    checked_folder(folder)
    if name not in formats():
        raise UsageError(f"There is no training format {name!r}; the formats are {', '.join(formats())}.")
    size = size_options(**pictures)
    done = export(folder, name, out, split, format_options(own_options(folder), sets), size, workers)
    splits = ", ".join(f"{count} {name}" for name, count in done.examples.items()) or "no"
    say(f"{splits} examples of {done.records} records in {out}; {done.without} records gave none.")
    if done.pictures is None:
        say(f"Pictures are named relative to {folder}.")
    else:
        lost = f"; {done.missing} could not be read, and their steps are no targets" if done.missing else ""
        say(f"{done.made} pictures in {done.pictures}{lost}. They are named relative to the folder of {out.name}.")
    next_command(f"head -1 {quoted(out)}")
