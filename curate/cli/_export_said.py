"""What `curate export` says of what it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from curate.cli._say import say
from curate.engine.exporting import Exported
from curate.formats.base import Listed, format_named


def say_exported(done: Exported, folder: Path, name: str, out: Path) -> None:
    """Examples, pictures, and what was left out."""
    where = _named(done.outs) if done.outs else out
    splits = ", ".join(f"{count} {name}" for name, count in done.examples.items()) or "no"
    say(f"{splits} examples of {done.records} records in {where}; {done.without} records gave none.")
    if done.records_left_out:
        say(
            f"Those that gave none, with their reasons ({_counted(done.records_out)}): {_named(done.records_left_out)}."
        )
    if done.pictures is None:
        say(f"Pictures are named relative to {folder}.")
    else:
        lost = f"; {done.missing} could not be read, and their steps are no targets" if done.missing else ""
        say(f"{done.made} pictures in {done.pictures}{lost}. They are named relative to the folder of {out.name}.")
    if done.steps_left_out:
        count, reasons = sum(done.left_out.values()), _counted(done.left_out)
        say(f"{count} steps gave no example ({reasons}): {_named(done.steps_left_out)}.")
    if done.weights:
        say(f"The rows of {name} have no place for weights: they are in {_named(done.weights)}, line by line.")
    form = format_named(name)
    if form.about.set_there and done.outs:
        say(f"Set in the trainer: {form.about.set_there} (docs/formats.md has all).")
    if isinstance(form, Listed) and done.outs:
        say(f"{_named([one.stem for one in done.outs])} stand in {out.parent / form.listing}.")


def _named(some: Sequence[object]) -> str:
    return ", ".join(str(one) for one in some)


def _counted(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in reasons.items())
