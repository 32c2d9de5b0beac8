"""Records of a dataset or run folder in a training format, as one file.

Of a run: what the run kept, with its targets, splits, weights and, unless told otherwise, its own options. Of a
dataset: every record, and every step that can be a target by itself (`stages.unroll.why_no_target`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from curate.engine.deciding import Place
from curate.engine.fates import NO_SPLIT, fates_of
from curate.engine.stage_table import read_key, read_verdicts
from curate.engine.unrolling import Fate, as_decided
from curate.formats.base import Format, FormatOptions, Row, format_named, target_code
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.trajectory import Step, Trajectory
from curate.stages.unroll import why_no_target
from curate.store.atomic import JsonlWriter
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder, is_run


class Exported(msgspec.Struct, kw_only=True):
    """How many records gave how many examples of each split, and how many gave none."""

    records: int = 0
    examples: dict[str, int] = {}
    without: int = 0


def decided(folder: Path) -> dict[str, Fate] | None:
    """What a run decided of each run that it kept, read back from its folder; None for a dataset, which decides
    nothing. Raises InputError for a run that is not finished."""
    if not is_run(folder):
        return None
    run = RunFolder(folder)
    if not run.read_run().get("finished"):
        raise InputError(f"The run in {folder} is not finished: the same `curate run` goes on with it.")
    places = []
    for path in run.stage_paths():
        key = read_key(path)
        if key is None:
            raise InputError(f"{path} holds no decisions: `curate run` writes it anew.")
        number, _, name = path.stem.partition("-")
        stage = re.sub(r"_\d+$", "", name)  # the second place of a stage is `leaks_2`
        verdicts = read_verdicts(path, key)
        places.append(
            Place(name=name, stage=stage, number=int(number), verdicts=verdicts, came=[], key=key, made=False)
        )
    return fates_of(places)


def own_options(folder: Path) -> FormatOptions:
    """The options of the examples that a run wrote; the formats' own for a dataset."""
    section = RunFolder(folder).read_run().get("recipe", {}).get("unroll", {}) if is_run(folder) else {}
    try:
        return msgspec.convert(
            {k: v for k, v in section.items() if k in FormatOptions.__struct_fields__}, FormatOptions
        )
    except msgspec.ValidationError as error:
        raise InputError(f"run.json of {folder} holds options that are none: {error}.") from error


def export(folder: Path, format_name: str, out: Path, split: str | None, options: FormatOptions) -> Exported:
    """Write the examples to `out`, whole or not at all. `split`: only of that split of a run (None: all).

    Raises UsageError for an unknown format or split, InputError for a folder that cannot be read, StoreError."""
    form = format_named(format_name)
    if is_run(folder) and out.resolve().parent == RunFolder(folder).examples.resolve():
        raise UsageError(f"{out} is among the run's own examples: choose another --out.")
    fates = decided(folder)
    if split is not None:
        _check_split(split, fates)
    done = Exported()
    with JsonlWriter(out) as writer:
        for record in read_records(folder):
            fate = Fate(split=NO_SPLIT) if fates is None else fates.get(record.id)
            if fate is None or (split is not None and fate.split != split):
                continue
            done.records += 1
            before = writer.lines
            told = msgspec.structs.replace(options, split=fate.split)
            for example in _examples(as_decided(record, fate), form, fate if fates is not None else None, told):
                writer.write(example)
            count = writer.lines - before
            done.without += not count
            if count:
                done.examples[fate.split] = done.examples.get(fate.split, 0) + count
    done.examples = dict(sorted(done.examples.items()))
    return done


def _check_split(split: str, fates: Mapping[str, Fate] | None) -> None:
    known = sorted({"train", "test", *(fate.split for fate in fates.values())} if fates is not None else {NO_SPLIT})
    if split not in known:
        hint = did_you_mean(split, known) or f" There is {' and '.join(known)}."
        raise UsageError(f"There is no split {split!r}.{hint}")


def _examples(record: Trajectory, form: Format, fate: Fate | None, options: FormatOptions) -> Iterator[Row]:
    left_out = None if fate is None else set(fate.no_target)
    targets = [step.index for step in record.steps if _is_target(step, form, left_out)]
    yield from form.examples(record, targets, options)


def _is_target(step: Step, form: Format, left_out: set[int] | None) -> bool:
    needs_code = form.needs_code
    if needs_code and not target_code(step):
        return False
    if left_out is not None:
        return step.index not in left_out
    why = why_no_target(step)
    return why is None or (why == "unroll.no_action" and not needs_code and bool(step.action))
