"""`curate reduce`: raw recordings to a dataset."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import detail, next_command, say, verbosity
from curate.engine.progress import Shown
from curate.engine.reduce_only import reduce_inputs
from curate.model.printed import quoted


@click.command()
@click.argument("recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", metavar="DATASET", required=True, type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="Such as reduce.review=ignore.")
def command(recordings: tuple[Path, ...], out: Path, sets: tuple[str, ...]) -> None:
    """Turn raw recordings (ours, AgentNetTool's, DuckTrack's) into a dataset of actions with their pictures.

    A folder stands for all recordings at any depth in it.

    \b
    curate reduce recordings --out dataset
    curate reduce recordings/one --out dataset --set reduce.review=ignore
    """
    with Shown(quiet=verbosity() < 0) as progress:
        done = reduce_inputs(recordings, out, sets, progress)
    for row in done.rejected:
        say(f"Left out: {row.file}: {row.reason}: {row.detail or ''}")
    for name in done.others:
        detail(f"Passed over, no raw recording: {name}")
    count = done.manifest.trajectories
    say(f"{count} recording{'s' if count != 1 else ''}, {done.manifest.steps} steps in {out}")
    next_command(f"curate show {quoted(out)}")
