"""What the decisions together mean for each run that is left: its split, its weight, its steps that are no target."""

from __future__ import annotations

from typing import Any

from curate.engine.deciding import Place, column_of_runs, kept, left_out
from curate.engine.unrolling import Fate
from curate.model.trajectory import Weight

NO_SPLIT = "train"
"""The split of a run when the recipe splits nothing."""


def fates_of(places: list[Place]) -> dict[str, Fate]:
    """The fate of every run that the last decision keeps, by id."""
    splits = column_of_runs(places, "split", "split")
    weights = column_of_runs(places, "weights", "weight")
    weighed_by = column_of_runs(places, "weights", "weight_by")
    steps, unseen = left_out(places), _out_of_history(places)
    return {
        id: Fate(
            split=str(splits.get(id) or NO_SPLIT),
            weight=_weight(weights.get(id), weighed_by.get(id)),
            no_target=sorted(steps.get(id, ())),
            no_history=sorted(unseen.get(id, ())),
        )
        for id in kept(places[-1].verdicts)
    }


def _out_of_history(places: list[Place]) -> dict[str, set[int]]:
    """By run, the steps that leave the history too."""
    found: dict[str, set[int]] = {}
    for place in places:
        if "out_of_history" in place.verdicts.column_names:
            for row in place.verdicts.select(["id", "step", "out_of_history"]).to_pylist():
                if row["out_of_history"] and row["step"] is not None:
                    found.setdefault(row["id"], set()).add(row["step"])
    return found


def _weight(value: Any, by: Any) -> Weight | None:
    return None if value is None else Weight(value=float(value), by=str(by or "weights"))
