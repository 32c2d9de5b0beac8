"""How much each kept run counts: what its record says, times its share among kept near-copies, times its share of a
score where the recipe asks for one. Every weight says where it came from, and the effective sample size says what a
weighting costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from curate.model.errors import UsageError
from curate.model.trajectory import Score
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import schema, struct
from curate.stages.verdicts import Verdicts, rows_by_id


class WeightsOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`score`: the name of a score by which runs are weighed, R / sum(R) (null: none). A score whose lower values are
    better is turned round within its range; a run without it counts as the mean of the others. `scale`: `share`
    leaves the weights of a score summing to 1, `mean` makes their mean 1. `copies`: near-copies that were kept share
    one weight."""

    score: str | None = None
    scale: Literal["share", "mean"] = "share"
    copies: bool = True


_SCORE = struct(name=pa.string(), reward=pa.float64())
MEASURES = schema(id=pa.string(), weight=pa.float64(), by=pa.string(), scores=pa.list_(_SCORE), steps=pa.int64())


def reward(score: Score) -> float | None:
    """The score as a reward, more being better, in its own units: `value`, or mirrored in its range where lower is
    better. None for what is no number or lies outside of the range that is stated: a wrong direction or range would
    favour failures in silence."""
    if not all(map(math.isfinite, (score.value, score.min, score.max))) or not score.min <= score.value <= score.max:
        return None
    return score.value if score.higher_is_better else score.max + score.min - score.value


def shares(rewards: Sequence[float]) -> list[float]:
    """R_i / sum(R). Equal shares where every reward is 0. Raises ValueError for a negative reward."""
    if any(value < 0 for value in rewards):
        raise ValueError("rewards are at least 0: state the score's range so that it is")
    total = math.fsum(rewards)
    return [value / total if total else 1 / len(rewards) for value in rewards]


def effective_sample_size(weights: Iterable[float]) -> float:
    """(sum w)^2 / sum w^2: how many equally weighed examples say as much; 0 for none."""
    values = list(weights)
    squares = math.fsum(value * value for value in values)
    return math.fsum(values) ** 2 / squares if squares else 0.0


class _Weights:
    name = "weights"
    version = 1
    scope: Literal["shard"] = "shard"
    options = WeightsOptions
    measure_options: frozenset[str] = frozenset()

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: the record's weight, who gave it, and its scores as rewards."""
        rows = [
            {
                "id": record.id,
                "weight": record.weight.value,
                "by": record.weight.by,
                "scores": [{"name": score.name, "reward": reward(score)} for score in record.scores],
                "steps": len(record.steps),
            }
            for record in context.records(trajectories)
        ]
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: WeightsOptions) -> pa.Table:
        """Besides VERDICTS: `weight`, and `weight_by`, its sources in the order they were multiplied."""
        verdicts = Verdicts(given.alive, {"weight": pa.float64(), "weight_by": pa.string()})
        rows = rows_by_id(given.measures[self.name])
        weight = {run: float(rows[run]["weight"]) for run in given.alive}
        by = {run: [rows[run]["by"]] for run in given.alive}
        if options.copies:
            for run, share in _copy_shares(given.verdicts).items():
                if run in weight:
                    weight[run] *= share
                    by[run].append("near-copies")
        if options.score is not None and given.alive:
            for run, (share, source) in _score_shares(rows, given.alive, options).items():
                weight[run] *= share
                by[run].append(source)
        for run in given.alive:
            verdicts.note(run, weight=weight[run], weight_by=" * ".join(by[run]))
        return verdicts.table()


def _copy_shares(verdicts: Mapping[str, pa.Table]) -> dict[str, float]:
    """The share of each run that weighs with near-copies, as the decision on them said."""
    found: dict[str, float] = {}
    for table in verdicts.values():
        if "copy_weight" in table.column_names:
            weighed = table.filter(pc.is_valid(table["copy_weight"])).select(["id", "copy_weight"])
            found.update({row["id"]: row["copy_weight"] for row in weighed.to_pylist()})
    return found


def _score_shares(
    rows: Mapping[str, Mapping[str, Any]], alive: Sequence[str], options: WeightsOptions
) -> dict[str, tuple[float, str]]:
    """Each run's share of the score, and its source. Raises UsageError where no run has the score: all weights would
    be equal in silence."""
    rewards = {run: _reward_of(rows[run]["scores"], options.score) for run in alive}
    known = [value for value in rewards.values() if value is not None]
    if not known:
        names = sorted({score["name"] for row in rows.values() for score in row["scores"]})
        there = f"there are: {', '.join(names)}" if names else "no run has any score"
        raise UsageError(f"weights.score: no run has a usable score named {options.score!r}; {there}")
    mean = math.fsum(known) / len(known)
    counted = shares([mean if value is None else value for value in rewards.values()])
    factor = len(alive) if options.scale == "mean" else 1
    source = {
        run: f"score {options.score}" if value is not None else f"mean of score {options.score}"
        for run, value in rewards.items()
    }
    return {run: (share * factor, source[run]) for run, share in zip(rewards, counted, strict=True)}


def _reward_of(scores: Sequence[Mapping[str, Any]], name: str | None) -> float | None:
    """The run's reward by the score of that name: the mean where several judges gave it one; never below 0."""
    found = [max(score["reward"], 0.0) for score in scores if score["name"] == name and score["reward"] is not None]
    return math.fsum(found) / len(found) if found else None


STAGE = _Weights()
