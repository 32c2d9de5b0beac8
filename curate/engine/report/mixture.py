"""What the training data is made of: by source and kind of actor, and people's part of it."""

from __future__ import annotations

from curate.engine.report.rows import share
from curate.engine.report.sums import Totals
from curate.engine.report.types import Mixture, MixtureRow

PEOPLE = "human"
"""`actor.kind` of a person (design of the record)."""


def mixture(totals: Totals) -> Mixture:
    """Rows by source and actor, most weight first; shares over the runs that gave an example."""
    targets = {(row["source"], row["actor"]): row["targets"] for row in totals.table("mixture_targets").to_dicts()}
    rows = [
        MixtureRow(
            source=row["source"],
            actor=row["actor"],
            runs=row["runs"],
            trained=row["trained"],
            steps=row["steps"],
            targets=targets.get((row["source"], row["actor"]), 0),
            weight=round(row["w"], 6),
        )
        for row in totals.table("mixture").to_dicts()
    ]
    weight = sum(row.weight for row in rows)
    for row in rows:
        row.share = round(row.weight / weight, 4) if weight else None
    people = [row for row in rows if row.actor == PEOPLE]

    def part(name: str) -> tuple[int, int, int]:
        known = sum(getattr(row, name) for row in rows)
        return sum(getattr(row, name) for row in people), known, known

    return Mixture(
        rows=sorted(rows, key=lambda row: (-row.weight, -row.runs, row.source, row.actor)),
        people_runs=share(*part("trained")),
        people_targets=share(*part("targets")),
        people_weight=round(sum(row.weight for row in people) / weight, 4) if weight else None,
    )
