"""Two runs side by side, number by number: what came in, what came out, and why the rest did not."""

from __future__ import annotations

import msgspec

from curate.engine.report.types import Report


class Difference(msgspec.Struct, frozen=True):
    """One number of two runs."""

    name: str
    first: int
    second: int


def compare(first: Report, second: Report) -> list[Difference]:
    """Counts of both runs in one order: totals, examples by split, runs and steps left out by reason."""
    rows = [("runs read", first.read, second.read)]
    rows.append(("runs that gave examples", first.trajectories, second.trajectories))
    rows.append(("runs that gave none", first.rejected, second.rejected))
    for name in sorted(first.examples | second.examples):
        rows.append((f"{name} examples", first.examples.get(name, 0), second.examples.get(name, 0)))
    for field in ("rejected_by_reason", "steps_left_out"):
        one, other = ({row.reason: row.count for row in getattr(report, field)} for report in (first, second))
        words = "runs left out" if field == "rejected_by_reason" else "steps left out"
        rows += [(f"{words}, {code}", one.get(code, 0), other.get(code, 0)) for code in sorted(one | other)]
    return [Difference(*row) for row in rows]


def lines(rows: list[Difference]) -> list[str]:
    """The rows as text in columns, with the change where there is one."""
    width = max((len(row.name) for row in rows), default=0)
    found = []
    for row in rows:
        change = f"  {row.second - row.first:+,}" if row.second != row.first else ""
        found.append(f"{row.name:<{width}}  {row.first:>9,}  {row.second:>9,}{change}")
    return found
