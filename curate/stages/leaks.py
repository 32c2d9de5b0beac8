"""Leaks: training runs that give away a test task, and what spreads from them. Strong evidence drops: the same task
after normal form, most of a test task's phrases, its template with the same arguments, its id or parent, its files, a
canary, an app or site that is held out. Weak evidence is listed for a person, unless the recipe drops it: phrases that
are rare in the data, a template with other arguments, action paths, screens. A leak spreads over its near-copy cluster:
a copy of a leaked run shows how the test task is done, whatever its own instruction says.

Where a split was decided before, training runs are held against our own test runs in the same way. How it is done is in
`stages.leakage`; docs/leaks.md says how often each kind of evidence is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pyarrow as pa

from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.leakage import deciding, measuring
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leakage.pack import paths_of


class _Leaks:
    name = "leaks"
    version = 4
    scope: Literal["shard"] = "shard"
    options = LeaksOptions
    measure_options = frozenset({"tests", "n", "paraphrases", "paraphrase_similarity"})

    def files(self, options: LeaksOptions) -> list[Path]:
        """The files besides the trajectories that measuring reads: their content counts for what is up to date."""
        return paths_of(options.tests)

    def measure(self, trajectories: pa.Table, options: LeaksOptions, context: MeasureContext) -> pa.Table:
        """One row a run (see leakage.measuring.MEASURES). Raises UsageError or InputError for a file of test tasks that
        is none."""
        similarity = None if options.paraphrases == "off" else options.paraphrase_similarity
        return measuring.measure(trajectories, measuring.pack_of(options.tests, options.n), context, similarity)

    def decide(self, given: DecisionInput, options: LeaksOptions) -> pa.Table:
        """Besides VERDICTS: `leak`, the kind of evidence that is told of a run, and its `strength`. Kept runs that meet
        weak evidence carry its reasons as `flags`, with the first one's detail and witness."""
        return deciding.decide(given, options)


STAGE = _Leaks()
