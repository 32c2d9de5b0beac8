"""A run's funnel as a table for a terminal."""

from __future__ import annotations

import io
import os
import shutil
from typing import Any, TextIO

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from curate.engine.report.types import Report
from curate.view.funnel import FunnelRow, Loss, funnel

_WIDTH = 110  # where the output is no terminal


def print_funnel(report: dict[str, Any], stream: TextIO) -> None:
    """Print the funnel of a report.json: what came into each stage, what went on, and why the rest did not; then
    the examples by split."""
    rows = funnel(msgspec.convert(report, Report))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, justify in (("stage", "left"), ("in", "right"), ("kept", "right"), ("left out", "right")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("why")
    for row in rows:
        table.add_row(row.name, _number(row.entered), _number(row.kept), _number(row.lost), _why(row))
    console = Console(file=stream, width=_width(stream), highlight=False)
    console.print(table)
    console.print(_examples(report))


def _width(stream: TextIO) -> int:
    if isinstance(stream, io.TextIOBase) and stream.isatty():
        return min(shutil.get_terminal_size().columns, 160)
    return int(os.environ.get("COLUMNS", _WIDTH))


def _number(count: int) -> str:
    return f"{count:,}" if count else "0"


def _why(row: FunnelRow) -> Text:
    return Text("\n".join(_loss(loss) for loss in row.losses) or "")


def _loss(loss: Loss) -> str:
    put_aside = " (put aside)" if loss.quarantined else ""
    return f"{loss.count:,} × {loss.code}{put_aside}: {loss.sentence}"


def _examples(report: dict[str, Any]) -> Text:
    examples = ", ".join(f"{count:,} {split}" for split, count in report["examples"].items()) or "none"
    lines = [
        f"{report['read']:,} read, {report['trajectories']:,} gave examples, {report['rejected']:,} did not.",
        f"Training examples: {examples}.",
    ]
    left_out = report.get("steps_left_out", [])
    if left_out:
        reasons = ", ".join(f"{row['count']:,} {row['reason']}" for row in left_out)
        lines.append(f"Steps of these runs that are no target: {sum(row['count'] for row in left_out):,} ({reasons}).")
    return Text("\n".join(lines))
