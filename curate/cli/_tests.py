"""What `curate tests` prints, and the options that its commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from curate.cli._say import result, result_json, say
from curate.engine.packs import Checked, PackInfo
from curate.view.tests_table import count_lines, pack_lines, task_lines

HOME = click.option("--home", type=click.Path(path_type=Path), metavar="DIR", help="Where packs are kept.")
FORM = click.option("--as", "form", metavar="FORMAT", help="The format of the list, where it is not told by itself.")
JSON = click.option("--json", "as_json", is_flag=True, help="For machines.")
SETS = click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="What you state of the input.")
PACKS = click.option("--pack", "packs", metavar="NAME", multiple=True, help="A pack, or a JSONL file; none: all packs.")
SHOW = click.option("--show", type=click.IntRange(min=0), default=20, show_default=True, help="Tasks to print.")


def show_packs(packs: Sequence[PackInfo], plain: object, as_json: bool) -> None:
    """A table of packs, or what machines read."""
    if as_json:
        result_json(plain)
    else:
        result("\n".join(pack_lines(packs)))


def show_checked(found: Checked, most: int, as_json: bool) -> None:
    """Counts by pack, and the tasks that are given away."""
    if as_json:
        result_json(found)
        return
    for line in (*count_lines(found.counts), *task_lines(found.tasks, most)):
        result(line)
    say(f"{found.records:,} records were looked at. docs/leaks.md says what is evidence of what.")
