"""Records of a dataset or run folder in a training format, as one file.

Of a run: what the run kept, with its targets, splits and weights. Of a dataset: every record, and every step that can
be a target by itself (`stages.unroll.why_no_target`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from curate.formats.base import Format, FormatOptions, format_named, target_code
from curate.model.trajectory import Step, Trajectory, Weight
from curate.stages.unroll import why_no_target
from curate.store.atomic import JsonlWriter
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder, is_run


class Exported(msgspec.Struct, kw_only=True):
    """How many records gave how many examples, and how many gave none."""

    records: int = 0
    examples: int = 0
    without: int = 0


class Fates(msgspec.Struct, kw_only=True):
    """What a run decided, read back from its folder."""

    gone: set[str]
    left_out: dict[str, set[int]]
    splits: dict[str, str]
    weights: dict[str, float]

    @classmethod
    def of(cls, folder: Path) -> Fates:
        """The fates of a run folder's records. Raises InputError for a folder that is not finished."""
        run = RunFolder(folder)
        left_out: dict[str, set[int]] = defaultdict(set)
        for row in run.read_steps_left_out():
            left_out[row.id].add(row.step)
        columns: dict[str, dict[str, str | float]] = {"split": {}, "weight": {}}
        for path in run.stage_paths():
            table = run.read_stage(path)
            for name in set(columns) & set(table.column_names):
                wholes = table.select(["id", "step", name]).to_pylist()
                columns[name] |= {row["id"]: row[name] for row in wholes if row["step"] is None and row[name]}
        return cls(
            gone={row.id for row in run.read_rejected() if row.id is not None},
            left_out=left_out,
            splits={key: str(value) for key, value in columns["split"].items()},
            weights={key: float(value) for key, value in columns["weight"].items()},
        )


def export(folder: Path, format_name: str, out: Path, split: str | None, options: FormatOptions) -> Exported:
    """Write the examples to `out`, whole or not at all. `split`: only of that split of a run (None: all).

    Raises UsageError for an unknown format, InputError for a folder that cannot be read, StoreError."""
    form = format_named(format_name)
    fates = Fates.of(folder) if is_run(folder) else None
    done = Exported()
    with JsonlWriter(out) as writer:
        for record in read_records(folder):
            of_split = "train" if fates is None else fates.splits.get(record.id, "train")
            if (fates is not None and record.id in fates.gone) or (split is not None and of_split != split):
                continue
            done.records += 1
            before = writer.lines
            for example in _examples(record, form, fates, msgspec.structs.replace(options, split=of_split)):
                writer.write(example)
            done.without += writer.lines == before
        done.examples = writer.lines
    return done


def _examples(
    record: Trajectory, form: Format, fates: Fates | None, options: FormatOptions
) -> Iterator[dict[str, object]]:
    if fates is not None and record.id in fates.weights:
        record.weight = Weight(value=fates.weights[record.id], by="curate run")
    left_out = fates.left_out.get(record.id, set()) if fates is not None else None
    targets = [step.index for step in record.steps if _is_target(step, form, left_out)]
    yield from form.examples(record, targets, options)


def _is_target(step: Step, form: Format, left_out: set[int] | None) -> bool:
    needs_code = getattr(form, "needs_code", True)
    if needs_code and not target_code(step):
        return False
    if left_out is not None:
        return step.index not in left_out
    why = why_no_target(step)
    return why is None or (why == "unroll.no_action" and not needs_code and bool(step.action))
