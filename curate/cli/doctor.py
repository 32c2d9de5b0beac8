"""`curate doctor`: what works here."""

from __future__ import annotations

import click

from curate.cli._findings import show_findings
from curate.cli._say import next_command, result, result_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One object: whether recording works, every finding, untested.")
def command(as_json: bool) -> int:
    """Look at what works here before anybody records: display, events, pictures, accessibility, replay, room.

    Nothing is recorded or sent. The exit code is 0 when recording works here, 1 when it does not.

    \b
    curate doctor
    curate doctor --json
    """
    from recorders.doctor import examine, untested, verdict

    if as_json:
        found = list(examine())
        works, sentence = verdict(found)
        result_json({"works": works, "verdict": sentence, "findings": found, "untested": untested()})
        return 0 if works else 1
    found = list(show_findings(examine()))
    not_tried = untested()
    if not_tried:
        result("\nNot tested by anybody (please say how it went)")
        for sentence in not_tried:
            result(f"  - {sentence}")
    works, sentence = verdict(found)
    result(f"\n{sentence}")
    next_command('curate record --task "What you are going to do"' if works else "curate doctor")
    return 0 if works else 1
