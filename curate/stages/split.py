"""Splits runs into train and test. Connected runs stay together: near-copies, and those of one task, template, app,
site or person, as the recipe asks. Which groups are test hangs on a hash of their names and the seed, not on order."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Meta

from curate.model.constants import TEST_SHARE
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.measures.clusters import Groups
from curate.stages.measures.task_text import task_key
from curate.stages.tables import schema
from curate.stages.verdicts import Verdicts, rows_by_id

By = Literal["app_or_site", "run", "task", "template", "app", "site", "actor"]


class SplitOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`by`: what train and test must not share. `app_or_site` (default): the site of a run that has one, else its app;
    `run` asks for nothing beyond near-copies, `task` for no shared task; `template`, `app`, `site`, `actor` for no
    shared task and none of those either (a run that has none of it stands for itself). `test`: the share of runs in
    the test split (0: none)."""

    by: By = "app_or_site"
    test: Annotated[float, Meta(ge=0.0, lt=1.0)] = TEST_SHARE


MEASURES = schema(
    id=pa.string(),
    task=pa.string(),
    template=pa.string(),
    apps=pa.list_(pa.string()),
    sites=pa.list_(pa.string()),
    actor=pa.string(),
)


class _Split:
    name = "split"
    version = 1
    scope: Literal["shard"] = "shard"
    options = SplitOptions
    measure_options: frozenset[str] = frozenset()

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: what it may share with others."""
        rows = [
            {
                "id": record.id,
                "task": task_key(record.instruction),
                "template": record.template,
                "apps": app_keys(record.apps),
                "sites": site_keys(record.sites),
                "actor": record.actor.name,
            }
            for record in context.records(trajectories)
        ]
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: SplitOptions) -> pa.Table:
        """Besides VERDICTS: `split` of each kept run, `train` or `test`, and its connected `group`. A training run
        that also touches an app or site held out for the test (it is not its main one) is dropped."""
        verdicts = Verdicts(given.alive, {"split": pa.string(), "group": pa.string()})
        rows = rows_by_id(given.measures[self.name])
        joined = connected({run: rows[run] for run in given.alive}, options.by, given.measures.get("nearcopies"))
        tests = choose_test(Counter(joined.values()), options.test, given.seed)
        held = {key for run in given.alive if joined[run] in tests for key in _places(rows[run], options.by)[:1]}
        for run in given.alive:
            part = "test" if joined[run] in tests else "train"
            touched = next((key for key in _places(rows[run], options.by) if key in held), None)
            if part == "train" and touched is not None:
                verdicts.drop(run, "split.straddles", f"{touched} is held out for the test")
            else:
                verdicts.note(run, split=part, group=joined[run])
        return verdicts.table()


def _places(row: Mapping[str, Any], by: By) -> list[str]:
    """Apps or sites of a run in the recipe's sense, its main one first."""
    if by == "app" or (by == "app_or_site" and not row["sites"]):
        return [f"app {app}" for app in row["apps"]]
    return [f"site {site}" for site in row["sites"]] if by in ("site", "app_or_site") else []


def _keys(row: Mapping[str, Any], by: By) -> list[str]:
    """What joins a run with others. The key that the recipe splits by sorts before the others (`~`), so that a group
    is named by it: the next batch's runs in the same app fall into the same split."""
    keys = _places(row, by)[:1]
    if by in ("template", "actor") and row[by]:
        keys.append(f"{by} {row[by]}")
    if by != "run" and row["task"]:
        keys.append(f"task {row['task']}" if by == "task" else f"~task {row['task']}")
    return keys


def connected(rows: Mapping[str, Mapping[str, Any]], by: By, copies: pa.Table | None) -> dict[str, str]:
    """The connected group of each run, named by the smallest of its keys. `copies`: measures of near-copies, if any."""
    groups, cluster = Groups(), {}
    if copies is not None:
        cluster = {row["id"]: row["cluster"] for row in copies.select(["id", "cluster"]).to_pylist()}
    for run, row in rows.items():
        keys = _keys(row, by)
        if cluster.get(run):
            keys.append(f"~copies {cluster[run]}")
        for key in keys:
            groups.join(f"~run {run}", key)
    return {run: groups.find(f"~run {run}") for run in rows}


def choose_test(sizes: Mapping[str, int], share: float, seed: int) -> set[str]:
    """Groups for the test split, in the order of a hash of seed and name: each is taken if it brings the number of
    runs nearer to the share. If none does, though the share is a run or more, the smallest group is taken, provided
    it is at most half of all runs. So few runs that the share is less than half a run have no test, and one group
    alone is never split."""
    total = sum(sizes.values())
    wanted = int(share * total + 0.5)
    if not wanted or len(sizes) < 2:
        return set()

    def drawn(name: str) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{name}".encode("utf-8", "surrogatepass")).digest()

    chosen: set[str] = set()
    count = 0
    for name in sorted(sizes, key=drawn):
        if abs(count + sizes[name] - wanted) < abs(count - wanted):
            chosen.add(name)
            count += sizes[name]
    if not chosen:
        smallest = min(sizes, key=lambda name: (sizes[name], drawn(name)))
        chosen = {smallest} if 2 * sizes[smallest] <= total else set()
    return chosen


def expected_twins(tasks: Sequence[str], test: int) -> float:
    """How many of `test` runs drawn at random have another run of their task in train: what a split by run costs.
    48 runs of 24 tasks, twice each, and 10 drawn: 8.1."""
    runs, total = Counter(tasks), 0.0
    for size in runs.values():
        # A run is drawn with probability test / n; it has no twin in train if all its twins are drawn as well.
        alone = 1.0
        for drawn in range(size - 1):
            alone *= max(test - 1 - drawn, 0) / max(len(tasks) - 1 - drawn, 1)
        total += size * test / len(tasks) * (1 - alone)
    return total


def splits_so_far(verdicts: Mapping[str, pa.Table]) -> dict[str, str]:
    """The split of each run that a decision so far gave one."""
    splits: dict[str, str] = {}
    for table in verdicts.values():
        if "split" in table.column_names:
            given = table.filter(pc.is_valid(table["split"])).select(["id", "split"])
            splits.update({row["id"]: row["split"] for row in given.to_pylist()})
    return splits


STAGE = _Split()
