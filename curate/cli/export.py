"""`curate export`: a dataset or run in a training format."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from curate.cli._dataset import checked_folder
from curate.cli._export_options import format_options, picture_options, size_options
from curate.cli._export_said import say_exported
from curate.cli._say import next_command
from curate.engine.exporting import export, own_options, with_pictures
from curate.formats.base import format_named
from curate.model.printed import quoted


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option("--format", "name", metavar="NAME", required=True, help="A training format; a wrong name lists them.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="The JSONL file to write.")
@click.option("--split", metavar="NAME", help="Only this split of a run, such as train (default: all).")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="An option of the format: history=3.")
@click.option(
    "--prompts",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A released model's own prompt file, instead of our texts (docs/formats.md says where it is).",
)
@click.option(
    "--by",
    metavar="WHAT",
    type=click.Choice(["platform"]),
    help="`platform`: a file for each operating system, FILE-linux.jsonl and so on (default: all in one).",
)
@picture_options
def command(
    folder: Path, name: str, out: Path, split: str | None, sets: tuple[str, ...], prompts: Path | None,
    by: Literal["platform"] | None, keep_pictures: bool, workers: int, **pictures: Any,
) -> None:  # fmt: skip
    """Write the examples of a dataset or run folder in a training format, with pictures beside it in the size that its
    coordinates speak of, or that is asked for. FILE is written over only by the same export made again.

    \b
    curate export RUN --format messages --split train --out train.jsonl
    curate export RUN --format messages --max-pixels 1000000 --multiple 28 --jpeg 90 --out train/train.jsonl
    curate export DATASET --format opencua --set level=L3 --out opencua.jsonl
    curate export RUN --format qwen25vl --max-pixels 2000000 --jpeg 90 --out train/train.jsonl
    curate export RUN --format llamafactory --by platform --jpeg 90 --out data/cua.jsonl
    """
    checked_folder(folder)
    form = format_named(name)
    options = format_options(own_options(folder, name), sets, form, prompts)
    options, size = with_pictures(name, options, size_options(**pictures), keep_pictures)
    done = export(folder, name, out, split, options, size, workers, by)
    say_exported(done, folder, name, out)
    next_command(f"head -1 {quoted(done.outs[0] if done.outs else out)}")
