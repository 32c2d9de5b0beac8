"""Makes training examples of what the decisions left: one job for some consecutive batches, one file for each split
of a job. Names count up over the jobs that have examples of a split, so they do not depend on who was first."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.assembling import PlacedBatch, batches, grouped
from curate.engine.corpus import ReadShard
from curate.engine.fingerprint import fingerprint
from curate.engine.measuring import raw_lines
from curate.engine.naming import rename_record
from curate.engine.recipe import Recipe
from curate.engine.work import INDEX, link_or_copy, read_marker
from curate.engine.workers import no_collecting
from curate.formats.base import format_named, options_from
from curate.model.constants import EXAMPLE_BYTES
from curate.model.trajectory import Trajectory, Weight, decode
from curate.store.atomic import JsonlWriter, make_folder, write_json

_ROWS = 1 << 30  # no limit: only bytes count


class Fate(msgspec.Struct, kw_only=True, frozen=True):
    """What becomes of a run that is kept: its `split`, its `weight` (None: as the record says), indices of the steps
    that are no target, and of those that leave the history too."""

    split: str
    weight: Weight | None = None
    no_target: list[int] = []
    no_history: list[int] = []


class UnrollJob(msgspec.Struct, kw_only=True, frozen=True):
    """Batches to unroll (work folder of each, its number, its changed ids) and the fates of the runs in them."""

    root: Path
    key: str
    batches: list[PlacedBatch]
    fates: dict[str, Fate]
    options: Any


class UnrollIndex(msgspec.Struct, kw_only=True):
    """Examples by split, and the runs that gave none."""

    examples: dict[str, int] = {}
    without: list[str] = []


class UnrollDone(msgspec.Struct, kw_only=True):
    index: UnrollIndex
    made: bool


def unroll_jobs(root: Path, shards: list[ReadShard], fates: dict[str, Fate], recipe: Recipe) -> list[UnrollJob]:
    """The jobs of a run, in input order."""
    options = recipe.options["unroll"]
    version = format_named(options.format).version
    plain = msgspec.to_builtins(options)
    jobs = []
    for group in grouped(batches(shards), _ROWS, EXAMPLE_BYTES):
        here: dict[str, Fate] = {}
        for batch in group:
            here |= {id: fates[id] for id in _ids(batch) if id in fates}
        key = fingerprint([batch.key for batch in group], msgspec.to_builtins(here), plain, version)
        jobs.append(UnrollJob(root=root, key=key, batches=group, fates=here, options=options))
    return jobs


def unroll(job: UnrollJob) -> UnrollDone:
    """Write the examples of a job, unless that was done before."""
    folder = examples_folder(job)
    index = read_marker(folder / INDEX, UnrollIndex)
    if index is not None:
        return UnrollDone(index=index, made=False)
    with no_collecting():
        return UnrollDone(index=_write(job, folder), made=True)


def _write(job: UnrollJob, folder: Path) -> UnrollIndex:
    make_folder(folder)
    index = UnrollIndex()
    form = format_named(job.options.format)
    with contextlib.ExitStack() as stack:
        writers: dict[str, JsonlWriter] = {}
        for record in _records(job):
            fate = job.fates[record.id]
            targets = [step.index for step in record.steps if step.index not in fate.no_target]
            count = 0
            for example in form.examples(record, targets, options_from(job.options, split=fate.split)):
                if fate.split not in writers:
                    writers[fate.split] = stack.enter_context(JsonlWriter(folder / f"{fate.split}.jsonl"))
                writers[fate.split].write(example)
                count += 1
            if job.options.untrained == "omit" and 0 < count < len(targets):
                raise RuntimeError(f"the format {form.name} wrote {count} examples of {len(targets)} targets")
            if count:
                index.examples[fate.split] = index.examples.get(fate.split, 0) + count
            else:
                index.without.append(record.id)
    index.examples = dict(sorted(index.examples.items()))
    write_json(folder / INDEX, index)
    return index


def link_examples(folder: Path, jobs: list[UnrollJob], done: list[UnrollIndex]) -> list[Path]:
    """Put the jobs' files into examples/ under their final names."""
    numbers: dict[str, int] = {}
    paths = []
    for job, index in zip(jobs, done, strict=True):
        for split in index.examples:
            number = numbers.get(split, 0)
            numbers[split] = number + 1
            path = folder / f"{split}-{number:05d}.jsonl"
            link_or_copy(examples_folder(job) / f"{split}.jsonl", path)
            paths.append(path)
    return paths


def examples_folder(job: UnrollJob) -> Path:
    return job.root / ".work" / "examples" / job.key


def _ids(batch: PlacedBatch) -> list[str]:
    first = sum(b.rows for b in batch.shard.index.batches[: batch.number])
    return batch.shard.ids[first : first + batch.rows]


def _records(job: UnrollJob) -> Iterator[Trajectory]:
    """The runs that have a fate, in input order, as the decisions left them."""
    for batch in job.batches:
        for row, (id, line) in enumerate(zip(_ids(batch), raw_lines(batch.shard.folder, batch.number), strict=True)):
            fate = job.fates.get(id)
            if fate is None:
                continue
            record = decode(line)
            if row in batch.changed:
                rename_record(record, *batch.changed[row])
            yield as_decided(record, fate)


def as_decided(record: Trajectory, fate: Fate) -> Trajectory:
    """The record, changed in place, as a format is to see it."""
    if fate.weight is not None:
        record.weight = fate.weight
    if fate.no_history:
        record.steps = [step for step in record.steps if step.index not in fate.no_history]
    return record
