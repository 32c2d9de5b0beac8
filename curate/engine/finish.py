"""The end of a run: what is missing and why, the numbers, and nothing left over.

rejected.jsonl, steps_left_out.jsonl, dataset.json and report.json are made again only when something they tell of
has changed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from curate.engine.cleanup import sweep_run
from curate.engine.corpus import Corpus, ReadShard
from curate.engine.deciding import Place, left_out
from curate.engine.plan import Plan
from curate.engine.report.numbers import report_numbers
from curate.engine.unrolling import UnrollIndex, UnrollJob
from curate.engine.work import read_marker
from curate.model.rejected import Rejected, StepLeftOut
from curate.store.atomic import JsonlWriter, write_json
from curate.store.dataset import MANIFEST, write_manifest
from curate.store.run_folder import RunFolder

REPORT_VERSION = "report.v1"


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


def close(closing: Closing) -> dict[str, Any]:
    """Write the files of the end, as far as they are not there for the same key, and sweep; report.json."""
    run = RunFolder(closing.plan.out)
    mark = closing.plan.out / ".work" / "closed.json"
    closed = read_marker(mark, Closed)
    files = [run.rejected, run.steps_left_out, run.report_json, run.root / MANIFEST]
    fresh = closed is None or closed.key != closing.key or not all(file.is_file() for file in files)
    sweep_run(closing.plan.out, closing.corpus, closing.places, closing.jobs, closing.used, media=closing.other)
    if fresh:
        rejected = _write_rejected(run, closing)
        _write_steps(run, closing)
        write_manifest(run.root, {"by": "curate run", "recipe": closing.plan.recipe.name})
        funnel = _funnel(closing, rejected)
        tests = getattr(closing.plan.recipe.options.get("leaks"), "tests", None)
        numbers = report_numbers(run.root, funnel, Path(tests) if tests else None)
        write_json(run.report_json, {"schema": REPORT_VERSION, **funnel, **numbers})
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


def _write_rejected(run: RunFolder, closing: Closing) -> int:
    """One line for each record that gave no example and each line that is none, in input order."""
    out: dict[str, tuple[str, str, str | None]] = {}
    for place in closing.places:
        for lost in place.gone():
            out[lost["id"]] = (place.name, lost["reason"], lost["detail"] or _witness(lost["witness"]))
    with JsonlWriter(run.rejected) as writer:
        for shard in closing.corpus.shards:
            unread = deque(zip(shard.index.unread, shard.unread, strict=True))
            for position, (id, file, line) in enumerate(_origins(shard)):
                while unread and unread[0][0].after <= position:
                    writer.write(unread.popleft()[1])
                if id in out:
                    stage, reason, detail = out[id]
                    rejected = Rejected(id=id, file=file, line=line, stage=stage, reason=reason, detail=detail)
                    writer.write(rejected)
            for _, row in unread:
                writer.write(row)
    return writer.lines


def _witness(id: str | None) -> str | None:
    return None if id is None else f"witness: {id}"


def _write_steps(run: RunFolder, closing: Closing) -> None:
    """One line for each step that is no target, of the runs that gave an example, in input order."""
    gone = {row["id"] for place in closing.places for row in place.gone()}
    steps = left_out(closing.places)
    with JsonlWriter(run.steps_left_out) as writer:
        for shard in closing.corpus.shards:
            for id, file, line in _origins(shard):
                if id in gone:
                    continue
                for step, (stage, reason, detail) in sorted(steps.get(id, {}).items()):
                    row = StepLeftOut(id=id, step=step, file=file, line=line, stage=stage, reason=reason, detail=detail)
                    writer.write(row)


def _origins(shard: ReadShard) -> Iterator[tuple[str, str | None, int | None]]:
    """Final id, file and line of each record of a shard."""
    row = 0
    for number in range(len(shard.index.batches)):
        with pq.ParquetFile(shard.folder.part(number)) as file:
            source = file.read(columns=["source.file", "source.line"])["source"]
        origins: list[Any] = source.to_pylist()
        for origin in origins:
            yield shard.ids[row], origin["file"], origin["line"]
            row += 1
