"""`curate redact`: recordings without the secrets of a file."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import next_command, result, say
from curate.model.errors import InputError, StoreError
from curate.model.printed import quoted
from curate.reduce.redaction.marks import Marks
from curate.reduce.redaction.recording import Redacted, redact_recording
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
    (exit code 4). What is in DIR already, of the same secrets and recording, is left as it is. The recordings given
    stay as they are: remove them when you have looked at the new ones.

    \b
    curate redact recordings --secrets secrets.txt --out redacted
    curate redact recordings/one --secrets secrets.jsonl --out redacted --ignore-case
    """
    spellings = Spellings(read_secrets(secrets, ignore_case))
    found = find_inputs(recordings).inputs
    for other in (one for one in found if one.source != "recording"):
        raise InputError(f"{other.path} is no recording of curate record: give it to curate run with redact.secrets.")
    marks = Marks(out, secrets, ignore_case)
    there = {one.path: out / spellings.mask(one.path.resolve().name) for one in found}
    for path, target in there.items():
        if target.exists() and not marks.has(path, target.name):
            raise StoreError(f"{target} is there already, and not from these secrets: give another --out or remove it.")
    for path, target in there.items():
        if target.exists():
            say(f"{target.name}: is there already, with the same secrets; left as it is")
        else:
            done = redact_recording(path, spellings, out)
            marks.add(path, done.folder.name)
            _say_done(done)
        result(str(target))
    next_command(f"curate run {quoted(out)} --recipe desktop --out RUN")


def _say_done(done: Redacted) -> None:
    name = done.folder.name
    black = f"{done.frames} pictures with something black"
    if done.frames:
        black += f" ({done.share:.1%} of them on average, {done.most:.1%} at most)"
    say(f"{name}: {done.typed} typed, {done.boxes} in trees, {black}")
    if done.released:
        say(f"{name}: {done.released} places changed while it was typed but show something else: black only then")
    if done.left_out:
        say(f"{name}: {done.left_out} lines or files that could not be read were left out")
    if done.doubts:
        stood = " and ".join(done.doubts)
        say(f"{name}: a secret stood {stood}: short or half covered parts of it may still show; look at it")
