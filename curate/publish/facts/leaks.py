"""Which test tasks of which benchmark the published runs give away, under each definition of giving away; and what was
dropped for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute

from curate.engine.report.tables import recipe_option, run_tables, stage_paths
from curate.engine.report.types import StageCounts
from curate.model.constants import LEAK_COVERAGE
from curate.model.reasons import REASONS
from curate.publish.manifest import Number
from curate.stages.leakage.evidence import STRONG
from curate.stages.leakage.judging import leak_of
from curate.stages.leakage.pack import read_packs
from curate.stages.leakage.rarity import rare_phrases
from curate.store.dataset import file_sha256
from curate.store.pack_folder import found_pack, version_digits
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know no nulls


class Tested(msgspec.Struct, kw_only=True, frozen=True):
    """A file of test tasks that the run was held against. `tasks`: of each benchmark in it; null where the file is not
    on this computer any more. `benchmarks`: by test task."""

    name: str
    version: str
    tasks: dict[str, int] | None
    benchmarks: dict[str, str]


def leak_numbers(run: RunFolder, run_json: dict[str, Any], stages: list[StageCounts], ids: Any) -> dict[str, Number]:
    """`ids`: of the published runs (an Arrow array)."""
    tests = [_tested(name, sha256) for name, sha256 in _files(run_json)]
    where = "stages/*-leaks*.parquet of the run: hits of the published runs"
    return {
        "leak_packs": Number(
            value=[{"name": t.name, "version": t.version, "tasks": t.tasks} for t in tests], of="run.json: files"
        ),
        "leaks_dropped": Number(value=_dropped(stages), of="report.json of the run: stages"),
        "leaks_left": Number(value=_left(run, tests, ids), of=where),
    }


def _files(run_json: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The files of test tasks by name, with their hashes."""
    for name, sha256 in (run_json.get("files") or {}).items():
        stage, _, file = name.partition(": ")
        if stage == "leaks":
            yield Path(file).name, sha256


def _tested(name: str, sha256: str) -> Tested:
    """A pack as it is installed, if it is still the one of the run."""
    path = found_pack(name)
    shown = name.removesuffix(".jsonl")
    if path is None or file_sha256(path) != sha256:
        return Tested(name=shown, version=version_digits(sha256), tasks=None, benchmarks={})
    of = {task.id: task.benchmark or shown for task in read_packs([path])}
    return Tested(name=shown, version=version_digits(sha256), tasks=dict(Counter(of.values())), benchmarks=of)


def _dropped(stages: list[StageCounts]) -> list[dict[str, Any]]:
    found: Counter[str] = Counter()
    for stage in stages:
        if stage.name.startswith("leaks"):
            found.update(stage.dropped)
    return [{"reason": code, "count": n, "sentence": REASONS.get(code, "")} for code, n in sorted(found.items())]


def _left(run: RunFolder, tests: list[Tested], ids: Any) -> list[dict[str, Any]] | None:
    """By benchmark and kind of evidence: `tasks` that published runs give away so, and how many `runs` do. None where
    nothing was checked."""
    if not tests:
        return None
    benchmarks = {test: benchmark for one in tests for test, benchmark in one.benchmarks.items()}
    names = sorted({*benchmarks.values(), *(one.name for one in tests if one.tasks is None)})
    tasks: dict[tuple[str, str], set[str]] = {}
    runs: Counter[tuple[str, str]] = Counter()
    for hits in _hits(run, ids):
        found = set()
        for kind, test in hits:
            benchmark = benchmarks.get(test, names[0] if len(names) == 1 else "not known")
            tasks.setdefault((benchmark, kind), set()).add(test)
            found.add((benchmark, kind))
        runs.update(found)
    rows = []
    for benchmark in sorted({*names, *(name for name, _ in tasks)}):
        for kind, sentence in DEFINITIONS.items():
            key = (benchmark, kind)
            rows.append({
                "benchmark": benchmark, "kind": kind, "strength": "strong" if kind in STRONG else "weak",
                "sentence": sentence, "tasks": len(tasks.get(key, ())), "runs": runs[key],
            })  # fmt: skip
    return rows


DEFINITIONS = {
    "task": "its instruction is the test task's, in normal form",
    "coverage": "it shares most phrases of the test task",
    "template": "its template is the test task's, with the same arguments",
    "id": "it names the test task, or the one that was made from",
    "file": "it names a file of the test",
    "canary": "it holds a canary of the benchmark",
    "like_template": "it fits the test task's template, with other arguments",
    "path": "it does what a known solution does, action by action",
    "paraphrase": "it seems to mean what the test task means",
    "phrase": "it shares a rare phrase with the test task",
}
"""The definitions of giving a test task away that name the task, strongest first."""


def _hits(run: RunFolder, ids: Any) -> Iterator[list[tuple[str, str]]]:
    """Of each published run with evidence: (kind, test task), as the recipe weighs it."""
    paths = stage_paths(run, "leaks")[:1]
    coverage = recipe_option(run, "leaks", "coverage") or LEAK_COVERAGE
    said = [table for path in paths for table in run_tables(path, ["phrases", "tasks"])]
    rare = rare_phrases(pa.concat_tables(said)) if said and {"phrases", "tasks"} <= set(said[0].column_names) else ()
    for path in paths:
        for table in run_tables(path, ["id", "hits"]):
            if "hits" not in table.column_names:
                return
            table = table.filter(pc.and_(pc.is_valid(table["hits"]), pc.is_in(table["id"], value_set=ids)))
            for row in table.to_pylist():
                found = [leak for hit in row["hits"] if (leak := leak_of(hit, coverage, rare)) is not None]
                yield [(one.kind, one.witness) for one in found if one.witness is not None and one.kind in DEFINITIONS]
