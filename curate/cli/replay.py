"""`curate replay`: perform a record's actions on this desktop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli._replay import ask, print_actions, tell_done
from curate.cli._say import say
from curate.engine.pick import pick_record


@click.command()
@click.argument("source", metavar="RECORDING|DATASET|RUN", type=click.Path(path_type=Path))
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--dry-run", is_flag=True, help="Only print the actions.")
@click.option("--yes", "-y", is_flag=True, help="Begin without asking (needed where there is no terminal).")
@click.option("--skip", is_flag=True, help="Leave out steps that cannot be performed, instead of performing none.")
@click.option(
    "--speed", type=click.FloatRange(0.1, 20), default=1.0, metavar="N",
    help="N times as fast as recorded. Pages load at their own pace: above 1 actions may come too early.",
)  # fmt: skip
@click.option("--pause", type=click.FloatRange(0, 60), default=0.0, metavar="SECONDS", help="Longer before every step.")
@click.option(
    "--countdown", type=click.FloatRange(0, 60), default=3.0, metavar="SECONDS", help="Before the first step."
)
@click.option(
    "--anywhere", is_flag=True, help="Act on whatever is there: do not look whether it is the program recorded."
)
@click.option("--json", "as_json", is_flag=True, help="The actions, or what was done, as JSON.")
def command(
    source: Path, identity: str | None, dry_run: bool, yes: bool, speed: float, pause: float, as_json: bool, **how: Any
) -> int:
    """Perform the actions of a record on this desktop, with mouse and keyboard. Asks first; Escape stops it at once.

    Open the programs as they were when the recording began: a step is performed only in the program that it was
    recorded in (on X11). The terminal that runs this is put away meanwhile.

    \b
    curate replay recordings/one --dry-run
    curate replay DATASET ID
    """
    record = pick_record(source, identity)
    if dry_run or not as_json:
        print_actions(record, as_json)
    if dry_run:
        return 0
    if not yes:
        ask()
    from recorders.replay import Options, perform
    from recorders.replay.pace import Pace

    done = perform(record, Options(pace=Pace(speed=speed, pause=pause), **how), say)
    return tell_done(done, as_json)
