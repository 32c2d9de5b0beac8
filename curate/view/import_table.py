"""What an import brought, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


class Counts(Protocol):
    """What one source gave (`engine.importing.SourceCounts`)."""

    @property
    def source(self) -> str: ...
    @property
    def inputs(self) -> int: ...
    @property
    def trajectories(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def pictures(self) -> int: ...
    @property
    def missing(self) -> int: ...
    @property
    def damaged(self) -> int: ...
    @property
    def without(self) -> int: ...
    @property
    def refused(self) -> dict[str, int]: ...
    @property
    def flags(self) -> dict[str, int]: ...
    @property
    def renamed(self) -> int: ...


_NUMBERS = ("inputs", "trajectories", "steps", "pictures", "missing", "damaged", "without")


def print_import(counts: Sequence[Counts], stream: TextIO) -> None:
    """A row a source: trajectories, steps, steps with their picture, with a missing or damaged one, with none; below it
    what was refused and what was flagged."""
    console = Console(file=stream, highlight=False, soft_wrap=True, width=120)
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("source")
    for name in (*_NUMBERS, "refused"):
        table.add_column(name, justify="right")
    for one in counts:
        numbers = (f"{getattr(one, name):,}" for name in _NUMBERS)
        table.add_row(one.source, *numbers, f"{sum(one.refused.values()):,}")
    console.print(table)
    for one in counts:
        _print_codes(console, f"{one.source}: refused", one.refused)
        _print_codes(console, f"{one.source}: flags (steps)", one.flags)
        if one.renamed:
            console.print(Text(f"{one.source}: {one.renamed:,} ids were there before and got a number"))


def _print_codes(console: Console, title: str, found: Mapping[str, int]) -> None:
    if found:
        listed = ", ".join(f"{code} {count:,}" for code, count in sorted(found.items(), key=lambda one: (-one[1], one)))
        console.print(Text(f"{title}: {listed}"))
