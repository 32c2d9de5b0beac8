"""The end of a run: what is missing and why, the numbers, and nothing left over.

rejected.jsonl, steps_left_out.jsonl, dataset.json and report.json are made again only when something they tell of
has changed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.engine.cleanup import sweep_run
from curate.engine.corpus import Chunk, Corpus, ReadShard
from curate.engine.editing.telling import write_left_out
from curate.engine.origins import read_origins
from curate.engine.places import Place
from curate.engine.plan import Plan
from curate.engine.report.numbers import report_numbers
from curate.engine.unrolling import UnrollIndex, UnrollJob
from curate.engine.work import read_marker
from curate.engine.workers import Workers
from curate.model.rejected import Rejected, StepLeftOut
from curate.stages.leakage.pack import paths_of
from curate.store.atomic import JsonlWriter, write_json
from curate.store.dataset import MANIFEST, write_manifest
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
REPORT_VERSION = "report.v1"
_Said = tuple[str, str, str | None]
"""A place, a reason, a detail."""
_Step = tuple[int, _Said]


class Closed(msgspec.Struct, kw_only=True):
    """Marker: the files of the end were made for this key."""

    key: str


@dataclass
class Closing:
    """What the end of a run is made from. `used`: files of trajectories/ and examples/, reduced.parquet. `other`:
    the folder held something else before, whose media may be left."""

    plan: Plan
    corpus: Corpus
    places: list[Place]
    indexes: list[UnrollIndex]
    jobs: list[UnrollJob]
    used: list[Path]
    key: str
    other: bool


def close(closing: Closing, workers: Workers) -> dict[str, Any]:
    """Write the files of the end, as far as they are not there for the same key, and sweep; report.json. `workers`
    count, those of this machine: who is elsewhere would have to be sent all that is counted."""
    run = RunFolder(closing.plan.out)
    mark = closing.plan.out / ".work" / "closed.json"
    closed = read_marker(mark, Closed)
    dataset, edits = not closing.plan.examples_only, closing.plan.edits
    files = [run.rejected, run.steps_left_out, run.report_json, *([run.root / MANIFEST] if dataset else [])]
    files += [run.edits_left_out] if edits is not None else []
    fresh = closed is None or closed.key != closing.key or not all(file.is_file() for file in files)
    media = closing.other and dataset  # what no record names, where that can be told
    sweep_run(closing.plan.out, closing.corpus, closing.places, closing.jobs, closing.used, media=media)
    if fresh:
        rejected = _write_missing(run, closing)
        edited = write_left_out(run, edits, [shard.folder for shard in closing.corpus.shards])
        if dataset:
            write_manifest(run.root, {"by": "curate run", "recipe": closing.plan.recipe.name})
        else:
            (run.root / MANIFEST).unlink(missing_ok=True)  # of a run that this one took over
        funnel = _funnel(closing, rejected)
        tests = paths_of(getattr(closing.plan.recipe.options.get("leaks"), "tests", None))
        against = list(closing.corpus.against)
        here = workers if type(workers) is Workers else Workers(1)
        numbers = report_numbers(run.root, funnel, tests, against, here)
        write_json(run.report_json, {"schema": REPORT_VERSION, **funnel, **numbers, **edited})
        write_json(mark, Closed(key=closing.key))
    return run.read_report()


def _funnel(closing: Closing, rejected: int) -> dict[str, Any]:
    """Counts after every stage. in = kept + dropped + quarantined at each."""
    unread = Counter(one.row.reason for shard in closing.corpus.shards for one in shard.index.unread)
    read = len(closing.corpus.ids) + sum(unread.values())
    stages: list[dict[str, Any]] = []
    if closing.places[0].stage != "validate":  # else what could not be read counts there
        stages.append(_row("read", read, len(closing.corpus.ids), {}, dict(unread)))
    for place in closing.places:
        counts = place.counts()
        if not stages:
            counts["quarantine"] = dict(Counter(counts["quarantine"]) + unread)
        kept = sum(counts["keep"].values())
        stages.append(
            _row(place.name, read if not stages else stages[-1]["kept"], kept, counts["drop"], counts["quarantine"])
        )
    examples: Counter[str] = Counter()
    for index in closing.indexes:
        examples.update(index.examples)
    return {
        "read": read,
        "stages": stages,
        "rejected": rejected,
        "trajectories": stages[-1]["kept"],
        "examples": dict(sorted(examples.items())),
    }


def _row(name: str, entered: int, kept: int, dropped: dict[str, int], quarantined: dict[str, int]) -> dict[str, Any]:
    row = {
        "name": name, "in": entered, "kept": kept, "dropped": dict(sorted(dropped.items())),
        "quarantined": dict(sorted(quarantined.items())),
    }  # fmt: skip
    if entered != kept + sum(dropped.values()) + sum(quarantined.values()):
        raise RuntimeError(f"conservation is broken at {name}: {row}")
    return row


def _write_missing(run: RunFolder, closing: Closing) -> int:
    """rejected.jsonl: one line for each record that gave no example and each line that is none; steps_left_out.jsonl:
    one for each step that is no target, of the runs that gave an example. Both in input order, some thousand records
    at a time. How many were rejected."""
    with JsonlWriter(run.rejected) as rejected, JsonlWriter(run.steps_left_out) as steps:
        for chunk in closing.corpus.chunks():
            gone = _gone(closing.places, chunk)
            left = _left_out(closing.places, chunk, gone)
            for shard in chunk.shards:
                _write_shard(shard, gone, left, rejected, steps)
    return rejected.lines


def _write_shard(
    shard: ReadShard, gone: dict[int, _Said], left: dict[int, list[_Step]], rejected: JsonlWriter, steps: JsonlWriter
) -> None:
    unread = deque(zip(shard.index.unread, shard.unread, strict=True))
    wanted = [at for at in range(shard.first, shard.last) if at in gone or at in left]
    for at, (id, file, line) in zip(wanted, _origins(shard, wanted), strict=True):
        while unread and unread[0][0].after <= at - shard.first:
            rejected.write(unread.popleft()[1])
        if at in gone:
            stage, reason, detail = gone[at]
            rejected.write(Rejected(id=id, file=file, line=line, stage=stage, reason=reason, detail=detail))
            continue
        for step, (stage, reason, detail) in left[at]:
            steps.write(StepLeftOut(id=id, step=step, file=file, line=line, stage=stage, reason=reason, detail=detail))
    for _, row in unread:
        rejected.write(row)


def _gone(places: Sequence[Place], chunk: Chunk) -> dict[int, _Said]:
    """By position, the runs of a chunk that are out: the place, the reason, the detail."""
    found: dict[int, _Said] = {}
    for place in places:
        start, stop = np.searchsorted(place.came, (chunk.first, chunk.last))
        if not place.verdict[start:stop].any():
            continue
        rows, at = place.of_runs(["reason", "detail", "witness"], chunk.first, chunk.last)
        out = np.asarray(pc.not_equal(rows["verdict"], "keep"))
        told = rows.filter(pa.array(out)).to_pylist()
        for position, row in zip(at[out].tolist(), told, strict=True):
            found[position] = (place.name, row["reason"], row["detail"] or _witness(row["witness"]))
    return found


def _left_out(places: Sequence[Place], chunk: Chunk, gone: dict[int, _Said]) -> dict[int, list[_Step]]:
    """By position, the steps that are no target of the runs of a chunk that are not out, each with the first decision
    that left it out."""
    found: dict[int, dict[int, _Said]] = {}
    for place in places:
        rows, at = place.of_steps(["reason", "detail"], chunk.first, chunk.last)
        for position, row in zip(at.tolist(), rows.to_pylist(), strict=True):
            if position not in gone:
                said = (place.name, row["reason"], row["detail"])
                found.setdefault(position, {}).setdefault(row["step"], said)
    return {position: sorted(steps.items()) for position, steps in found.items()}


def _witness(id: str | None) -> str | None:
    return None if id is None else f"witness: {id}"


def _origins(shard: ReadShard, wanted: list[int]) -> list[tuple[str, str | None, int | None]]:
    """Final id, file and line of these records, by position."""
    if not wanted:
        return []
    rows = pa.array([at - shard.first for at in wanted], pa.int64())
    found: Any = read_origins(shard.folder).take(rows)
    ids: Any = shard.ids.array.take(rows)
    return list(zip(ids.to_pylist(), found["file"].to_pylist(), found["line"].to_pylist(), strict=True))
