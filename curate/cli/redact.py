"""`curate redact`: recordings without the secrets of a file."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._redacted import told
from curate.cli._say import next_command, result, say
from curate.engine.redact_only import redact_inputs
from curate.model.printed import quoted


@click.command()
@click.argument("recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--secrets", metavar="FILE", required=True, type=click.Path(path_type=Path),
    help="One secret a line, or JSON lines with text or pattern, and name.",
)  # fmt: skip
@click.option("--out", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Where the new ones go.")
@click.option("--ignore-case", is_flag=True, help="A secret is one in any case of its letters.")
def command(recordings: tuple[Path, ...], secrets: Path, out: Path, ignore_case: bool) -> None:
    """Take secrets out of recordings: out of keys, texts, trees, titles, names of files, and every picture.

    Each recording is written anew into DIR and looked through afterwards; one in which anything is left is not kept
    (exit code 4). What is in DIR already, of the same secrets and recording, is left as it is. The recordings given
    stay as they are: remove them when you have looked at the new ones.

    \b
    curate redact recordings --secrets secrets.txt --out redacted
    curate redact recordings/one --secrets secrets.jsonl --out redacted --ignore-case
    """
    for folder, done in redact_inputs(recordings, secrets, out, ignore_case):
        for line in told(folder.name, done):
            say(line)
        result(str(folder))
    next_command(f"curate run {quoted(out)} --recipe desktop --out RUN")
