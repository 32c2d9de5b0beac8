"""What a finished run decided on near-copies, read back from its folder: the facts of the runs that came to the stage,
which of them it kept, and the options it had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.engine.memory import give_back
from curate.model.errors import InputError
from curate.stages.copies.index import read_published
from curate.stages.copies.problem import COLUMNS, Judged
from curate.stages.copies.screens import NO_LOOKS, Looks, looks_of
from curate.stages.nearcopies import NearcopiesOptions
from curate.store.run_folder import RunFolder, was_run

pc: Any = pyarrow.compute  # its stubs know no nulls


class DecidedCopies(NamedTuple):
    """`runs`: id and problem.COLUMNS of the runs that came to the stage; `kept`: which of them it kept."""

    runs: pa.Table
    kept: NDArray[np.bool_]
    options: NearcopiesOptions
    looks: Looks

    def judged(self, against: Sequence[Path] = (), **changes: Any) -> Judged:
        """The decision as it was put, with other options where `changes` says so. `against`: files of signatures of
        runs published before."""
        options = msgspec.structs.replace(self.options, **changes)
        return Judged(self.runs, options, self.looks, read_published(against, options.n))


def near_copy_tables(folder: Path) -> list[Path]:
    """The tables of the stage, in the order of its places. Raises InputError for a folder without any."""
    tables = stage_tables(RunFolder(folder), "nearcopies")
    if not was_run(folder) or not tables:
        raise InputError(f"{folder} has no near-copies measured: --pairs needs a run whose recipe has the stage.")
    return tables


def stage_tables(run: RunFolder, stage: str) -> list[Path]:
    """The tables of a stage, one for each of its places."""
    return [path for path in run.stage_paths() if path.stem.partition("-")[2].rstrip("_0123456789") == stage]


def read_decided(folder: Path) -> DecidedCopies:
    """The last decision on near-copies of a run folder. Raises InputError for a folder without one, or whose table is
    of another version."""
    path = near_copy_tables(folder)[-1]
    try:
        table = pq.read_table(path, columns=["id", "step", "verdict", *COLUMNS])
        plain = RunFolder(folder).read_run()["recipe"]["nearcopies"]
        options = msgspec.convert(plain, NearcopiesOptions)
    except (OSError, pa.ArrowException, KeyError, msgspec.ValidationError) as error:
        raise InputError(f"Cannot read {path} ({error}): run the same command again with this version.") from error
    if table["step"].null_count < table.num_rows:
        table = table.filter(pc.is_null(table["step"]))
    kept = np.asarray(pc.equal(table["verdict"], "keep"))
    give_back()  # reading takes twice what it gives
    return DecidedCopies(table.select(["id", *COLUMNS]), kept, options, _looks(folder, options))


def _looks(folder: Path, options: NearcopiesOptions) -> Looks:
    tables = stage_tables(RunFolder(folder), "images") if options.evidence == "actions+screens" else []
    return looks_of(pq.read_table(tables[-1], columns=["image", "dhash", "thumbnail"])) if tables else NO_LOOKS


def rows_with_witness(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of runs beside which the stage names a witness, a part of the table at a time."""
    columns = ["id", "step", "verdict", "reason", "detail", "witness"]
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=columns):
            told = batch.filter(pc.and_(pc.is_null(batch["step"]), pc.is_valid(batch["witness"])))
            yield from told.to_pylist()
