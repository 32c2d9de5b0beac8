"""What `curate mix` is told, as options."""

from __future__ import annotations

import math
from pathlib import Path

import click
from click.core import ParameterSource

from curate.engine.mixing.columns import KEYS
from curate.engine.mixing.mix import By, MixOptions
from curate.engine.mixing.mix_recipe import read_mix_recipe
from curate.model.errors import UsageError
from curate.model.near import did_you_mean


def shares_of(
    parts: tuple[str, ...], by: By, *, groups: tuple[str, ...], floor: str | None, size: float | None, seed: int,
    tests: tuple[str, ...], sets: tuple[str, ...],
) -> tuple[list[Path], MixOptions]:  # fmt: skip
    """The folders, and how they are mixed. Raises UsageError."""
    if not parts:
        raise UsageError("Name the datasets to mix (A=0.6 B=0.4), or a file that does: --recipe FILE.")
    folders, shares = zip(*map(_part, parts), strict=True)
    told = [share for share in shares if share is not None]
    if told and len(told) < len(shares):
        raise UsageError("Give each dataset a share (A=0.6 B=0.4), or none.")
    if told and groups:
        raise UsageError("Shares are of the datasets or of a key (--share), not of both.")
    if told and not sum(told):
        raise UsageError("The shares come to nothing.")
    key, of = _groups(groups)
    return list(folders), MixOptions(
        by=by, shares=told, key=key, groups=of, size=size, floor=_floor(floor), seed=seed, tests=list(tests),
        sets=list(sets),
    )  # fmt: skip


def from_recipe(file: Path, context: click.Context) -> tuple[list[Path], MixOptions]:
    """The same from a file. Raises UsageError, for options beside it too: a mixture that is kept is all in its file."""
    beside = sorted(
        name for name in context.params.keys() - _BESIDE_A_RECIPE
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    )  # fmt: skip
    if beside:
        shown = {"parts": "datasets", "groups": "--share", "sets": "--set"}
        named = ", ".join(shown.get(name, f"--{name}") for name in beside)
        raise UsageError(f"With --recipe all of the mixture stands in {file}: write {named} there.")
    return read_mix_recipe(file)


_BESIDE_A_RECIPE = frozenset(("recipe", "out", "as_json"))


def _part(text: str) -> tuple[Path, float | None]:
    """`FOLDER=SHARE`, or a folder alone (whose name may hold a `=`)."""
    folder, equals, share = text.rpartition("=")
    if not equals or Path(text).exists():
        return Path(text), None
    return Path(folder), _number(share, text)


def _groups(given: tuple[str, ...]) -> tuple[str | None, dict[str, float]]:
    key, found = None, {}
    for text in given:
        name, _, share = text.rpartition("=")
        one, colon, value = name.partition(":")
        if not colon or one not in KEYS:
            raise UsageError(
                f"--share {text}: write KEY:VALUE=SHARE, KEY one of {', '.join(KEYS)}.{did_you_mean(one, KEYS)}"
            )
        if key not in (None, one):
            raise UsageError(f"--share {text}: all shares are of one key, and another is of {key}.")
        key, found[value] = one, _number(share, text)
    return key, found


def _floor(text: str | None) -> float:
    if text is None:
        return 0.0
    who, equals, share = text.partition("=")
    if not equals or who != "human":
        raise UsageError(f"--floor {text}: write human=SHARE, such as human=0.1.")
    floor = _number(share, f"--floor {text}")
    if floor > 1:
        raise UsageError(f"--floor {text}: a share is at most 1.")
    return floor


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise UsageError(f"{where}: {text!r} is no share; write a number from 0, such as 0.4.")
    return number
