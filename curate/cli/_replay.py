"""What `curate replay` says: the actions before, the question, and what was done."""

from __future__ import annotations

import sys

import click

from curate.cli._say import fail, result, result_json, say
from curate.model.errors import UsageError
from curate.model.performed import Performed
from curate.model.printed import printable
from curate.model.render import code_of
from curate.model.trajectory import Trajectory

INTERRUPTED = 130


def print_actions(record: Trajectory, as_json: bool) -> None:
    """Every step's actions. Recorded text is hostile: nothing of it reaches the terminal as control characters."""
    if as_json:
        for step in record.steps:
            result_json({"step": step.index, "time": step.time, "actions": step.actions, "flags": step.flags})
        return
    result(f"{printable(record.id)}: {printable(record.instruction, 200)}")
    for step in record.steps:
        time = f"{step.time.start:8.2f} s" if step.time else " " * 10
        for number, line in enumerate((code_of(step.actions) or "(not known what was done)").splitlines()):
            result(f"{step.index if not number else '':>4} {time if not number else '':10}  {printable(line)}")


def ask() -> None:
    """Whether the person wants this. Raises UsageError where nobody can be asked; a no ends the command."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("A replay takes over mouse and keyboard and asks first; without a terminal it needs --yes.")
    if not click.confirm("Perform this on this desktop now?", err=True):
        say("Nothing was performed.")
        raise click.exceptions.Exit(1)


def tell_done(done: Performed, as_json: bool) -> int:
    """What was done; the exit code."""
    if as_json:
        result_json(done)
    for note in done.notes:
        say(note)
    for left in done.left_out:
        say(f"Left out: {left.why}")
    if done.ended == "window":
        say(f"{done.steps} of {done.of} steps were performed.")
        fail(done.why or "Another program is where the next step's own should be.")
        return 1
    if done.ended != "done":
        by = "Escape" if done.ended == "escape" else "an interrupt"
        say(f"Stopped by {by}: {done.steps} of {done.of} steps were performed.")
        return INTERRUPTED
    shorter = f", {done.shortened:.0f} s of pauses left out" if done.shortened else ""
    say(f"{done.steps} of {done.of} steps performed in {done.seconds:.1f} s{shorter}.")
    return 0
