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
from curate.engine.drafts import draft_key, finished, read_drafts
from curate.engine.fates import Fate, Fates, take_over
from curate.engine.fingerprint import fingerprint
from curate.engine.measuring import raw_lines
from curate.engine.memory import give_back
from curate.engine.naming import rename_record
from curate.engine.recipe import Recipe
from curate.engine.work import INDEX, link_or_copy, read_marker
from curate.engine.workers import no_collecting
from curate.formats.base import Format, format_named, lines, options_from
from curate.model.constants import EXAMPLE_BYTES
from curate.model.trajectory import Trajectory, decode
from curate.store.atomic import JsonlWriter, make_folder, write_json

_ROWS = 1 << 30  # no limit: only bytes count


class UnrollJob(msgspec.Struct, kw_only=True, frozen=True):
    """Consecutive batches to unroll (work folder of each, its number, its changed ids) and the fates of the runs in
    them, row by row."""

    root: Path
    key: str
    batches: list[PlacedBatch]
    fates: Fates
    options: Any
    drafts: str | None = None  # the key of the drafts that serve, if any do


class UnrollIndex(msgspec.Struct, kw_only=True):
    """Examples by split, and the runs that gave none."""

    examples: dict[str, int] = {}
    without: list[str] = []


class UnrollDone(msgspec.Struct, kw_only=True):
    index: UnrollIndex
    made: bool


def unroll_jobs(root: Path, shards: list[ReadShard], fates: Fates, recipe: Recipe) -> list[UnrollJob]:
    """The jobs of a run, in input order."""
    options = recipe.options["unroll"]
    version = format_named(options.format).version
    plain = msgspec.to_builtins(options)
    jobs = []
    for group in grouped(batches(shards), _ROWS, EXAMPLE_BYTES):
        here = fates.slice(group[0].first, group[-1].last)
        key = fingerprint([batch.key for batch in group], here.key, plain, version)
        jobs.append(UnrollJob(root=root, key=key, batches=group, fates=here, options=options, drafts=draft_key(recipe)))
    return jobs


def unroll(job: UnrollJob) -> UnrollDone:
    """Write the examples of a job, unless that was done before."""
    folder = examples_folder(job)
    index = read_marker(folder / INDEX, UnrollIndex)
    if index is not None:
        return UnrollDone(index=index, made=False)
    with no_collecting():
        index = _write(job, folder)
    give_back()
    return UnrollDone(index=index, made=True)


def _write(job: UnrollJob, folder: Path) -> UnrollIndex:
    make_folder(folder)
    index = UnrollIndex()
    form = format_named(job.options.format)
    with contextlib.ExitStack() as stack:
        writers: dict[str, JsonlWriter] = {}
        for id, split, expected, made in _made(job, form):
            if job.options.untrained == "omit" and 0 < len(made) < expected:
                raise RuntimeError(f"the format {form.name} wrote {len(made)} examples of {expected} targets")
            if not made:
                index.without.append(id)
                continue
            if split not in writers:
                writers[split] = stack.enter_context(JsonlWriter(folder / f"{split}.jsonl"))
            writers[split].write_lines(made)
            index.examples[split] = index.examples.get(split, 0) + len(made)
    index.examples = dict(sorted(index.examples.items()))
    write_json(folder / INDEX, index)
    return index


def without_drafts(job: UnrollJob) -> set[Path]:
    """The folders of shards whose examples are still to be made, and of which neither drafts nor records are there."""
    if (examples_folder(job) / INDEX).is_file():
        return set()
    lacking = set()
    for batch in job.batches:
        drafted = job.drafts is not None and batch.folder.drafts(job.drafts, batch.number).is_file()
        if not drafted and not batch.folder.records(batch.number).is_file():
            lacking.add(batch.folder.path)
    return lacking


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


_Made = tuple[str, str, int, list[bytes]]
"""Of a run: its id, its split, how many targets it has, the lines of its examples."""


def _made(job: UnrollJob, form: Format) -> Iterator[_Made]:
    """The examples of the runs that have a fate, in input order, as the decisions left them: from their drafts, or from
    the records themselves."""
    for batch in job.batches:
        first = batch.first - job.batches[0].first
        fates = [job.fates.of(first + row) for row in range(batch.rows)]
        drafts = None if job.drafts is None else read_drafts(batch.folder.drafts(job.drafts, batch.number))
        if drafts is not None:
            ids = {row: final for row, (final, _) in batch.changed.items()}
            made = finished(drafts, form, options_from(job.options), fates, ids)
            for row, (fate, rows) in enumerate(zip(fates, made, strict=True)):
                if fate is not None:
                    targets = drafts.lengths[row] - len(fate.no_target)
                    yield ids.get(row, drafts.ids[row]), fate.split, targets, rows
            continue
        for row, (line, fate) in enumerate(zip(raw_lines(batch.folder, batch.number), fates, strict=True)):
            if fate is not None:
                yield _of_record(line, batch.changed.get(row), fate, job, form)


def _of_record(line: bytes, changed: tuple[str, str] | None, fate: Fate, job: UnrollJob, form: Format) -> _Made:
    """The examples of the record in a JSON line. `changed`: its final id, and the one it came with."""
    record = decode(line)
    if changed is not None:
        rename_record(record, *changed)
    as_decided(record, fate)
    targets = [step.index for step in record.steps if step.index not in fate.no_target]
    options = options_from(job.options, split=fate.split)
    return record.id, fate.split, len(targets), list(lines(form, record, targets, options))


def as_decided(record: Trajectory, fate: Fate) -> Trajectory:
    """The record, changed in place, as a format is to see it."""
    if fate.weight is not None:
        record.weight = fate.weight
    if fate.taken is not None:
        take_over(record, fate.taken)
    if fate.no_history:
        record.steps = [step for step in record.steps if step.index not in fate.no_history]
    return record
