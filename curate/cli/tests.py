"""`curate tests`: packs of benchmarks' test tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli._say import next_command, say, verbosity
from curate.cli._tests import FORM, HOME, JSON, PACKS, SETS, SHOW, show_checked, show_packs
from curate.engine.packs import add_pack, check_data, list_packs
from curate.engine.progress import Shown


@click.group()
def command() -> None:
    """Packs of benchmarks' test tasks: made of the lists that their makers publish, and held against data.

    \b
    curate tests add osworld OSWorld/evaluation_examples
    curate tests check DATASET --pack osworld
    """


@command.command()
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path))
@FORM
@SETS
@HOME
@JSON
def add(name: str, path: Path, form: str | None, sets: tuple[str, ...], home: Path | None, as_json: bool) -> None:
    """Make a pack of a benchmark's list of tasks, in place of one of that NAME."""
    show_packs([made := add_pack(name, path, sets, form, home)], made, as_json)
    say(f"Read as {made.format}; it counts in recipes and `curate run` as leaks.tests={name}.")
    next_command(f"curate tests check DATASET --pack {name}")


@command.command(name="list")
@HOME
@JSON
def list_(home: Path | None, as_json: bool) -> None:
    """The packs there are: version, tasks, ways they are said, tasks of which only the id is known, apps, sites."""
    show_packs(packs := list_packs(home), packs, as_json)


@command.command()
@click.argument("paths", metavar="DATASET|RUN|FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@PACKS
@SHOW
@SETS
@HOME
@JSON
def check(paths: tuple[Path, ...], home: Path | None, packs: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """For each test task: seen (some record gives it away), similar (weak evidence) or unseen, and by which record."""
    with Shown(quiet=verbosity() < 0) as progress:
        found = check_data(paths, packs, given["sets"], home, progress)
    show_checked(found, given["show"], as_json)
