"""`curate import`: public datasets, and everything else that can be read, to a dataset."""

# ruff: noqa: N999  (a command is named after its module, and this one is called import)

from __future__ import annotations

import sys
from pathlib import Path

import click

from curate.cli._import import explain, said
from curate.cli._say import next_command, result_json, verbosity
from curate.engine.importing import import_inputs, plain
from curate.engine.progress import Shown
from curate.model.errors import UsageError
from curate.model.printed import quoted
from curate.view.import_table import print_import


@click.command(name="import")
@click.argument("source", metavar="SOURCE|auto")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--out", metavar="DATASET", type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="What you state: import.space=permille.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many records, refused ones counted.")
@click.option("--explain", "explains", is_flag=True, help="Say which frame, order, scroll and moment; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="The counts, or the evidence, for machines.")
def command(
    source: str, paths: tuple[str, ...], out: Path | None, sets: tuple[str, ...], limit: int | None,
    explains: bool, as_json: bool,
) -> None:  # fmt: skip
    """Read a public dataset, or anything else that holds trajectories, into a dataset folder.

    SOURCE is the name of a source, or auto: each input is read by the source that recognises it. Nothing is dropped
    but what cannot be read, which rejected.jsonl lists with its reason.

    \b
    curate import auto agentnet_win_mac_18k.jsonl --out dataset
    curate import androidcontrol android_control/ --out dataset --limit 100
    curate import auto rows.jsonl --explain
    """
    if explains:
        explain(source, paths, sets, limit, as_json)
        return
    if out is None:
        raise UsageError("Say where the dataset goes with --out DATASET, or ask only what the data is with --explain.")
    with Shown(quiet=verbosity() < 0) as progress:
        done = import_inputs(source, paths, out, sets=sets, limit=limit, progress=progress)
    if as_json:
        result_json(plain(done, out))
    else:
        print_import(done.sources, sys.stdout)
    said(done, source, out)
    next_command(f"curate show {quoted(out)}")
