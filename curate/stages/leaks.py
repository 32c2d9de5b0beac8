"""Leaks: training runs that give away a test task, and what spreads from them. Strong evidence drops: the same task
after normal form, most of a test task's phrases, an app or site that is held out. Shared phrases alone are listed for
a person, unless the recipe drops them. A leak spreads over its near-copy cluster: a copy of a leaked run shows how the
test task is done, whatever its own instruction says.

Where a split was decided before, training runs are held against our own test runs in the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta

from curate.model.constants import LEAK_COVERAGE, LEAK_PHRASE_WORDS
from curate.model.trajectory import Step
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.app_names import app_key, app_keys, site_key, site_keys
from curate.stages.measures.leak_index import LeakIndex
from curate.stages.measures.task_text import normal_form, template_key
from curate.stages.measures.tests_file import read_test_tasks
from curate.stages.split import splits_so_far
from curate.stages.tables import schema, struct
from curate.stages.verdicts import Verdicts, rows_by_id


class LeaksOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`tests`: a JSONL file of test tasks with `id`, `instruction`, and where known `wordings`, `apps`, `sites` (null:
    only held-out places and our own test count). `apps`, `sites`: held out for a test; runs that touch one are
    dropped. `test_places`: whether runs in an app or on a site that a test task names are dropped too (`ignore`,
    `list` or `drop`; a benchmark of everyday programs names nearly all of them). `phrases` of `n` content words
    shared with a test task: `list` or `drop`. `coverage`: a run that holds this share of a test task's phrases is that
    task. `spread`: near-copies of a leak are dropped with it."""

    tests: str | None = None
    apps: list[str] = []
    sites: list[str] = []
    test_places: Literal["ignore", "list", "drop"] = "ignore"
    phrases: Literal["list", "drop"] = "list"
    n: Annotated[int, Meta(ge=1)] = LEAK_PHRASE_WORDS
    coverage: Annotated[float, Meta(gt=0.0, le=1.0)] = LEAK_COVERAGE
    spread: bool = True


_HIT = struct(test=pa.string(), kind=pa.string(), evidence=pa.string(), share=pa.float64())
MEASURES = schema(
    id=pa.string(),
    tasks=pa.list_(pa.string()),  # normal forms of the instruction and its wordings
    template=pa.string(),
    apps=pa.list_(pa.string()),
    sites=pa.list_(pa.string()),
    tested=pa.list_(pa.string()),  # those of its apps and sites that a test task names
    hits=pa.list_(_HIT),
    phrase_hits=pa.int64(),  # test tasks that share a phrase, the unlisted ones too
)

_Leak = tuple[str, str, str | None]
"""(reason, detail, witness)"""


class _Leaks:
    name = "leaks"
    version = 1
    scope: Literal["shard"] = "shard"
    options = LeaksOptions
    measure_options = frozenset({"tests", "n"})

    def files(self, options: LeaksOptions) -> list[Path]:
        """The files besides the trajectories that measuring reads: their content counts for what is up to date."""
        return [Path(options.tests)] if options.tests else []

    def measure(self, trajectories: pa.Table, options: LeaksOptions, context: MeasureContext) -> pa.Table:
        """One row a run (see MEASURES). Raises UsageError or InputError for a file of test tasks that is none."""
        tasks = read_test_tasks(Path(options.tests)) if options.tests else []
        index = LeakIndex(tasks, options.n)
        named = {place for task in tasks for place in (*task.apps, *task.sites)}
        rows = []
        for record in context.records(trajectories):
            texts = list(dict.fromkeys([record.instruction, *record.wordings.values()]))
            hits, count = index.hits(texts)
            apps = app_keys([*record.apps, *(step.app for step in record.steps if step.app)])
            sites = site_keys([*record.sites, *_visited(record.steps)])
            row = {
                "id": record.id,
                "tasks": list(dict.fromkeys(form for text in texts if (form := normal_form(text)))),
                "template": template_key(record.template, record.instruction),
                "apps": apps,
                "sites": sites,
                "tested": [place for place in (*apps, *sites) if place in named],
                "hits": [msgspec.structs.asdict(hit) for hit in hits],
                "phrase_hits": count,
            }
            rows.append(row)
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: LeaksOptions) -> pa.Table:
        """Kept runs that share a phrase carry `flags: [leaks.phrase]`, the test task as witness and the phrase."""
        verdicts = Verdicts(given.alive, {"flags": pa.list_(pa.string())})
        rows = rows_by_id(given.measures[self.name])
        held = frozenset(map(app_key, options.apps)), frozenset(map(site_key, options.sites))
        leaks = {run: leak for run, row in rows.items() if (leak := direct_leak(row, options, held))}
        splits = splits_so_far(given.verdicts)
        clusters = _clusters(given) if options.spread else {}
        by_cluster = {cluster: run for run in reversed(leaks) if (cluster := clusters.get(run))}
        own = _OwnTest([rows[run] for run in given.alive if splits.get(run) == "test"], clusters)
        for run in given.alive:
            leak = leaks.get(run)
            origin = by_cluster.get(clusters.get(run) or "")
            if leak is None and origin is not None:
                leak = ("leaks.copy_of_leak", f"of {origin} ({leaks[origin][0]}: {leaks[origin][1]})", origin)
            if leak is None and splits.get(run) == "train":
                leak = own.leak(rows[run])
            if leak:
                verdicts.drop(run, *leak)
            else:
                self._flag(verdicts, rows[run], options)
        return verdicts.table()

    def _flag(self, verdicts: Verdicts, row: Mapping[str, Any], options: LeaksOptions) -> None:
        """Notes the weak evidence that a kept run meets."""
        phrase = next((hit for hit in row["hits"] if hit["kind"] == "phrase"), None)
        if phrase:
            verdicts.note(row["id"], flags=["leaks.phrase"], detail=_shared(phrase), witness=phrase["test"])
        elif options.test_places == "list" and row["tested"]:
            reason, detail, _ = _tested(row)
            verdicts.note(row["id"], flags=[reason], detail=detail)


def _visited(steps: Sequence[Step]) -> list[str]:
    return [step.url for step in steps if step.url and step.url.lower().startswith(("http://", "https://"))]


def direct_leak(
    row: Mapping[str, Any], options: LeaksOptions, held: tuple[frozenset[str], frozenset[str]]
) -> _Leak | None:
    """What a run gives away by itself under the options, the strongest evidence first. `held`: apps and sites."""
    for hit in row["hits"]:
        if hit["kind"] == "task":
            return "leaks.same_task", f"test task {hit['test']}: {hit['evidence']}", hit["test"]
    for hit in row["hits"]:
        if hit["share"] >= options.coverage:
            detail = f"{hit['share']:.0%} of the phrases of test task {hit['test']}, such as {hit['evidence']}"
            return "leaks.same_task", detail, hit["test"]
    for reason, column, places in (("leaks.same_app", "apps", held[0]), ("leaks.same_site", "sites", held[1])):
        if place := next((place for place in row[column] if place in places), None):
            return reason, f"{place} is held out", None
    if options.test_places == "drop" and row["tested"]:
        return _tested(row)
    if options.phrases == "drop" and row["hits"]:
        return "leaks.phrase", _shared(row["hits"][0]), row["hits"][0]["test"]
    return None


def _tested(row: Mapping[str, Any]) -> _Leak:
    place = row["tested"][0]
    return "leaks.same_app" if place in row["apps"] else "leaks.same_site", f"{place} is a place of the test", None


def _shared(hit: Mapping[str, Any]) -> str:
    return f'shares "{hit["evidence"]}" with test task {hit["test"]}'


def _clusters(given: DecisionInput) -> dict[str, str]:
    """The near-copy cluster of each run that has one, where near-copies were measured."""
    if "nearcopies" not in given.measures:
        return {}
    return {
        row["id"]: row["cluster"]
        for row in given.measures["nearcopies"].select(["id", "cluster"]).to_pylist()
        if row["cluster"]
    }


class _OwnTest:
    """The runs of our own test split, ready to hold a training run against."""

    def __init__(self, tests: list[dict[str, Any]], clusters: Mapping[str, str]) -> None:
        self._clusters = clusters
        self._by: dict[tuple[str, str], str] = {}
        for row in tests:
            for key in self._keys(row):
                self._by.setdefault(key, row["id"])

    def _keys(self, row: Mapping[str, Any]) -> list[tuple[str, str]]:
        keys = [("task", task) for task in row["tasks"]]
        keys += [("template", row["template"])] if row["template"] else []
        return keys + ([("copy", self._clusters[row["id"]])] if row["id"] in self._clusters else [])

    def leak(self, row: Mapping[str, Any]) -> _Leak | None:
        for kind, key in self._keys(row):
            if witness := self._by.get((kind, key)):
                what = "a near-copy of it" if kind == "copy" else f"the same {kind}"
                return "leaks.own_test", f"{what} is in the test split", witness
        return None


STAGE = _Leaks()
