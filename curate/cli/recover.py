"""`curate recover`: interrupted recordings made whole."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import fail, next_command, result, result_json, say
from curate.model.errors import CurateError
from curate.model.printed import quoted


@click.command()
@click.argument("recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One object a recording: what was done, counts, faults.")
def command(recordings: tuple[Path, ...], as_json: bool) -> int:
    """Make interrupted recordings whole: the recorder was killed, the disk was full, the machine lost its power.

    A folder stands for all recordings at any depth in it. Recordings that ended as they should are left as they are.

    \b
    curate recover recordings/one
    curate recover recordings --json
    """
    from recorders.recovery.recover import find_recordings, recovered

    failed = 0
    for folder in find_recordings(recordings):
        try:
            done = recovered(folder)
        except CurateError as error:
            fail(str(error))
            failed = failed or error.exit_code
            continue
        if as_json:
            counts = done.info.counts
            result_json({"folder": str(folder), "changed": done.changed, "counts": counts, "faults": done.info.faults})
            continue
        result(f"{folder}: {'made whole' if done.changed else 'ended as it should, left as it is'}")
        for sentence in done.info.faults if done.changed else ():
            say(f"  {sentence}")
    if not failed and not as_json:
        next_command(f"curate run {quoted(*recordings)} --recipe desktop --out RUN")
    return failed
