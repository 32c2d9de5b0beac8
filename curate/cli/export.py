"""`curate export`: a dataset or run in a training format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from curate.cli._dataset import checked_folder
from curate.cli._say import next_command, say
from curate.engine.exporting import export, own_options
from curate.formats.base import FormatOptions, formats
from curate.model.errors import UsageError
from curate.model.near import did_you_mean
from curate.model.printed import quoted


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
    done = export(folder, name, out, split, _options(own_options(folder), sets))
    splits = ", ".join(f"{count} {name}" for name, count in done.examples.items()) or "no"
    say(f"{splits} examples of {done.records} records in {out}; {done.without} records gave none.")
    say(f"Pictures are named relative to {folder}.")
    next_command(f"head -1 {quoted(out)}")


def _options(own: FormatOptions, sets: tuple[str, ...]) -> FormatOptions:
    known = [name for name in FormatOptions.__struct_fields__ if name != "split"]
    given: dict[str, Any] = msgspec.to_builtins(own)
    for setting in sets:
        option, equals, value = setting.removeprefix("unroll.").partition("=")
        if not equals or option not in known:
            hint = did_you_mean(option, known)
            raise UsageError(f"--set {setting}: write OPTION=VALUE with one of {', '.join(known)}.{hint}")
        given[option] = value
    try:
        return msgspec.convert(given, FormatOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"--set: {error}.") from error
