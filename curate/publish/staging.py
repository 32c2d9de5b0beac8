"""A run becomes a folder that can be published: tables, examples, reports, card, Croissant file and manifest.

One pass over the records, in the run's order: what is in memory at a time is a batch of records, a row group of
pictures for each split, and what the census holds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute

from curate.engine.memory import give_back
from curate.engine.progress import Silent, Tells
from curate.engine.work import link_or_copy
from curate.model.errors import GateError, InputError
from curate.publish.card import CARD, card
from curate.publish.configs import Config
from curate.publish.croissant import CROISSANT, croissant
from curate.publish.facts.audit import audit_number, read_audits
from curate.publish.facts.census import Census, census_numbers
from curate.publish.facts.leaks import leak_numbers
from curate.publish.facts.run import run_numbers
from curate.publish.features import described, json_features, step_features, trajectory_features
from curate.publish.kept import Kept, finished_run, kept_records
from curate.publish.manifest import MANIFEST, Manifest, Number, PublishedFile
from curate.publish.options import PublishOptions
from curate.publish.reports import WriteReport, public_report, read_report, write_reports
from curate.publish.sample import sample_of
from curate.publish.staged import Staged
from curate.publish.tables.examples import Examples, stage_examples
from curate.publish.tables.shards import Shards
from curate.publish.tables.steps import StepTables
from curate.publish.tables.traces import write_trace
from curate.publish.tables.trajectories import add_trajectories, trajectory_shards
from curate.store.atomic import make_folder, remove_leftovers, write_json, write_text
from curate.store.dataset import file_sha256
from curate.store.paths import PathError
from curate.store.run_folder import RunFolder

__all__ = ["Staged", "stage"]

pc: Any = pyarrow.compute  # its stubs know no value sets
_BATCH = 64  # records that become a table at a time
_OURS = frozenset({
    "data", "examples", "traces", "media", MANIFEST, CARD, CROISSANT, "CHANGELOG.md", "recipe.yaml", "report.html",
    "report.json", "rejected_counts.json",
})  # fmt: skip


class _Written(msgspec.Struct):
    """What one pass over the records gave."""

    configs: list[Config]
    census: Census
    ids: Any
    lost: set[str]
    media: list[str]
    traces: dict[str, int]
    sample: dict[str, Any] | None


def stage(
    run: Path, out: Path, options: PublishOptions, progress: Tells | None = None, *,
    write_report: WriteReport | None = None, scan: Sequence[dict[str, Any]] | None = None,
) -> Staged:  # fmt: skip
    """Write the publication of a finished run into `out`, in place of an earlier one. `write_report`: writes
    report.html of a run folder; without it there is none. `scan`: what the gate found (code, count), for the card.

    Raises UsageError, InputError, StoreError; GateError where `out` holds something else."""
    folder, tell = finished_run(run), progress or Silent()
    run_json, report = folder.read_run(), read_report(folder)
    audits = read_audits(run, options.audit)  # labels of another run are told before anything is written
    _take_over(out)
    tell.phase("Tables", report.trajectories)
    written = _write_tables(folder, out, options, tell.advance)
    if not len(written.ids):
        raise InputError(f"There is nothing to publish: the run in {run} kept no record that gave an example.")
    examples = stage_examples(folder, out)
    configs = [*written.configs, *_examples(examples)]
    samples = pa.array([row.id for row in report.samples], pa.string())
    published = {name for name in samples.filter(pc.is_in(samples, value_set=written.ids)).to_pylist() if name}
    others = write_reports(folder, run_json, public_report(report, published), out, write_report)
    numbers = {
        **census_numbers(written.census, len(written.lost)),
        **run_numbers(run_json, report, options.costs),
        **leak_numbers(folder, run_json, report.stages, written.ids),
        "sample": Number(value=written.sample, of="data/trajectories: the first record"),
        "audit": audit_number(audits, written.ids),
        "scan": Number(value=None if scan is None else list(scan), of="the gate before publication"),
        "license": Number(
            value={"id": options.license, "name": options.license_name, "link": options.license_link}, of="--license"
        ),
        "accepted": Number(value=sorted(options.accept), of="--accept"),
    }
    tell.phase("Card and manifest", 1)
    rows = {path: count for config in configs for path, count in config.rows.items()}
    rows |= {**examples.lines, **written.traces}
    files = [_file(out, path, rows.get(path)) for path in [*rows, *written.media, *others]]
    manifest = Manifest(repo=options.repo, version=options.version, files=files, numbers=numbers)
    write_text(out / CARD, card(manifest, configs, options))
    write_json(out / CROISSANT, croissant(manifest, configs, options))
    files = sorted([*files, _file(out, CARD), _file(out, CROISSANT)], key=lambda file: file.path)
    manifest = msgspec.structs.replace(manifest, files=files)
    _remove_stale(out, {file.path for file in files})
    write_json(out / MANIFEST, manifest)
    tell.advance()
    return Staged(folder=out, manifest=manifest)


def _take_over(out: Path) -> None:
    """Make the folder ours: new, empty, or of an earlier publication, which is no longer whole. Raises GateError."""
    make_folder(out)
    foreign = sorted(path.name for path in out.iterdir() if path.name not in _OURS and path.name[0] != ".")
    if foreign:
        raise GateError(f"{out} holds other files ({foreign[0]}): what is published is put together in a folder alone.")
    remove_leftovers(out)
    (out / MANIFEST).unlink(missing_ok=True)


def _write_tables(run: RunFolder, out: Path, options: PublishOptions, advance: Callable[[int], None]) -> _Written:
    """The tables of all splits, the traces and the media that are in no table."""
    census, ids, media, lost = Census(), [pa.array([], pa.string())], dict[str, None](), set[str]()
    sample: dict[str, Any] | None = None
    trajectories: dict[str, Shards] = {}
    steps: dict[str, StepTables] = {}
    traces: dict[str, int] = {}
    with contextlib.ExitStack() as stack:
        for batch in _batches(kept_records(run)):
            split = batch[0].split
            if split not in trajectories:
                trajectories[split] = stack.enter_context(trajectory_shards(out, split))
                steps[split] = StepTables(out, split, run.media)
                stack.enter_context(steps[split].shards)
            add_trajectories(trajectories[split], batch)
            steps[split].add(batch)
            for kept in batch:
                census.add(kept)
                sample = sample_of(kept.record) if kept.position == 0 else sample
                media.update(dict.fromkeys(_bring(run, out, kept, lost)))
                if options.traces:
                    path, lines = write_trace(out, kept)
                    traces[path] = lines
            ids.append(pa.array([kept.record.id for kept in batch], pa.string()))
            give_back()
            advance(len(batch))
    configs = [
        _config("steps", [table.shards for table in steps.values()], step_features()),
        _config("trajectories", list(trajectories.values()), trajectory_features()),
    ]
    lost.update(*(table.lost for table in steps.values()))
    return _Written(
        configs=configs,
        census=census,
        ids=pa.concat_arrays(ids),
        lost=lost,
        media=list(media),
        traces=traces,
        sample=sample,
    )


def _batches(records: Iterator[Kept]) -> Iterator[list[Kept]]:
    """Records of one split together, in their order within it."""
    waiting: dict[str, list[Kept]] = {}
    for kept in records:
        batch = waiting.setdefault(kept.split, [])
        batch.append(kept)
        if len(batch) == _BATCH:
            yield waiting.pop(kept.split)
    for split in sorted(waiting):
        yield waiting[split]


def _bring(run: RunFolder, out: Path, kept: Kept, lost: set[str]) -> Iterator[str]:
    """Media of a record that no table holds; their paths."""
    for reference in (kept.record.video, kept.record.trace):
        if reference is not None:
            try:
                link_or_copy(run.media.path(reference), out / reference)
                yield reference
            except (OSError, PathError):
                lost.add(reference)


def _config(name: str, tables: list[Shards], features: Any) -> Config:
    rows = {path: count for table in tables for path, count in table.rows.items()}
    sizes = {path: size for table in tables for path, size in table.sizes.items()}
    return Config(name=name, rows=rows, sizes=sizes, features=described(features))


def _examples(examples: Examples) -> list[Config]:
    features = described(json_features(examples.columns))
    return [Config(name="examples", rows=examples.rows, sizes=examples.sizes, features=features)] if features else []


def _file(out: Path, path: str, rows: int | None = None) -> PublishedFile:
    file = out / path
    return PublishedFile(path=path, bytes=file.stat().st_size, sha256=file_sha256(file), rows=rows)


def _remove_stale(out: Path, names: set[str]) -> None:
    """Files of an earlier publication go, and folders that are empty then."""
    for path in sorted(out.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir()  # only an empty one
        elif path.relative_to(out).as_posix() not in names:
            path.unlink()
