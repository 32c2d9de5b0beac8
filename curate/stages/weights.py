"""How much each kept run counts: what its record says, times its share among kept near-copies, times its share of a
score where the recipe asks for one. Every weight says where it came from, and the effective sample size says what a
weighting costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.errors import UsageError
from curate.model.scores import reward
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import from_tuples, schema, struct
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


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


def shares(rewards: Sequence[float]) -> list[float]:
    """R_i / sum(R). Equal shares where every reward is 0. Raises ValueError for a negative reward."""
    if any(value < 0 for value in rewards):
        raise ValueError("rewards are at least 0: state the score's range so that it is")
    total = math.fsum(rewards)
    return [value / total if total else 1 / len(rewards) for value in rewards]


def effective_sample_size(total: float, squares: float) -> float:
    """(sum w)^2 / sum w^2: how many equally weighed runs say as much; 0 for none. `total`: the sum of the weights,
    `squares`: that of their squares."""
    return total**2 / squares if squares else 0.0


class _Weights:
    name = "weights"
    version = 1
    scope: Literal["shard"] = "shard"
    options = WeightsOptions
    measure_options: frozenset[str] = frozenset()

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: the record's weight, who gave it, and its scores as rewards."""
        rows = [
            (
                record.id,
                record.weight.value,
                record.weight.by,
                [{"name": score.name, "reward": reward(score)} for score in record.scores],
                len(record.steps),
            )
            for record in context.records(trajectories)
        ]
        return from_tuples(rows, MEASURES)

    def decide(self, given: DecisionInput, options: WeightsOptions) -> pa.Table:
        """Besides VERDICTS: `weight`, and `weight_by`, its sources in the order they were multiplied."""
        verdicts = Verdicts(given.alive, {"weight": pa.float64(), "weight_by": pa.string()})
        rows = given.of_runs(self.name, ["weight", "by", *(["scores"] if options.score is not None else [])])
        weight, by = rows["weight"].to_numpy().astype(np.float64), rows["by"].combine_chunks()
        share = given.so_far("copy_weight") if options.copies else None
        if share is not None:
            weight = weight * pc.fill_null(share, 1.0).to_numpy()
            by = _and_by(by, pc.if_else(pc.is_valid(share), "near-copies", pa.scalar(None, pa.string())))
        if options.score is not None and len(given.alive):
            of_score, known = _score_shares(rows["scores"], options)
            weight = weight * of_score
            name = f"score {options.score}"
            by = _and_by(by, pc.if_else(pa.array(known), name, f"mean of {name}"))
        verdicts.fill("weight", weight)
        verdicts.fill("weight_by", by)
        return verdicts.table()


def _and_by(by: Any, source: Any) -> Any:
    """Sources of weights with another one behind, where it is not null."""
    return pc.binary_join_element_wise(by, source, " * ", null_handling="skip")


def _score_shares(
    scores: pa.ChunkedArray[Any], options: WeightsOptions
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Each run's share of the score, and whether it has one. Raises UsageError where no run has the score: all
    weights would be equal in silence."""
    rewards = rewards_of(scores, str(options.score))
    known = ~np.isnan(rewards)
    if not known.any():
        names: list[Any] = pc.struct_field(pc.list_flatten(scores), "name").unique().to_pylist()
        there = f"there are: {', '.join(sorted(map(str, names)))}" if names else "no run has any score"
        raise UsageError(f"weights.score: no run has a usable score named {options.score!r}; {there}")
    mean = math.fsum(rewards[known]) / int(known.sum())
    counted = np.array(shares(np.where(known, rewards, mean).tolist()))
    return counted * (len(rewards) if options.scale == "mean" else 1), known


def rewards_of(scores: pa.ChunkedArray[Any], name: str) -> NDArray[np.float64]:
    """By run its reward by the score of that name: the mean where several judges gave it one; never below 0. NaN
    where it has none."""
    lists = scores.combine_chunks()
    flat, run = pc.list_flatten(lists), pc.list_parent_indices(lists)
    reward = pc.struct_field(flat, "reward")
    ours = pc.and_(pc.equal(pc.struct_field(flat, "name"), name), pc.is_valid(reward))
    at = run.filter(ours).to_numpy()
    values = np.maximum(reward.filter(ours).to_numpy(), 0.0)
    counts = np.bincount(at, minlength=len(lists))
    found = np.full(len(lists), np.nan)
    found[at] = values
    for several in np.flatnonzero(counts > 1):
        first, last = np.searchsorted(at, (several, several + 1))
        found[several] = math.fsum(values[first:last]) / counts[several]
    return found


STAGE = _Weights()
