"""The dataset of a run folder, from the batches of its shards: trajectories/, reduced.parquet, dataset.json.

Small batches (a recording is one) are joined to parts of useful size, in input order; a batch that is large enough
and whose ids stay is linked, not copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.corpus import ReadShard
from curate.engine.fingerprint import fingerprint
from curate.engine.naming import rename_ids, rename_table
from curate.engine.work import link_or_copy, read_table
from curate.model.constants import BATCH_BYTES, BATCH_RECORDS
from curate.store.atomic import atomic_path
from curate.store.dataset import REDUCED, part_name, write_parquet

_KEY = b"batches"


class PlacedBatch(msgspec.Struct, kw_only=True):
    """One batch of a shard. `changed`: row of the batch -> (final id, id it came with)."""

    shard: ReadShard
    number: int
    rows: int
    bytes: int
    changed: dict[int, tuple[str, str]]

    @property
    def key(self) -> str:
        return fingerprint(self.shard.key, self.number, sorted(self.changed.items()))


def batches(shards: list[ReadShard]) -> Iterator[PlacedBatch]:
    """All batches in input order."""
    for shard in shards:
        first = 0
        for number, batch in enumerate(shard.index.batches):
            here = {row - first: ids for row, ids in shard.changed.items() if first <= row < first + batch.rows}
            yield PlacedBatch(shard=shard, number=number, rows=batch.rows, bytes=batch.bytes, changed=here)
            first += batch.rows


def grouped(all_batches: Iterator[PlacedBatch], rows: int, size: int) -> Iterator[list[PlacedBatch]]:
    """Consecutive batches, together at most `rows` records and `size` bytes (or one batch that is larger)."""
    group: list[PlacedBatch] = []
    for batch in all_batches:
        so_far = sum(b.rows for b in group), sum(b.bytes for b in group)
        if group and (so_far[0] + batch.rows > rows or so_far[1] + batch.bytes > size):
            yield group
            group = []
        group.append(batch)
    if group:
        yield group


def assemble_parts(root: Path, shards: list[ReadShard]) -> tuple[list[Path], int]:
    """Write trajectories/; its files, and how many had to be written or linked."""
    written = 0
    paths = []
    for number, group in enumerate(grouped(batches(shards), BATCH_RECORDS, BATCH_BYTES)):
        path = root / part_name(number)
        paths.append(path)
        if len(group) == 1 and not group[0].changed:
            written += link_or_copy(group[0].shard.folder.part(group[0].number), path)
            continue
        key = fingerprint([batch.key for batch in group])
        if _made_from(path) != key:
            tables = [rename_table(read_table(b.shard.folder.part(b.number)), b.changed) for b in group]
            joined = pa.concat_tables(tables).combine_chunks()
            write_parquet(path, joined.replace_schema_metadata({_KEY: key.encode()}), BATCH_RECORDS)
            written += 1
    return paths, written


def assemble_reduced(root: Path, shards: list[ReadShard]) -> Path | None:
    """Write reduced.parquet, shard by shard, if any shard has stretches of raw events."""
    having = [shard for shard in shards if shard.folder.reduced.is_file()]
    path = root / "reduced.parquet"
    if not having:
        path.unlink(missing_ok=True)
        return None
    key = fingerprint([(shard.key, sorted(shard.finals.items())) for shard in having])
    if _made_from(path) != key:
        schema = REDUCED.with_metadata({_KEY: key.encode()})
        with atomic_path(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for shard in having:
                table = rename_ids(read_table(shard.folder.reduced), shard.finals)
                writer.write_table(table.replace_schema_metadata(schema.metadata))
    return path


def _made_from(path: Path) -> str | None:
    try:
        return (pq.read_schema(path).metadata or {}).get(_KEY, b"").decode() or None
    except (OSError, pa.ArrowException):
        return None
