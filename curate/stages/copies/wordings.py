"""The run that stays takes over how the runs that went say its task: they are true of it too, and a model that has read
one wording only has learnt less. What differs only in case, punctuation or spelling is no other wording."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import COPY_WORDINGS
from curate.stages.measures.task_text import task_key

Taken = tuple[list[int], list[list[dict[str, str]]], list[list[str]]]
"""Positions of the runs that take something over, their new wordings, and the lines of their lineage."""


def taken_over(
    gone: NDArray[np.int64],
    witness: NDArray[np.int64],
    ids: Sequence[str],
    instructions: Sequence[str],
    wordings: Sequence[Sequence[str]],
) -> Taken:
    """`gone`: positions of runs that are out, in the order they were judged; `witness`: of the run that each is a copy
    of. The rest is by position. At most COPY_WORDINGS are taken over by a run, the first judged first."""
    found: dict[int, list[dict[str, str]]] = {}
    givers: dict[int, dict[str, None]] = {}
    known: dict[int, set[str | None]] = {}
    more: dict[int, int] = {}
    for one, stays in zip(gone.tolist(), witness.tolist(), strict=True):
        if stays not in known:
            known[stays] = {task_key(text) for text in (instructions[stays], *wordings[stays])} | {None}
        for number, text in enumerate((instructions[one], *wordings[one])):
            key = task_key(text)
            if key in known[stays]:
                continue
            known[stays].add(key)
            taken = found.setdefault(stays, [])
            if len(taken) < COPY_WORDINGS:
                name = f"near_copy:{ids[one]}" + (f":{number}" if number else "")
                taken.append({"key": name, "text": text})
                givers.setdefault(stays, {})[ids[one]] = None
            else:
                more[stays] = more.get(stays, 0) + 1
    runs = sorted(found)
    return runs, [found[run] for run in runs], [[_line(givers[run], more.get(run, 0))] for run in runs]


def _line(givers: Iterable[str], more: int) -> str:
    rest = f" ({more} more left out)" if more else ""
    return f"nearcopies: takes over the wordings of {', '.join(givers)}{rest}"
