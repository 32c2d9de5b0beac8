"""`curate doctor`: what works here."""

from __future__ import annotations

import click

from curate.cli._findings import show_findings, show_list
from curate.cli._say import next_command, result, result_json, verbosity


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One object: whether recording works, every finding, untested.")
def command(as_json: bool) -> int:
    """Look at what works here before anybody records: display, events, pictures, accessibility, replay, room.

    Nothing is recorded or sent. The exit code is 0 when recording works here, 1 when it does not.

    \b
    curate doctor
    curate doctor --json
    """
    from recorders.checks.doctor import examine, untested, untested_here, verdict

    if as_json:
        found = list(examine())
        works, sentence = verdict(found)
        result_json({"works": works, "verdict": sentence, "findings": found, "untested": untested()})
        return 0 if works else 1
    found = list(show_findings(examine()))
    here, elsewhere = untested_here()
    if verbosity() < 1:
        counts = f"{len(here)} things here, {len(elsewhere)} elsewhere"
        result(f"\nNot tested by anybody: {counts}; `curate -v doctor` lists them.")
    else:
        show_list("Not tested by anybody", [*here, *elsewhere])
    works, sentence = verdict(found)
    result(f"\n{sentence}")
    next_command('curate record --task "What you are going to do"' if works else "curate doctor")
    return 0 if works else 1
