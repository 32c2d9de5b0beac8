"""`curate report`: what happened in a run, as a page and as one sentence; two runs side by side."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import next_command, result, result_json, say
from curate.model.printed import quoted
from curate.store.run_folder import RunFolder
from curate.view.compare import compare, lines
from curate.view.escape import visible
from curate.view.making import making
from curate.view.report import read_report, write_report
from curate.view.words import notes, summary


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("other", metavar="[RUN]", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="The numbers instead of the sentence.")
def command(run: Path, other: Path | None, as_json: bool) -> None:
    """Write report.html of a run folder and say where it is. With two run folders: write both, and print their counts
    side by side.

    \b
    curate report RUN
    curate report RUN --json | jq .pointer
    curate report BEFORE AFTER
    """
    first = read_report(RunFolder(run))
    if other is not None:
        second = read_report(RunFolder(other))
        rows = compare(first, second)
        for line in [] if as_json else lines(rows):
            result(line)
        if as_json:
            result_json(rows)
        say(f"Pages: {write_report(run)} and {write_report(other)}")
        return
    page = write_report(run)
    if as_json:
        result_json(first)
        say(str(page))
        return
    result(str(page))
    say(summary(first))
    for note in notes(first, making(RunFolder(run)).tests):
        say(visible(f"{'Stop' if note.level == 'stop' else 'Look'}: {note.text}"))
    next_command(f"curate show {quoted(run)}")
