"""Near-copies: runs that did the same. *Similar* is measured (Jaccard of shingles within an app or site); *dropped* is
decided, with evidence and a witness that is kept. How, is in `stages.copies`: what a run did (`tokens`, `projection`),
who is similar (`similar`), what evidence is (`problem`), who stays (`decide`). docs/nearcopies.md says it in words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta

from curate.model.constants import MINHASH_RECALL, NEARCOPY_THRESHOLD, SHINGLE_N
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.copies.decide import write_verdicts
from curate.stages.copies.engines import solve
from curate.stages.copies.index import read_published
from curate.stages.copies.problem import COLUMNS, Judged
from curate.stages.copies.projection import FACTS, WORDS, projection
from curate.stages.copies.screens import NO_LOOKS, looks_of
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.similar import SIMILAR, no_similar, similar
from curate.stages.tables import schema

pc: Any = pyarrow.compute  # its stubs know no lists
Action = Annotated[str, Meta(pattern=r"^(drop|weight|cap:[1-9][0-9]*)$")]


class NearcopiesOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`threshold`: Jaccard similarity at which two runs are similar, inclusive. `n`: tokens in a shingle. `method`:
    `exact`, or `minhash` (MinHash and LSH find candidates, each verified exactly; `recall`: the share of the copies
    that are to be found). `across_apps`: compare runs of different apps and sites too. `evidence` that a similar run is
    a copy: `actions` alone, `actions+task` (same instruction or template, with the same arguments) or `actions+screens`
    (first and last pictures match). `order` in which runs are kept: `best` (completed, score, keyframe quality,
    resolution, then input order) or `input`. `action` for runs of programs and models, `action_people` for people's:
    `drop` copies, `cap:K` (keep K of a kind) or `weight` (keep all, each weighs one share). `clusters`: whether to
    measure who is similar to whom (null: where another stage of the recipe reads it)."""

    threshold: Annotated[float, Meta(gt=0.0, le=1.0)] = NEARCOPY_THRESHOLD
    n: Annotated[int, Meta(ge=1)] = SHINGLE_N
    method: Literal["exact", "minhash"] = "exact"
    recall: Annotated[float, Meta(gt=0.0, lt=1.0)] = MINHASH_RECALL
    across_apps: bool = False
    evidence: Literal["actions", "actions+task", "actions+screens"] = "actions+task"
    order: Literal["best", "input"] = "best"
    action: Action = "drop"
    action_people: Action = "weight"
    clusters: bool | None = None


MEASURES = schema(
    id=pa.string(),
    tokens=pa.int64(),
    shingles=pa.int64(),
    **SIMILAR,
    labels=WORDS,  # what the run did
    **FACTS,
)


class _Nearcopies:
    name = "nearcopies"
    version = 3
    scope: Literal["corpus"] = "corpus"
    options = NearcopiesOptions
    measure_options = frozenset({"threshold", "n", "across_apps", "clusters"})
    compared = ("labels", "scope")

    def project(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """What comparing needs of each run (see `copies.projection`)."""
        return projection(context.steps(trajectories), context.lines)

    def measure(self, trajectories: pa.Table, options: NearcopiesOptions, context: MeasureContext) -> pa.Table:
        """One row a run (see MEASURES) from the projections of all shards."""
        return self.joined(trajectories, self.compare(trajectories, options))

    def compare(self, runs: pa.Table, options: NearcopiesOptions) -> pa.Table:
        """What only all runs together tell, a row for each; of the projection, `id` and `compared` are looked at.
        Memory: 300 bytes a run, and its pairs."""
        sets = shingle_sets(runs["labels"], options.n)
        tokens = pc.fill_null(pc.list_value_length(runs["labels"]), 0).cast(pa.int64())
        runs = runs.select(["id", "scope"])  # labels are not needed any more
        found = no_similar(sets.count) if options.clusters is False else similar(runs, sets, options)
        return pa.table({"tokens": tokens, "shingles": pa.array(np.diff(sets.offsets)), **found})

    def joined(self, runs: pa.Table, compared: pa.Table) -> pa.Table:
        """MEASURES of these runs, from their projection and their rows of what `compare` gave."""
        columns: dict[str, Any] = {
            name: (runs if name in runs.column_names else compared)[name] for name in MEASURES.names
        }
        return pa.table(columns, schema=MEASURES)

    def decide(self, given: DecisionInput, options: NearcopiesOptions) -> pa.Table:
        """Besides VERDICTS: `copy_weight`, the share that a kept run weighs among its copies, `copies`, how many of
        them are kept (null: it has none), `similarity` of a run and its witness, and the `wordings` that a run takes
        over from copies that are out, with their `lineage`."""
        looks = NO_LOOKS
        if options.evidence == "actions+screens" and "images" in given.measures:
            looks = looks_of(given.of_steps("images", ["image", "dhash", "thumbnail"])[0])
        runs = given.of_runs(self.name, COLUMNS)
        judged = Judged(runs, options, looks, read_published(given.against, options.n))
        return write_verdicts(given, judged, solve(judged.problem, options))


STAGE = _Nearcopies()
