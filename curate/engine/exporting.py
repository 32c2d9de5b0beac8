"""Records of a dataset or run folder in a training format, as one file.

Of a run: what the run kept, with its targets, splits, weights and, unless told otherwise, its own options. Of a
dataset: every record, and every step that can be a target by itself (`stages.unroll.why_no_target`).

    OUT.jsonl                      the examples
    OUT.steps_left_out.jsonl       steps that gave none, with their reason (of a run: beyond those it left out itself)
    OUT.records_left_out.jsonl     records that gave none at all, with their reason
    OUT.weights.jsonl              for a format whose rows have no place for it: the weight of each line of OUT.jsonl
    pictures-<size>/               pictures that were made for it
    dataset_info.json              for LLaMA-Factory: the entry of OUT.jsonl

With `by` one such set for each operating system (`export_sets`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from curate.engine.export_files import NO_TARGET, ExportFiles
from curate.engine.export_pictures import ExportedPictures, size_of_picture
from curate.engine.export_sets import By, ExportSets
from curate.engine.fates import NO_SPLIT, Fate, Fates, fates_of
from curate.engine.places import NO_EXAMPLE, read_places
from curate.engine.unrolling import as_decided
from curate.engine.workers import Workers
from curate.formats.base import Format, FormatOptions, check_options, format_named, target_code, written
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.trajectory import Step, Trajectory
from curate.stages.unroll import why_no_target
from curate.store.dataset import part_paths, read_records
from curate.store.media import MediaStore
from curate.store.resizing import SizeOptions
from curate.store.run_folder import RunFolder, is_run


class Exported(msgspec.Struct, kw_only=True):
    """How many records gave how many examples of each split, and how many gave none (`without`; `records_out`: by
    reason). `left_out`: how many steps gave none, by reason. `pictures`: the folder of those that were made for it, if
    any, with how many were `made`, and how many could not be (`missing`)."""

    records: int = 0
    examples: dict[str, int] = {}
    without: int = 0
    pictures: Path | None = None
    made: int = 0
    missing: int = 0
    left_out: dict[str, int] = {}
    steps_left_out: list[Path] = []
    records_out: dict[str, int] = {}
    records_left_out: list[Path] = []
    weights: list[Path] = []
    outs: list[Path] = []


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


_OF_ONE_FORMAT = ("system_prompt", "prompts", "dialect", "coordinates", "min_pixels", "max_pixels")


def own_options(folder: Path, format_name: str) -> FormatOptions:
    """The options of the examples that a run wrote, as far as they concern this format; its own for a dataset."""
    section = RunFolder(folder).read_run().get("recipe", {}).get("unroll", {}) if is_run(folder) else {}
    if section.get("format") != format_name:
        section = {name: value for name, value in section.items() if name not in _OF_ONE_FORMAT}
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
    by: By | None = None,
) -> Exported:
    """Write the examples to `out`, whole or not at all. `split`: only of that split of a run (None: all). `size`: with
    pictures of this size beside them, made by so many `workers`. `by`: a set of files for each operating system.

    Raises UsageError for an unknown format or split, InputError for a folder that cannot be read, GateError where `out`
    is another file than an earlier export of the same, StoreError."""
    form = format_named(format_name)
    check_options(form, options)
    if is_run(folder) and out.resolve().parent == RunFolder(folder).examples.resolve():
        raise UsageError(f"{out} is among the run's own examples: choose another --out.")
    fates = decided(folder)
    if split is not None:
        _check_split(split, fates)
    sets = ExportSets(out, form, by)
    sets.mark(folder, form.name, split, msgspec.to_builtins(options), msgspec.to_builtins(size))
    done = Exported()
    with Workers(workers) as pool, sets:
        made = size is not None and size.any
        beside, after = out.parent if made else None, form.shows_after
        sure = _looked_at(folder) if not made else None
        pictures = ExportedPictures(folder, beside, size or SizeOptions(), pool, after, sure)
        chosen = _chosen(folder, fates, split)
        if not made and (form.needs_sizes or form.resize(options) is not None):
            chosen = _with_sizes(chosen, MediaStore(folder))
        for fate, record, lost in pictures.bring(chosen):
            left_out = None if fates is None else {*fate.no_target}
            if made:
                _leave_files(record)
            told = msgspec.structs.replace(options, split=fate.split)
            files = sets.of(record)
            count = _write(record, form, left_out, lost, told, files)
            done.records += 1
            done.without += not count
            if count:
                done.examples[fate.split] = done.examples.get(fate.split, 0) + count
            else:
                files.leave_out_record(record, NO_EXAMPLE if form.by_run else NO_TARGET)
        done.pictures, done.made, done.missing = pictures.folder, pictures.made, pictures.missing
    done.examples = dict(sorted(done.examples.items()))
    done.left_out, done.steps_left_out = sets.left_out, sets.steps_left_out
    done.records_out, done.records_left_out = sets.records_out, sets.records_left_out
    done.weights, done.outs = sets.weights, sets.outs
    return done


def with_pictures(
    format_name: str, options: FormatOptions, size: SizeOptions, keep: bool
) -> tuple[FormatOptions, SizeOptions]:
    """The options of an export and the size of its pictures, in agreement: where coordinates are pixels of the picture
    as the model sees it, it is written in that size, unless the pictures are to stay as they are (`keep`: then the
    trainer's processor makes that size, and must be told the same limits). Raises UsageError where they contradict."""
    form = format_named(format_name)
    check_options(form, options)
    resize = form.resize(options)
    if keep and size.any:
        raise UsageError("--keep-pictures says that pictures stay as they are, and another option how to make them.")
    if resize is None or keep:
        return options, size
    if size.multiple not in (1, resize.factor):
        raise UsageError(f"--multiple {size.multiple}: pictures of {form.name} have multiples of {resize.factor}.")
    if size.max_pixels is not None:
        options = msgspec.structs.replace(options, max_pixels=size.max_pixels)
        check_options(form, options)
        resize = form.resize(options) or resize
    return options, msgspec.structs.replace(
        size, multiple=resize.factor, min_pixels=resize.min_pixels, max_pixels=resize.max_pixels
    )


def _chosen(folder: Path, fates: Fates | None, split: str | None) -> Iterator[tuple[Fate, Trajectory]]:
    """The records to export as they were decided, each with its fate."""
    for row, record in enumerate(read_records(folder)):
        fate = Fate(split=NO_SPLIT) if fates is None else fates.of(row)
        if fate is not None and (split is None or fate.split == split):
            yield fate, as_decided(record, fate)


def _looked_at(folder: Path) -> Callable[[Fate, Step], bool] | None:
    """Whether a step's picture is known to open: a run's stage `images` decoded them all, and no step whose picture
    does not open is a target. None where nobody did."""
    if not is_run(folder) or "images" not in RunFolder(folder).read_run().get("recipe", {}).get("order", []):
        return None
    return lambda fate, step: step.index not in fate.no_target


def _with_sizes(chosen: Iterator[tuple[Fate, Trajectory]], media: MediaStore) -> Iterator[tuple[Fate, Trajectory]]:
    """The same with the sizes of pictures that the records do not tell, from the pictures' first bytes."""
    for fate, record in chosen:
        for step in record.steps:
            if step.image is not None and step.image_size is None:
                step.image_size = size_of_picture(media, step.image)
        yield fate, record


def _check_split(split: str, fates: Fates | None) -> None:
    known = sorted({"train", "test", *fates.kept_splits} if fates is not None else {NO_SPLIT})
    if split not in known:
        hint = did_you_mean(split, known) or f" There is {' and '.join(known)}."
        raise UsageError(f"There is no split {split!r}.{hint}")


def _write(
    record: Trajectory, form: Format, left_out: set[int] | None, lost: dict[int, str], options: FormatOptions,
    files: ExportFiles,
) -> int:  # fmt: skip
    """Write the examples of a record, and what became of its other steps; how many examples there are."""
    if form.by_run:
        runs = list(written(form, record, [], options))
        files.write(runs)
        return len(runs)
    why = {step.index: _why_no_target(step, form, left_out, lost) for step in record.steps}
    targets = [index for index, reason in why.items() if reason is None]
    rows = list(written(form, record, targets, options))
    files.write(rows)
    gave = {head.step for head, _ in rows}
    if len(gave) < len(targets):  # not all can be said in the format
        reasons = {step.index: reason for step, reason in zip(record.steps, form.why_not(record, options), strict=True)}
        for index in targets:
            if index not in gave:
                why[index] = reasons[index] or NO_EXAMPLE
    own = left_out or set()
    told = {index: reason for index, reason in why.items() if reason and index not in own and index not in gave}
    files.leave_out(record, told)
    return len(rows)


def _leave_files(record: Trajectory) -> None:
    """Trees, videos and traces stay where they are when pictures are made anew beside the examples: a row names only
    what lies there."""
    record.video = record.trace = None
    for step in record.steps:
        step.tree = None


def _why_no_target(step: Step, form: Format, left_out: set[int] | None, lost: dict[int, str]) -> str | None:
    """The reason code of a step that is no target, for any reason but the format's language."""
    if step.index in lost:
        return lost[step.index]
    if form.needs_code and not target_code(step):
        why = why_no_target(step)
        return "unroll.no_action" if why is None else why
    if left_out is not None:
        return NO_EXAMPLE if step.index in left_out else None
    why = why_no_target(step)
    if why == "unroll.no_action" and not form.needs_code and step.action:
        why = None
    return why or _no_picture(step)


def _no_picture(step: Step) -> str | None:
    """Of a step of a dataset whose picture was not there or does not serve, what a run's stage `images` says of it."""
    if "picture_missing" not in step.flags:
        return None
    return "images.unreadable" if "picture_damaged" in step.flags else "images.missing"
