"""The options of `curate record`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from curate.model.constants import RECORDING_FPS

_FILE = click.Path(path_type=Path)
OUTCOMES = ("done", "failed", "impossible")
_OPTIONS = [
    click.option("--task", metavar="TEXT", help="What is going to be done."),
    click.option("--tasks", type=_FILE, metavar="FILE", help="Tasks, one a line: JSONL (id, instruction) or text."),
    click.option("--out", "-o", type=_FILE, default=Path("recordings"), show_default=True, metavar="DIR",
                 help="Where each recording's new folder goes."),
    click.option("--fps", type=click.FloatRange(1, 60), default=RECORDING_FPS, show_default=True,
                 help="The most pictures a second; a screen that does not change gives none."),
    click.option("--seconds", type=click.FloatRange(0, min_open=True), metavar="N",
                 help="Stop by itself after N seconds."),
    click.option("--actor", metavar="NAME", help="A pseudonym of who records."),
    click.option("--exclude", multiple=True, metavar="app:NAME|title:TEXT|monitor:N",
                 help="Keep a program, windows or a monitor out: black, without text, without input."
                 " In names * is any text, | is or."),
    click.option("--clipboard", is_flag=True, help="Record what is copied, too."),
    click.option("--consent", type=_FILE, metavar="FILE", help="Another text to agree to (first line: Version: ...)."),
    click.option("--outcome", type=click.Choice(OUTCOMES), help="How it ends, so that it is not asked."),
    click.option("--reason", metavar="TEXT", help="Why it ends like that (with --outcome)."),
    click.option("--keys", multiple=True, metavar="NAME=KEYS",
                 help="Other shortcuts: start, stop, pause, private, discard, as in stop=ctrl+shift+f9."),
    click.option("--keep-terminal", is_flag=True, help="Record this terminal as any other window."),
    click.option("--no-a11y", is_flag=True, help="Read no accessibility trees."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object a recording."),
]  # fmt: skip


def record_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All of them, in this order in the help."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
