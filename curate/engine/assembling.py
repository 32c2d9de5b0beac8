"""The dataset of a run folder, from the batches of its shards: trajectories/, reduced.parquet, dataset.json.

Small batches (a recording is one) are joined to parts of useful size, in input order; a batch that is large enough
and whose ids stay is linked, not copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.corpus import ReadShard
from curate.engine.fates import Fates, take_over
from curate.engine.fingerprint import fingerprint
from curate.engine.measuring import raw_lines
from curate.engine.naming import rename_ids, rename_record
from curate.engine.work import ShardFolder, link_or_copy, read_table
from curate.model.arrow import to_table
from curate.model.constants import BATCH_BYTES, BATCH_RECORDS
from curate.model.trajectory import decode
from curate.stages.tables import places
from curate.store.atomic import atomic_path
from curate.store.dataset import REDUCED, part_name, write_parquet

_KEY = b"batches"


class PlacedBatch(msgspec.Struct, kw_only=True):
    """One batch of a shard, read as `shard_key` into `folder`. `first`: position in the corpus of its first record;
    `changed`: row of the batch -> (final id, id it came with)."""

    shard_key: str
    folder: ShardFolder
    number: int
    first: int
    rows: int
    bytes: int
    changed: dict[int, tuple[str, str]]

    @property
    def last(self) -> int:
        """The position behind its last record."""
        return self.first + self.rows

    @property
    def key(self) -> str:
        return fingerprint(self.shard_key, self.number, sorted(self.changed.items()))


def batches(shards: list[ReadShard]) -> Iterator[PlacedBatch]:
    """All batches in input order."""
    for shard in shards:
        first = 0
        for number, batch in enumerate(shard.index.batches):
            here = {row - first: ids for row, ids in shard.changed.items() if first <= row < first + batch.rows}
            yield PlacedBatch(
                shard_key=shard.key, folder=shard.folder, number=number, first=shard.first + first, rows=batch.rows,
                bytes=batch.bytes, changed=here,
            )  # fmt: skip
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


def assemble_parts(root: Path, shards: list[ReadShard], fates: Fates) -> tuple[list[Path], int]:
    """Write trajectories/; its files, and how many had to be written or linked. What runs take over from others comes
    into their records."""
    written = 0
    paths = []
    for number, group in enumerate(grouped(batches(shards), BATCH_RECORDS, BATCH_BYTES)):
        path = root / part_name(number)
        paths.append(path)
        here = fates.slice(group[0].first, group[-1].last)
        if len(group) == 1 and not group[0].changed and not here.taken.num_rows:
            written += link_or_copy(group[0].folder.part(group[0].number), path)
            continue
        key = fingerprint([batch.key for batch in group], here.taken_at.tolist(), here.taken.to_pylist())
        if _made_from(path) != key:
            joined = pa.concat_tables([_as_it_is_kept(batch, fates) for batch in group]).combine_chunks()
            write_parquet(path, joined.replace_schema_metadata({_KEY: key.encode()}), BATCH_RECORDS)
            written += 1
    return paths, written


def _as_it_is_kept(batch: PlacedBatch, fates: Fates) -> pa.Table:
    """A batch with final ids, and with what its runs take over."""
    table = read_table(batch.folder.part(batch.number))
    here = fates.slice(batch.first, batch.last)
    touched = sorted({*batch.changed, *here.taken_at.tolist()})
    if not touched:
        return table
    lines = raw_lines(batch.folder, batch.number)
    made = []
    for row in touched:
        record = decode(lines[row])
        if row in batch.changed:
            rename_record(record, *batch.changed[row])
        if (taken := here.taken_by(row)) is not None:
            take_over(record, taken)
        made.append(record)
    place = np.arange(batch.rows)
    place[touched] = batch.rows + np.arange(len(touched))
    return pa.concat_tables([table, to_table(made)]).combine_chunks().take(places(place))


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
