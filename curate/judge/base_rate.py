"""What a judge's rates mean for tasks of another difficulty, and when tasks are tried again until one passes: the
harder the task, the more of what passes is wrong."""

from __future__ import annotations

from collections.abc import Sequence


def precision_at(base_rate: float, recall: float, false_positive_rate: float) -> float | None:
    """The share of true ones in what passes, of tasks of which the share `base_rate` is done right: r s / (r s +
    f (1 - s)). None where nothing passes."""
    passing = pass_rate_at(base_rate, recall, false_positive_rate)
    return recall * base_rate / passing if passing > 0 else None


def pass_rate_at(base_rate: float, recall: float, false_positive_rate: float) -> float:
    """The share that passes: q = r s + f (1 - s)."""
    return recall * base_rate + false_positive_rate * (1 - base_rate)


def passed_within(tries: int, pass_rate: float) -> float:
    """The share of tasks of which one of so many tries passes: 1 - (1 - q)^k."""
    return float(1 - (1 - pass_rate) ** tries)


def failures_kept(mix: Sequence[tuple[float, float]], tries: int, recall: float, false_positive_rate: float) -> float:
    """The share of failures in what is kept, when each task is tried until one try passes, `tries` times at most.
    `mix`: (share of the tasks, how often they are done right). With more tries it never falls, for hard tasks come in
    then. 0 where nothing passes."""
    kept = bad = 0.0
    for share, base_rate in mix:
        passing = pass_rate_at(base_rate, recall, false_positive_rate)
        precision = precision_at(base_rate, recall, false_positive_rate)
        if precision is not None:
            came = share * passed_within(tries, passing)
            kept, bad = kept + came, bad + came * (1 - precision)
    return bad / kept if kept else 0.0
