"""`curate show`: records, for people or machines."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._dataset import checked_folder, chosen
from curate.cli._say import next_command, result, result_json, say
from curate.model.printed import quoted
from curate.model.trajectory import encode
from curate.view.pairs import near_copy_pairs
from curate.view.terminal import record_lines


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One canonical record a line.")
@click.option("--pairs", is_flag=True, help="The near-copies that a run found, with the run each is a copy of.")
def command(folder: Path, ids: tuple[str, ...], as_json: bool, pairs: bool) -> None:
    """Show the records of a dataset or run folder: all of them, or those of the ids.

    \b
    curate show RUN
    curate show DATASET ID
    curate show RUN --json | head -1
    curate show RUN --pairs
    """
    checked_folder(folder)
    if pairs:
        for pair in near_copy_pairs(folder):
            if not ids or {pair.id, pair.witness} & set(ids):
                result_json(pair) if as_json else result(pair.sentence())
        return
    count = 0
    for record in chosen(folder, ids):
        count += 1
        if as_json:
            result(encode(record))
        else:
            for line in record_lines(record):
                result(line)
    if not count:
        say(f"{folder} holds no records.")
    if not as_json:
        next_command(f"curate show {quoted(folder)} --json")
