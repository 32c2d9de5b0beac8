"""What more data brings: scores of models trained on more and more of it, as points per thousand runs and per doubling.

A file of scores has a row a trained model: `experiment`, `runs` (it was trained on) and `score` (points), as CSV with
these columns or JSONL. Scores are compared within an experiment only: another benchmark, model or recipe moves them
more than data does."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curate.model.errors import InputError
from curate.store.jsonl import BadLine, read_lines


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A trained model: `runs` at least 1, `score` in points."""

    experiment: str
    runs: int
    score: float


class ScalingRow(msgspec.Struct, kw_only=True):
    """One experiment. `runs`, `score`: in order of runs. `per_thousand`: points per thousand more runs, from each size
    to the next; `whole`: from the first to the last; `per_doubling`: slope of the score over log2(runs), least squares,
    with the share of variance `r2` that it explains. `cost_a_point`: what a point costs at the last size, where a
    kept run has a price. Null with fewer than two sizes, or where the score did not rise."""

    experiment: str
    runs: list[int]
    score: list[float]
    per_thousand: list[float]
    whole: float | None
    per_doubling: float | None
    r2: float | None
    cost_a_point: float | None = None


def read_scores(path: Path) -> list[Score]:
    """A file of scores. Raises InputError with file and line."""
    found = []
    for number, plain in _csv(path) if path.suffix.lower() == ".csv" else _jsonl(path):
        try:
            score = msgspec.convert(plain, Score, strict=False)
        except msgspec.ValidationError as error:
            raise InputError(f"The scores {path}, line {number}: {error}.") from error
        if score.runs < 1 or not math.isfinite(score.score):
            raise InputError(f"The scores {path}, line {number}: `runs` is at least 1 and `score` a number of points.")
        found.append(score)
    if not found:
        raise InputError(f"The scores {path} are empty: give a row a trained model (experiment, runs, score).")
    return found


def _csv(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            for row in rows:
                yield rows.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"Cannot read the scores {path}: {error}.") from error


def _jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    if not path.is_file():
        raise InputError(f"Cannot read the scores {path}: there is no such file.")
    for line in read_lines(path):
        if isinstance(line, BadLine):
            raise InputError(f"The scores {path}, line {line.number}: {line.detail}.")
        try:
            yield line.number, msgspec.json.decode(line.data)
        except msgspec.DecodeError as error:
            raise InputError(f"The scores {path}, line {line.number}: {error}.") from error


def scaling(scores: Iterable[Score], per_kept: float | None = None) -> list[ScalingRow]:
    """A row an experiment, by name. `per_kept`: what a kept run costs. Several scores of one size are averaged."""
    by: dict[str, dict[int, list[float]]] = {}
    for score in scores:
        by.setdefault(score.experiment, {}).setdefault(score.runs, []).append(score.score)
    means = {name: sorted((n, sum(s) / len(s)) for n, s in sizes.items()) for name, sizes in by.items()}
    return [_row(name, means[name], per_kept) for name in sorted(means)]


def _row(name: str, points: Sequence[tuple[int, float]], per_kept: float | None) -> ScalingRow:
    runs, score = [n for n, _ in points], [s for _, s in points]
    steps = [_per_thousand(a, b) for a, b in pairwise(points)]
    slope, r2 = per_doubling(runs, score)
    rising = per_kept is not None and steps and steps[-1] > 0
    return ScalingRow(
        experiment=name,
        runs=runs,
        score=[round(s, 4) for s in score],
        per_thousand=[round(step, 4) for step in steps],
        whole=round(_per_thousand(points[0], points[-1]), 4) if steps else None,
        per_doubling=slope,
        r2=r2,
        cost_a_point=round(1000 * per_kept / steps[-1], 2) if rising and per_kept is not None else None,
    )


def _per_thousand(one: tuple[int, float], other: tuple[int, float]) -> float:
    return 1000 * (other[1] - one[1]) / (other[0] - one[0])


def per_doubling(runs: Sequence[int], score: Sequence[float]) -> tuple[float | None, float | None]:
    """The slope of the score over log2(runs), and the share of its variance that this explains (null where the score
    does not vary). Null for fewer than two sizes."""
    if len(runs) < 2:
        return None, None
    x, y = np.log2(np.asarray(runs, float)), np.asarray(score, float)
    slope, start = np.polyfit(x, y, 1)
    spread = float(((y - y.mean()) ** 2).sum())
    left = float(((y - (slope * x + start)) ** 2).sum())
    return round(float(slope), 4), round(1 - left / spread, 4) if spread else None
