"""The tables of a run folder that its numbers are made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from curate.engine.report.missing import Missing
from curate.engine.report.reasons import Reasons
from curate.model.errors import InputError
from curate.stages.leakage.pack import read_packs
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither lists nor nulls


def stage_paths(run: RunFolder, stage: str) -> list[Path]:
    """The tables of a stage, one for each place it has in the order ("leaks", "leaks_2")."""
    return [path for path in run.stage_paths() if stage_of(path) == stage]


def stage_of(path: Path) -> str:
    """The stage whose table it is."""
    return path.stem.partition("-")[2].rstrip("_0123456789")


def run_tables(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """The rows of a stage's table that speak of whole runs, some ten thousand at a time, with those of these columns
    that it has. Raises InputError."""
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            wanted = [name for name in columns if name in names]
            keys = [name for name in ("step",) if name in names and name not in wanted]
            for batch in file.iter_batches(columns=[*wanted, *keys]):
                table = pa.Table.from_batches([batch])
                yield (table.filter(pc.is_null(table["step"])) if "step" in names else table).select(wanted)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error


def run_rows(run: RunFolder, stage: str, columns: Sequence[str]) -> pl.DataFrame:
    """The rows of a stage's last place that speak of whole runs, with those of these columns that it has; no rows and
    no columns without such a stage."""
    paths = stage_paths(run, stage)
    tables = list(run_tables(paths[-1], columns)) if paths else []
    frame = pl.from_arrow(pa.concat_tables(tables)) if tables else pl.DataFrame()
    assert isinstance(frame, pl.DataFrame)
    return frame


_WITNESSED = ("id", "verdict", "reason", "detail", "witness", "similarity", "strength", "flags")


def witnessed(run: RunFolder, stage: str, columns: Sequence[str] = _WITNESSED) -> Iterator[pa.Table]:
    """The rows of runs that a stage did not keep, or kept with a witness beside them, in all its places, with those of
    these columns that it has: `id, verdict, reason, detail, witness`, and `similarity`, `strength` and `flags` where it
    says so."""
    for path in stage_paths(run, stage):
        for table in run_tables(path, tuple(dict.fromkeys((*columns, "verdict", "witness")))):
            out = pc.is_in(table["verdict"], value_set=pa.array(["drop", "quarantine"]))
            yield table.filter(pc.or_(out, pc.is_valid(table["witness"])))


def tables_of(run: RunFolder, stage: str) -> list[str]:
    """The stage's tables as a person finds them in the run folder."""
    return [path.relative_to(run.root).as_posix() for path in stage_paths(run, stage)]


def listed(run: RunFolder, missing: Missing) -> Reasons:
    """What stages say about runs that gave examples: the column `flags` of their rows."""
    said = Reasons()
    for path in run.stage_paths():
        for table in run_tables(path, ["id", "verdict", "flags"]):
            if "flags" not in table.column_names:
                break
            lists = table["flags"].combine_chunks()
            kept = pc.and_(pc.equal(table["verdict"], "keep"), pc.greater(pc.list_value_length(lists), 0))
            table = table.filter(pc.fill_null(kept, False))
            table = table.filter(pa.array(missing.trained[missing.lookup.of(table["id"])]))
            lists = table["flags"].combine_chunks()
            names = table["id"].combine_chunks().take(pc.list_parent_indices(lists))
            said.add_all(stage_of(path), pc.list_flatten(lists), names)
    return said


def recipe_option(run: RunFolder, section: str, option: str) -> Any:
    """An option of the recipe in run.json; None where there is no run.json or it does not say."""
    recipe = run.read_run().get("recipe") if run.run_json.is_file() else None
    found = recipe.get(section) if isinstance(recipe, dict) else None
    return found.get(option) if isinstance(found, dict) else None


def test_tasks(tests: Sequence[Path]) -> dict[str, str]:
    """Instructions of the test tasks in the files, by id."""
    return {task.id: task.words for task in read_packs(tests)}
