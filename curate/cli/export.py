"""`curate export`: a dataset or run in a training format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from curate.cli._records import checked_folder
from curate.cli._say import next_command, say
from curate.engine.exporting import export
from curate.formats.base import FormatOptions, formats
from curate.model.errors import UsageError


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.option("--format", "name", metavar="NAME", required=True, help="A training format; a wrong name lists them.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="The JSONL file to write.")
@click.option("--split", metavar="NAME", help="Only this split of a run, such as train (default: all).")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="An option of the format: history=3.")
def command(folder: Path, name: str, out: Path, split: str | None, sets: tuple[str, ...]) -> None:
    """Write the examples of a dataset or run folder in a training format.

    \b
    curate export RUN --format messages --split train --out train.jsonl
    curate export DATASET --format opencua --set level=L3 --out opencua.jsonl
    """
    checked_folder(folder)
    if name not in formats():
        raise UsageError(f"There is no training format {name!r}; the formats are {', '.join(formats())}.")
    done = export(folder, name, out, split, _options(sets))
    say(f"{done.examples} examples of {done.records} records in {out}; {done.without} records gave none.")
    next_command(f"head -1 {out}")


def _options(sets: tuple[str, ...]) -> FormatOptions:
    given: dict[str, Any] = {}
    for setting in sets:
        option, equals, value = setting.removeprefix("unroll.").partition("=")
        if not equals or option not in FormatOptions.__struct_fields__:
            known = ", ".join(FormatOptions.__struct_fields__)
            raise UsageError(f"--set {setting}: write OPTION=VALUE with one of {known}.")
        given[option] = value
    try:
        return msgspec.convert(given, FormatOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"--set: {error}.") from error
