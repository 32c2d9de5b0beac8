"""`curate record`: record a person at a task."""

from __future__ import annotations

import sys
from typing import Any

import click

from curate.cli._record_options import record_options
from curate.cli._say import fail, next_command, result, result_json, say, verbosity
from curate.model.errors import UsageError
from curate.model.printed import quoted


@click.command()
@record_options
def command(**given: Any) -> int:
    """Record the desktop while you do a task: pictures, input, windows, accessibility.

    Each recording is a new folder in DIR. ctrl+alt+end (or Ctrl-C here) stops, ctrl+alt+home pauses and goes on,
    ctrl+alt+page_up hides what you do until it is pressed again, ctrl+alt+shift+end discards. Without a terminal
    nothing is asked.

    \b
    curate record --task "Rename the report and mail it"
    curate record --tasks tasks.jsonl --out recordings --exclude app:keepassxc
    """
    from recorders.terminal.plan import plan_recordings
    from recorders.terminal.summary import Taken, interrupted
    from recorders.terminal.takes import record_tasks
    from recorders.terminal.terminal import Terminal

    if given["task"] is not None and given["tasks"] is not None:
        raise UsageError("Give one of them: --task for one task, or --tasks FILE for a list.")
    if given["task"] is None and given["tasks"] is None:
        raise UsageError('Say what is going to be done: --task "Rename the report and mail it", or --tasks FILE.')
    terminal = Terminal(quiet=verbosity() < 0)
    kept: list[Taken] = []

    def tell(taken: Taken) -> None:
        if given["as_json"]:
            result_json(taken.as_json())
        elif taken.kept:
            result(str(taken.folder))
        kept.extend([taken] if taken.kept else [])

    try:
        record_tasks(plan_recordings(given, terminal, say), terminal, tell)
    except KeyboardInterrupt:
        terminal.say()  # ^C stands on the line of a question
        fail(interrupted(len(kept), of_a_list=given["tasks"] is not None))
        return 130
    finally:
        if kept:
            sys.stdout.flush()
            next_command(f"curate run {quoted(given['out'])} --recipe desktop --out RUN")
    return 1 if any(taken.info.faults for taken in kept) else 0
