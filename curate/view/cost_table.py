"""Costs as lines of text in columns."""

from __future__ import annotations

from curate.engine.planning.costs import CostRow, Costs
from curate.model.printed import printable


def lines(found: Costs) -> list[str]:
    """A header, a line a source, and one for all together where there are several."""
    rows = [_cells(row) for row in found.rows]
    head = ("source", "attempts", "kept", f"spent, {printable(found.currency, 20)}", "an attempt", "a kept run", "for")
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head) - 1)]
    return ["  ".join([_placed(row, widths), row[-1]]).rstrip() for row in (head, *rows)]


def _placed(row: tuple[str, ...], widths: list[int]) -> str:
    first = f"{row[0]:<{widths[0]}}"
    return "  ".join([first, *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=False))])


def _cells(row: CostRow) -> tuple[str, ...]:
    parts = ", ".join(f"{printable(what, 60)} {money(spent)}" for what, spent in row.parts.items())
    name = "all together" if row.source is None else printable(row.source, 60)
    each = (money(row.per_attempt), money(row.per_kept) if row.per_kept is not None else "none was kept")
    return (name, f"{row.attempts:,}", f"{row.kept:,}", money(row.spent), *each, parts)


def money(value: float | None) -> str:
    """A sum with as many digits as it needs: cents from one on, three figures that count below."""
    if value is None:
        return "unknown"
    return f"{value:,.2f}" if value >= 1 or value == 0 else f"{value:.3g}"
