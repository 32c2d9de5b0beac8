"""`curate tests`: packs of benchmarks' test tasks."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import next_command, result, result_json, say, verbosity
from curate.engine.packs import PackInfo, add_pack, check_data, list_packs
from curate.engine.progress import Shown
from curate.view.tests_table import count_lines, pack_lines, task_lines

_HOME = click.option("--home", type=click.Path(path_type=Path), metavar="DIR", help="Where packs are kept.")
_JSON = click.option("--json", "as_json", is_flag=True, help="For machines.")
_SETS = click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="What you state of the input.")


def _print(packs: list[PackInfo], plain: object, as_json: bool) -> None:
    if as_json:
        result_json(plain)
    else:
        result("\n".join(pack_lines(packs)))


@click.group()
def command() -> None:
    """Packs of benchmarks' test tasks: made of the lists that their makers publish, and held against data.

    \b
    curate tests add osworld OSWorld/evaluation_examples
    curate tests list
    curate tests check DATASET --pack osworld
    """


@command.command()
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--as", "form", metavar="FORMAT", help="The format of the list, where it is not told by itself.")
@_SETS
@_HOME
@_JSON
def add(name: str, path: Path, form: str | None, sets: tuple[str, ...], home: Path | None, as_json: bool) -> None:
    """Make a pack of a benchmark's list of tasks, in place of one of that NAME."""
    made = add_pack(name, path, sets, form, home)
    _print([made], made, as_json)
    say(f"Read as {made.format}; it counts in recipes and `curate run` as leaks.tests={name}.")
    next_command(f"curate tests check DATASET --pack {name}")


@command.command(name="list")
@_HOME
@_JSON
def list_(home: Path | None, as_json: bool) -> None:
    """The packs there are: version, tasks, ways they are said, tasks of which only the id is known, apps, sites."""
    packs = list_packs(home)
    _print(packs, packs, as_json)


@command.command()
@click.argument("paths", metavar="DATASET|RUN|FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pack", "packs", metavar="NAME", multiple=True, help="A pack, or a JSONL file of tasks; none: all.")
@click.option("--show", type=click.IntRange(min=0), default=20, show_default=True, help="Tasks to print.")
@_SETS
@_HOME
@_JSON
def check(
    paths: tuple[Path, ...], packs: tuple[str, ...], show: int, sets: tuple[str, ...], home: Path | None, as_json: bool
) -> None:
    """For each test task: seen (some record gives it away), similar (weak evidence) or unseen, and by which record."""
    with Shown(quiet=verbosity() < 0) as progress:
        found = check_data(paths, packs, sets, home, progress)
    if as_json:
        result_json(found)
        return
    for line in (*count_lines(found.counts), *task_lines(found.tasks, show)):
        result(line)
    say(f"{found.records:,} records were looked at. docs/leaks.md says what is evidence of what.")
