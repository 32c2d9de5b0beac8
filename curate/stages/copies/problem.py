"""The decision on near-copies as whole numbers: what `types.Problem` asks for, from the facts of runs and the options.
The one place that says what evidence is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import SHORT_SHINGLES
from curate.stages.copies.keys import code_sets, codes, list_sets, of_rows, sets_of
from curate.stages.copies.ordering import first_of_each, order_of
from curate.stages.copies.screens import Looks, screen_keys
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.signatures import ranked, signatures
from curate.stages.copies.thresholds import as_fraction
from curate.stages.copies.types import Problem, Sets

pc: Any = pyarrow.compute  # its stubs know no nulls


class CopyOptions(Protocol):
    """The part of the stage's options that deciding reads."""

    @property
    def threshold(self) -> float: ...
    @property
    def n(self) -> int: ...
    @property
    def across_apps(self) -> bool: ...
    @property
    def evidence(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def action_people(self) -> str: ...


COLUMNS = (
    "labels", "scope", "task", "template", "content", "people", "completed", "score", "keyframes", "pixels",
    "first_image", "last_image", "mistakes",
)  # fmt: skip
"""What of the facts of runs a decision reads."""


def cap_of(action: str) -> int:
    """How many kept runs put a copy out under `drop` or `cap:K`; 0 under `weight`: all stay."""
    if action == "weight":
        return 0
    return int(action.removeprefix("cap:")) if action.startswith("cap:") else 1


class Judged:
    """A problem, and whose positions it speaks of: `published` runs of earlier batches come first (they stay whatever
    comes), the batch's own follow. `repeat_of`: by position, the run with the same content that comes first in the
    order (itself: none). `rank`: by position, when it is judged. `rows`: positions of the runs that the problem speaks
    of: those that repeat no other."""

    def __init__(self, runs: pa.Table, options: CopyOptions, looks: Looks, published: pa.Table | None = None) -> None:
        self.published = 0 if published is None else published.num_rows
        if published is not None and self.published:
            facts = pa.concat_tables([published, signatures(runs, options.n)])
            sets = ranked(facts["shingles"])
        else:
            facts, sets = runs, shingle_sets(runs["labels"], options.n)
        self.sets = sets
        self.ids: Any = facts["id"].combine_chunks()
        self.tasks = codes(facts["task"])
        self.count = runs.num_rows
        order = np.concatenate([np.arange(self.published), self.published + order_of(runs, options.order)])
        self.rank = np.argsort(order)
        self.repeat_of = first_of_each(codes(facts["content"]), order)
        self.cap = self._cap(runs, options)
        self.rows = np.flatnonzero(self.repeat_of == np.arange(len(order)))
        self.problem = self._problem(facts, options, order, looks)
        if len(self.rows) < len(order):
            self.problem = of_rows(self.problem, self.rows)

    def _cap(self, runs: pa.Table, options: CopyOptions) -> NDArray[np.int32]:
        people = pc.fill_null(runs["people"], False).to_numpy().astype(bool)
        own = np.where(people, cap_of(options.action_people), cap_of(options.action))
        return np.concatenate([np.zeros(self.published), own]).astype(np.int32)

    def _problem(self, facts: pa.Table, options: CopyOptions, order: NDArray[np.int64], looks: Looks) -> Problem:
        threshold = as_fraction(options.threshold)
        scopes = None if options.across_apps else list_sets(facts["scope"], nothing=True)
        evidence = None
        if options.evidence == "actions+task":
            evidence = self._tasks(facts)
        elif options.evidence == "actions+screens":
            evidence = self._screens(facts, threshold, looks)
        mistakes = list_sets(facts["mistakes"])
        return Problem(
            sets=self.sets,
            order=order,
            threshold=threshold,
            scopes=scopes,
            evidence=evidence,
            needs=mistakes if len(mistakes.members) else None,
            short=0 if options.evidence == "actions" else SHORT_SHINGLES,
            cap=self.cap,
        )

    def _tasks(self, facts: pa.Table) -> Sets:
        """The same instruction, or the same template, with the same arguments."""
        return code_sets([self.tasks, codes(facts["template"])])

    def _screens(self, facts: pa.Table, threshold: Fraction, looks: Looks) -> Sets:
        """First and last pictures match. Runs of fewer than SHORT_SHINGLES need the same task too: their keys are pairs
        of a screen's and a task's key."""
        screens = screen_keys(facts, self.sets, threshold, looks)
        tasks = self._tasks(facts)
        short = np.diff(self.sets.offsets) < SHORT_SHINGLES
        sizes, per_task = np.diff(screens.offsets), np.diff(tasks.offsets)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        long_ones = ~short[owner]
        pairs_owner = np.repeat(owner[~long_ones], per_task[owner[~long_ones]])
        screen = np.repeat(screens.members[~long_ones], per_task[owner[~long_ones]]).astype(np.int64)
        each = per_task[owner[~long_ones]]
        within = np.arange(len(pairs_owner)) - np.repeat(np.cumsum(each) - each, each)
        task = tasks.members[tasks.offsets[pairs_owner] + within].astype(np.int64)
        _, pair = np.unique(screen * (int(tasks.members.max(initial=0)) + 1) + task, return_inverse=True)
        first = int(screens.members.max(initial=-1)) + 1
        owners = np.concatenate([owner[long_ones], pairs_owner])
        members = np.concatenate([screens.members[long_ones].astype(np.int64), pair.astype(np.int64) + first])
        return sets_of(owners, members, len(sizes))
