"""Records of a dataset or run folder in a training format, as one file.

Of a run: what the run kept, with its targets, splits, weights and, unless told otherwise, its own options. Of a
dataset: every record, and every step that can be a target by itself (`stages.unroll.why_no_target`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from curate.engine.export_pictures import ExportedPictures
from curate.engine.fates import NO_SPLIT, Fate, Fates, fates_of
from curate.engine.places import read_places
from curate.engine.unrolling import as_decided
from curate.engine.workers import Workers
from curate.formats.base import Format, FormatOptions, format_named, lines, target_code
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.trajectory import Step, Trajectory
from curate.stages.unroll import why_no_target
from curate.store.atomic import JsonlWriter
from curate.store.dataset import part_paths, read_records
from curate.store.resizing import SizeOptions
from curate.store.run_folder import RunFolder, is_run


class Exported(msgspec.Struct, kw_only=True):
    """How many records gave how many examples of each split, and how many gave none. `pictures`: the folder of those
    that were made for it, if any, with how many were `made`, and how many could not be (`missing`)."""

    records: int = 0
    examples: dict[str, int] = {}
    without: int = 0
    pictures: Path | None = None
    made: int = 0
    missing: int = 0


def decided(folder: Path) -> Fates | None:
    """What a run decided of each run that it kept, read back from its folder; None for a dataset, which decides
    nothing. Raises InputError for a run that is not finished."""
    if not is_run(folder):
        return None
    run = RunFolder(folder)
    if not run.read_run().get("finished"):
        raise InputError(f"The run in {folder} is not finished: the same `curate run` goes on with it.")
    count = sum(pq.read_metadata(part).num_rows for part in part_paths(folder))
    return fates_of(read_places(run, count), count)


def own_options(folder: Path) -> FormatOptions:
    """The options of the examples that a run wrote; the formats' own for a dataset."""
    section = RunFolder(folder).read_run().get("recipe", {}).get("unroll", {}) if is_run(folder) else {}
    try:
        return msgspec.convert(
            {k: v for k, v in section.items() if k in FormatOptions.__struct_fields__}, FormatOptions
        )
    except msgspec.ValidationError as error:
        raise InputError(f"run.json of {folder} holds options that are none: {error}.") from error


def export(
    folder: Path,
    format_name: str,
    out: Path,
    split: str | None,
    options: FormatOptions,
    size: SizeOptions | None = None,
    workers: int = 1,
) -> Exported:
    """Write the examples to `out`, whole or not at all. `split`: only of that split of a run (None: all). `size`: with
    pictures of this size beside them, made by so many `workers`.

    Raises UsageError for an unknown format or split, InputError for a folder that cannot be read, StoreError."""
    form = format_named(format_name)
    if is_run(folder) and out.resolve().parent == RunFolder(folder).examples.resolve():
        raise UsageError(f"{out} is among the run's own examples: choose another --out.")
    fates = decided(folder)
    if split is not None:
        _check_split(split, fates)
    done = Exported()
    with Workers(workers) as pool, JsonlWriter(out) as writer:
        pictures = ExportedPictures(folder, out.parent, size, pool) if size is not None and size.any else None
        chosen = _chosen(folder, fates, split)
        whole = ((fate, record, set()) for fate, record in chosen) if pictures is None else pictures.bring(chosen)
        for fate, record, lost in whole:
            done.records += 1
            before = writer.lines
            told = msgspec.structs.replace(options, split=fate.split)
            left_out = None if fates is None else {*fate.no_target}
            for example in _examples(record, form, left_out, lost, told):
                writer.write_line(example)
            count = writer.lines - before
            done.without += not count
            if count:
                done.examples[fate.split] = done.examples.get(fate.split, 0) + count
        if pictures is not None:
            done.pictures, done.made, done.missing = pictures.folder, pictures.made, pictures.missing
    done.examples = dict(sorted(done.examples.items()))
    return done


def _chosen(folder: Path, fates: Fates | None, split: str | None) -> Iterator[tuple[Fate, Trajectory]]:
    """The records to export as they were decided, each with its fate."""
    for row, record in enumerate(read_records(folder)):
        fate = Fate(split=NO_SPLIT) if fates is None else fates.of(row)
        if fate is not None and (split is None or fate.split == split):
            yield fate, as_decided(record, fate)


def _check_split(split: str, fates: Fates | None) -> None:
    known = sorted({"train", "test", *fates.kept_splits} if fates is not None else {NO_SPLIT})
    if split not in known:
        hint = did_you_mean(split, known) or f" There is {' and '.join(known)}."
        raise UsageError(f"There is no split {split!r}.{hint}")


def _examples(
    record: Trajectory, form: Format, left_out: set[int] | None, lost: set[int], options: FormatOptions
) -> Iterator[bytes]:
    targets = [step.index for step in record.steps if step.index not in lost and _is_target(step, form, left_out)]
    yield from lines(form, record, targets, options)


def _is_target(step: Step, form: Format, left_out: set[int] | None) -> bool:
    needs_code = form.needs_code
    if needs_code and not target_code(step):
        return False
    if left_out is not None:
        return step.index not in left_out
    why = why_no_target(step)
    return why is None or (why == "unroll.no_action" and not needs_code and bool(step.action))
