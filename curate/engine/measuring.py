"""Measures shards, in the worker that read them: each batch is decoded once for all stages. What a stage gives is
kept under a key of its version and the options its measuring depends on, so a threshold changes without measuring
again. A record that a stage cannot work on is named in the file's `failed`, and decided as quarantined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from curate.engine.fingerprint import fingerprint
from curate.engine.recipe import Recipe
from curate.engine.work import ShardFolder, ShardIndex, read_table
from curate.model.arrow import SCHEMA
from curate.model.errors import CurateError, StoreError
from curate.model.trajectory import decode
from curate.stages import registry
from curate.stages.base import MeasureContext, ReadsFiles, Stage
from curate.stages.records_table import RecordsTable
from curate.store.arrow_file import write_arrow
from curate.store.atomic import atomic_path
from curate.store.dataset import file_sha256

FAILED = b"failed"
_MEASURES_VERSION = 1


class ToMeasure(msgspec.Struct, frozen=True):
    """A stage that a recipe uses, its options, and the key of its measures of a shard."""

    stage: Stage
    options: Any
    key: str

    def work(self) -> Callable[[Any, Any, MeasureContext], pa.Table]:
        """What runs on a shard: measuring, or the projection that a corpus stage measures."""
        return self.stage.project if self.stage.scope == "corpus" else self.stage.measure  # type: ignore[attr-defined]


def to_measure(recipe: Recipe) -> list[ToMeasure]:
    """The stages of the recipe that measure, each once, in its order."""
    return [_keyed(registry.stage(name), recipe) for name in dict.fromkeys(recipe.order)]


def _keyed(stage: Stage, recipe: Recipe) -> ToMeasure:
    options = recipe.options[stage.name]
    plain = recipe.section(stage.name)
    used = {name: plain[name] for name in sorted(stage.measure_options)}
    files = [file_sha256(path) for path in stage.files(options)] if isinstance(stage, ReadsFiles) else []
    key = fingerprint(_MEASURES_VERSION, stage.name, stage.version, stage.scope, used, files, recipe.seed)
    return ToMeasure(stage, options, key[:16])


class Measuring:
    """Collects what the stages `todo` give for the batches of one shard, and writes it at the end."""

    def __init__(self, todo: Sequence[ToMeasure], context: MeasureContext) -> None:
        self.todo = todo
        self.context = context
        self.tables: dict[str, list[pa.Table]] = {one.key: [] for one in todo}
        self.failed: dict[str, dict[str, str]] = {one.key: {} for one in todo}

    def add(self, table: RecordsTable) -> None:
        """Measure one batch, given with its canonical JSON."""
        context = msgspec.structs.replace(self.context, decoded=table.records, lines=table.lines)
        for one in self.todo:
            try:
                self.tables[one.key].append(one.work()(table, one.options, context))
            except (CurateError, MemoryError):
                raise
            except Exception:  # one record may not take its batch with it: which one it is, is found and written down
                self._one_by_one(one, table, context)

    def _one_by_one(self, one: ToMeasure, table: RecordsTable, batch: MeasureContext) -> None:
        for row, (record, line) in enumerate(zip(batch.decoded or (), batch.lines or (), strict=True)):
            context = msgspec.structs.replace(batch, decoded=[record], lines=[line])
            try:
                self.tables[one.key].append(one.work()(table.slice(row, 1).combine_chunks(), one.options, context))
            except (CurateError, MemoryError):
                raise
            except Exception as error:
                self.failed[one.key][record.id] = f"{type(error).__name__}: {error}"[:300]

    def write(self, folder: ShardFolder, *, durable: bool = True) -> None:
        """Write the measures. `durable`: as of `store.atomic.atomic_path`. Raises StoreError."""
        for one in self.todo:
            tables = self.tables[one.key]
            if not tables:  # the schema alone, so that deciding finds its columns
                nothing = msgspec.structs.replace(self.context, decoded=[])
                tables = [one.work()(SCHEMA.empty_table(), one.options, nothing)]
            table = pa.concat_tables(tables)
            if "step" in table.column_names:  # an id for each step: looked up once for each run
                table = table.set_column(table.column_names.index("id"), "id", table["id"].dictionary_encode())
            metadata = {**(table.schema.metadata or {}), FAILED: msgspec.json.encode(self.failed[one.key])}
            path = folder.measures(one.stage.name, one.key)
            write_arrow(path, table.replace_schema_metadata(metadata), durable=durable)


def measure_shard(folder: ShardFolder, index: ShardIndex, todo: Sequence[ToMeasure], context: MeasureContext) -> int:
    """Measure a shard that was read before, as far as it is not measured; how many stages that were."""
    missing = [one for one in todo if not folder.measures(one.stage.name, one.key).is_file()]
    if missing:
        measuring = Measuring(missing, context)
        for number in range(len(index.batches)):
            lines = raw_lines(folder, number)
            records = [decode(line) for line in lines]
            measuring.add(RecordsTable(records, lines, read_table(folder.part(number))))
        measuring.write(folder)
    return len(missing)


def write_lines(path: Path, lines: Sequence[bytes]) -> None:
    """Write the JSON lines of a batch for `raw_lines`; `ShardFolder.finish` brings them to the disk. LZ4 costs half the
    time of Zstandard on them (measured)."""
    with atomic_path(path, durable=False) as temporary, pa.CompressedOutputStream(str(temporary), "lz4") as stream:
        for line in lines:
            stream.write(line + b"\n")


def raw_lines(folder: ShardFolder, batch: int) -> list[bytes]:
    """The JSON lines of a batch. Raises StoreError for a file that is broken."""
    path = folder.records(batch)
    try:
        with pa.input_stream(str(path), compression="lz4") as stream:
            lines: list[bytes] = stream.read().splitlines()
            return lines
    except (pa.ArrowException, OSError) as error:
        raise StoreError(
            f"Cannot read {path} ({error}): remove {path.parent} and run the same command again."
        ) from error


def failed_of(schema: pa.Schema) -> dict[str, str]:
    """Records of a shard that the stage could not work on, by id, with what went wrong."""
    found: dict[str, str] = msgspec.json.decode((schema.metadata or {}).get(FAILED, b"{}"))
    return found
