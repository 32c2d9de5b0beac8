"""`curate redact`: recordings without the secrets of a file."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import next_command, result, say
from curate.model.errors import InputError
from curate.model.printed import quoted
from curate.reduce.redaction.recording import redact_recording
from curate.reduce.redaction.secrets import read_secrets
from curate.reduce.redaction.spellings import Spellings
from curate.sources.detect import find_inputs


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
    (exit code 4). The recordings given stay as they are: remove them when you have looked at the new ones.

    \b
    curate redact recordings --secrets secrets.txt --out redacted
    curate redact recordings/one --secrets secrets.jsonl --out redacted --ignore-case
    """
    spellings = Spellings(read_secrets(secrets, ignore_case))
    found = find_inputs(recordings).inputs
    for other in (one for one in found if one.source != "recording"):
        raise InputError(f"{other.path} is no recording of curate record: give it to curate run with redact.secrets.")
    for one in found:
        done = redact_recording(one.path, spellings, out)
        said = f"{done.typed} typed, {done.boxes} in trees, {done.frames} pictures with something black"
        say(f"{done.folder.name}: {said}")
        if done.left_out:
            say(f"{done.folder.name}: {done.left_out} lines or files that could not be read were left out")
        result(str(done.folder))
    next_command(f"curate reduce {quoted(out)} --out dataset")
