"""What commands say: results on stdout, everything else on stderr."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from curate.model.printed import printable_lines, quoted

VERBOSITY = "curate.verbosity"


def verbosity(context: click.Context | None = None) -> int:
    """-1 with -q, 0, 1 with -v."""
    context = context or click.get_current_context(silent=True)
    return int(context.find_root().meta.get(VERBOSITY, 0)) if context else 0


def say(message: str) -> None:
    """A message on stderr, unless -q."""
    if verbosity() >= 0:
        click.echo(printable_lines(message), err=True)


def detail(message: str) -> None:
    """A message that only -v shows."""
    if verbosity() > 0:
        click.echo(printable_lines(message), err=True)


def fail(message: str) -> None:
    """An error, in one sentence."""
    click.echo(f"Error: {printable_lines(message)}", err=True)


def result(text: str | bytes) -> None:
    """A line of the result on stdout: as it is where a program reads it, printable on a terminal."""
    if sys.stdout.isatty():
        click.echo(printable_lines(text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text))
    else:
        click.echo(os.fsencode(text) if isinstance(text, str) and not _fits(text) else text)


def _fits(text: str) -> bool:
    """Whether the text is without halves of characters, by which names of files stand that are no UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def result_json(obj: Any) -> None:
    """One JSON object as a line of the result."""
    click.echo(msgspec.json.encode(obj))


def next_command(command: str) -> None:
    """The next useful command, as the last message, spelled so that it can be typed here."""
    say(f"Next: {_as_typed(command)}")


def _as_typed(command: str) -> str:
    """`curate ...` as this program was started where no `curate` is on the path (`.venv/bin/curate ...`)."""
    started = Path(sys.argv[0])
    if not command.startswith("curate ") or shutil.which("curate") or started.stem != "curate":
        return command
    try:
        name = os.path.relpath(started)
    except ValueError:  # another drive
        name = ".."
    if name.startswith(".."):
        name = str(started.resolve())
    return f"{quoted(Path(name))} {command.removeprefix('curate ')}"
