"""Near-copies: runs that did the same. *Similar* is measured (Jaccard of shingles within an app or site); *dropped* is
decided, with evidence and a witness that is kept. What a run did is in `stages.measures.shingles`, the comparing in
`stages.measures.jaccard`, the deciding in `stages.measures.kept_copies`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta

from curate.model.constants import NEARCOPY_THRESHOLD, SHINGLE_N, SHORT_SHINGLES
from curate.model.trajectory import Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.measures.clusters import Groups
from curate.stages.copies.quality import keyframe_quality, mean_score, pixels
from curate.stages.measures.jaccard import Pair, Scope, as_fraction, pairs_exact, pairs_minhash, similarity
from curate.stages.measures.kept_copies import decide_copies
from curate.stages.measures.shingles import Shingles, shingles, token, tokens
from curate.stages.measures.task_text import task_key, template_key
from curate.stages.tables import schema, struct

Action = Annotated[str, Meta(pattern=r"^(drop|weight|cap:[1-9][0-9]*)$")]

UNKNOWN_PLACE = "?"
"""The scope of a run of which neither app nor site is known: such runs are compared with each other."""
EVERYWHERE = "*"
"""The one scope under `across_apps`."""


class NearcopiesOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`threshold`: Jaccard similarity at which two runs are similar, inclusive. `n`: tokens in a shingle. `method`:
    `exact`, or `minhash` (datasketch finds candidates, each verified exactly). `across_apps`: compare runs of
    different apps and sites too. `evidence` that a similar run is a copy: `actions` alone, `actions+task` (same
    instruction or template, with the same arguments) or `actions+screens` (first and last pictures match). `order`
    in which runs are kept: `best` (completed, score, keyframe quality, resolution, then input order) or `input`.
    `action` for runs of programs and models, `action_people` for people's: `drop` copies, `cap:K` (keep K of a kind)
    or `weight` (keep all, each weighs one share)."""

    threshold: Annotated[float, Meta(gt=0.0, le=1.0)] = NEARCOPY_THRESHOLD
    n: Annotated[int, Meta(ge=1)] = SHINGLE_N
    method: Literal["exact", "minhash"] = "exact"
    across_apps: bool = False
    evidence: Literal["actions", "actions+task", "actions+screens"] = "actions+task"
    order: Literal["best", "input"] = "best"
    action: Action = "drop"
    action_people: Action = "weight"


_PAIR = struct(other=pa.string(), shared=pa.int64(), similarity=pa.float64())
_FACTS: dict[str, pa.DataType] = {
    "scope": pa.list_(pa.string()),  # apps and sites
    "task": pa.string(),
    "template": pa.string(),
    "people": pa.bool_(),
    "completed": pa.bool_(),
    "score": pa.float64(),
    "keyframes": pa.float64(),
    "pixels": pa.int64(),
    "first_image": pa.string(),
    "last_image": pa.string(),
    "mistakes": pa.list_(pa.string()),
}
PROJECTION = schema(id=pa.string(), labels=pa.list_(pa.string()), **_FACTS)
MEASURES = schema(
    id=pa.string(),
    tokens=pa.int64(),
    shingles=pa.int64(),
    group=pa.string(),  # smallest id among the runs with exactly these shingles and this scope
    cluster=pa.string(),  # smallest id of its near-copy cluster; null: no copy anywhere
    pairs=pa.list_(_PAIR),  # on the run that names the group: the groups that are similar, by their names
    **_FACTS,
)


def recovered_mistakes(record: Trajectory) -> list[str]:
    """What the steps marked wrong did, as far as a later step is not wrong: a mistake and its recovery, which is
    worth keeping where the copy that stays has none of it."""
    last_good = max((i for i, step in enumerate(record.steps) if step.correct is not False), default=-1)
    wrong = (step for step in record.steps[: last_good + 1] if step.correct is False)
    return sorted({token(step) or "" for step in wrong})


def copy_edge(a: int, b: int, shared: int) -> bool:
    """Whether a similar pair joins a cluster. Runs of fewer than SHORT_SHINGLES have to be equal: two of them share
    half by pressing one common button."""
    return min(a, b) >= SHORT_SHINGLES or shared == a == b


class _Nearcopies:
    name = "nearcopies"
    version = 1
    scope: Literal["corpus"] = "corpus"
    options = NearcopiesOptions
    measure_options = frozenset({"threshold", "n", "method", "across_apps"})

    def project(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """What comparing needs of each run: its tokens, where it took place, and what decides which copy stays."""
        rows = []
        for record in context.records(trajectories):
            pictures = [step.image for step in record.steps if step.image]
            row = {
                "id": record.id,
                "labels": tokens(record.steps),
                "scope": [*app_keys(record.apps), *site_keys(record.sites)],
                "task": task_key(record.instruction),
                "template": template_key(record.template, record.instruction),
                "people": record.actor.kind == "human",
                "completed": record.outcome.completed,
                "score": mean_score(record.scores),
                "keyframes": keyframe_quality(record.steps),
                "pixels": pixels(record.steps),
                "first_image": pictures[0] if pictures else None,
                "last_image": pictures[-1] if pictures else None,
                "mistakes": recovered_mistakes(record),
            }
            rows.append(row)
        return pa.Table.from_pylist(rows, schema=PROJECTION)

    def measure(self, trajectories: pa.Table, options: NearcopiesOptions, context: MeasureContext) -> pa.Table:
        """One row a run (see MEASURES) from the projections of all shards. Memory: the shingles of all distinct runs
        (about 1 kB each) and the pairs."""
        ids = [str(run) for run in trajectories["id"].to_pylist()]
        labels = [found or [] for found in trajectories["labels"].to_pylist()]
        once: dict[tuple[str, ...], tuple[str, ...]] = {}  # one object for equal shingles: a third of the memory
        sets = [frozenset(once.setdefault(s, s) for s in shingles(found, options.n)) for found in labels]
        if options.across_apps:
            scopes = [frozenset((EVERYWHERE,))] * len(ids)
        else:
            scopes = [frozenset(scope or (UNKNOWN_PLACE,)) for scope in trajectories["scope"].to_pylist()]
        groups = _groups(ids, sets, scopes)
        find = pairs_exact if options.method == "exact" else pairs_minhash
        first = [members[0] for members in groups.values()]
        found = find([sets[i] for i in first], [scopes[i] for i in first], as_fraction(options.threshold))
        columns = _columns(ids, groups, found, sets)
        counts = {"tokens": [len(found) for found in labels], "shingles": [len(found) for found in sets]}
        own = {"id": trajectories["id"], **counts, **columns}
        facts = {name: trajectories[name] for name in _FACTS}
        return pa.table({**own, **facts}, schema=MEASURES)

    def decide(self, given: DecisionInput, options: NearcopiesOptions) -> pa.Table:
        """Besides VERDICTS: `copy_weight`, the share that a kept run weighs among its copies, and `copies`, how many
        of them are kept (1: it has none)."""
        images = given.measures.get("images") if options.evidence == "actions+screens" else None
        return decide_copies(given, options, images)


def _groups(ids: Sequence[str], sets: Sequence[Shingles], scopes: Sequence[Scope]) -> dict[str, list[int]]:
    """Positions of runs with the same shingles in the same scope, by the smallest id among them."""
    same: dict[tuple[Shingles, Scope], list[int]] = defaultdict(list)
    for position, key in enumerate(zip(sets, scopes, strict=True)):
        if key[0]:
            same[key].append(position)
    named = {min(ids[position] for position in members): members for members in same.values()}
    return dict(sorted(named.items()))


def _columns(
    ids: Sequence[str], groups: Mapping[str, list[int]], found: Sequence[Pair], sets: Sequence[Shingles]
) -> dict[str, list[Any]]:
    """The columns group, cluster and pairs, for every run."""
    names = list(groups)
    size = {name: len(sets[groups[name][0]]) for name in names}
    clusters = Groups()
    pairs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for a, b, shared in ((names[pair.a], names[pair.b], pair.shared) for pair in found):
        alike = {"shared": shared, "similarity": similarity(shared, size[a], size[b])}
        pairs[a].append({"other": b, **alike})
        pairs[b].append({"other": a, **alike})
        if copy_edge(size[a], size[b], shared):
            clusters.join(a, b)
    members: dict[str, int] = defaultdict(int)
    for name in names:
        members[clusters.find(name)] += len(groups[name])
    group: list[str | None] = [None] * len(sets)
    cluster: list[str | None] = [None] * len(sets)
    listed: list[list[dict[str, Any]]] = [[] for _ in sets]
    for name in names:
        root = clusters.find(name)
        for position in groups[name]:
            group[position] = name
            cluster[position] = root if members[root] > 1 else None
            if ids[position] == name:
                listed[position] = sorted(pairs[name], key=lambda pair: str(pair["other"]))
    return {"group": group, "cluster": cluster, "pairs": listed}


STAGE = _Nearcopies()
