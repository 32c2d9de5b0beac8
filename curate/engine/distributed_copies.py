"""Near-copies of a corpus too large for one machine: the functions of stages.copies.partitions as jobs over files
of the run folder, each finished file its own mark. A killed run goes on where it was; at the end they are removed.

    .work/copies/<key>/rows-00000.arrow       runs of a shard
                       contents-00000.arrow   what tells kinds apart
                       prefixes-00000.arrow   map: one record batch for each partition
                       pairs-00000.arrow      join: the pairs of a partition

Memory: a shard or a partition in a worker; on the node of the command the contents (33 bytes a run) and the pairs."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from curate.engine.fingerprint import fingerprint
from curate.engine.plan import WORK_VERSION, Plan
from curate.engine.workers import Workers
from curate.model.constants import PARTITION_RUNS, PARTITION_SHARD_RUNS, PARTITIONED_FROM
from curate.model.errors import StoreError
from curate.stages.copies.engines import solved_by
from curate.stages.copies.partitions.partition_join import similar_rows
from curate.stages.copies.partitions.partitioned import (
    Rules,
    contents,
    first_kept,
    kinds,
    prefix_rows,
    rows_of,
    rules_of,
)
from curate.stages.copies.search.keep_first import keep_first
from curate.stages.copies.types import Decided, Problem
from curate.store.atomic import atomic_path, make_folder


def copies_on(plan: Plan, workers: Workers) -> contextlib.AbstractContextManager[None]:
    """Within the block near-copies are worked out by the workers, where these are a cluster."""
    return contextlib.nullcontext() if plan.ray is None else solved_by(DistributedCopies(plan.out, workers))


class PartJob(msgspec.Struct, kw_only=True, frozen=True):
    """One piece of work: files in, one file out. `number`: of the partition that is joined. `stand`: packed bits, which
    rows stand for their kind."""

    inputs: list[Path]
    out: Path
    rules: Rules
    number: int = 0
    partitions: int = 0
    stand: bytes = b""


class DistributedCopies:
    """Solves a problem on workers: the answer is that of `keep_first`, which small ones are left to."""

    def __init__(self, root: Path, workers: Workers, large: int | None = None) -> None:
        self._folder = root / ".work" / "copies"
        self._workers = workers
        self._large = PARTITIONED_FROM if large is None else large

    def __call__(self, problem: Problem) -> Decided:
        if problem.sets.count < self._large:
            return keep_first(problem)
        folder = make_folder(self._folder / _key(problem))
        for other in self._folder.iterdir():
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
        decided = self._decided(problem, folder)
        shutil.rmtree(self._folder, ignore_errors=True)
        return decided

    def _decided(self, problem: Problem, folder: Path) -> Decided:
        count, rules = problem.sets.count, rules_of(problem)
        starts = range(0, count, PARTITION_SHARD_RUNS)
        partitions = -(-count // PARTITION_RUNS)
        rows = [folder / f"rows-{number:05d}.arrow" for number in range(len(starts))]
        for path, start in zip(rows, starts, strict=True):
            if not path.is_file():
                _write(path, [rows_of(problem, start, min(start + PARTITION_SHARD_RUNS, count))])
        jobs = [PartJob(inputs=[path], out=_named(path, "contents"), rules=rules) for path in rows]
        self._run(_contents, jobs)
        told = pa.concat_tables([_read(job.out) for job in jobs])
        stand = kinds(told) == np.arange(count)
        jobs = [
            PartJob(inputs=[path], out=_named(path, "prefixes"), rules=rules, partitions=partitions,
                    stand=np.packbits(stand[start : start + PARTITION_SHARD_RUNS]).tobytes())
            for path, start in zip(rows, starts, strict=True)
        ]  # fmt: skip
        self._run(_prefixes, jobs)
        mapped = [job.out for job in jobs]
        jobs = [
            PartJob(inputs=mapped, out=folder / f"pairs-{number:05d}.arrow", rules=rules, number=number)
            for number in range(partitions)
        ]
        self._run(_pairs, jobs)
        return first_kept(pa.concat_tables([_read(job.out) for job in jobs]), told, problem.order, problem.cap)

    def _run(self, function: Callable[[PartJob], None], jobs: Sequence[PartJob]) -> None:
        for _ in self._workers.run(function, [job for job in jobs if not job.out.is_file()]):
            pass


def _contents(job: PartJob) -> None:
    _write(job.out, [contents(_read(job.inputs[0]), job.rules)])


def _prefixes(job: PartJob) -> None:
    rows = _read(job.inputs[0])
    stand = np.unpackbits(np.frombuffer(job.stand, np.uint8), count=rows.num_rows).astype(bool)
    table = prefix_rows(rows, job.rules, stand, job.partitions)
    bounds = np.searchsorted(table["partition"].to_numpy(), np.arange(job.partitions + 1)).tolist()
    _write(job.out, [table.slice(a, b - a) for a, b in itertools.pairwise(bounds)])


def _pairs(job: PartJob) -> None:
    batches = []
    for path in job.inputs:
        with pa.memory_map(str(path)) as file:
            batches.append(pa.ipc.open_file(file).get_batch(job.number))
    _write(job.out, [similar_rows(pa.Table.from_batches(batches), job.rules)])


def _named(path: Path, kind: str) -> Path:
    return path.with_name(path.name.replace("rows", kind))


def _key(problem: Problem) -> str:
    """What the answer depends on."""
    digest = hashlib.sha256()
    for sets in (problem.sets, problem.scopes, problem.evidence, problem.needs):
        for array in sets or ():
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(b"|")
    digest.update(problem.order.tobytes() + problem.cap.tobytes())
    sizes = [None if sets is None else sets.count for sets in (problem.scopes, problem.evidence, problem.needs)]
    return fingerprint(WORK_VERSION, digest.hexdigest(), sizes, str(problem.threshold), problem.short)


def _write(path: Path, tables: list[pa.Table]) -> None:
    """One record batch a table, an empty one too."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with (
        atomic_path(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, tables[0].schema, options=options) as writer,
    ):
        for table in tables:
            writer.write_batch(_batch(table))


def _batch(table: pa.Table) -> pa.RecordBatch:
    found = table.combine_chunks().to_batches()
    return found[0] if found else pa.RecordBatch.from_pylist([], schema=table.schema)


def _read(path: Path) -> pa.Table:
    try:
        with pa.OSFile(str(path), "rb") as file:
            table: pa.Table = pa.ipc.open_file(file).read_all()
            return table
    except (pa.ArrowException, OSError) as error:
        raise StoreError(
            f"Cannot read {path} ({error}): remove {path.parent} and run the same command again."
        ) from error
