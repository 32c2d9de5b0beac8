"""Where the records of a shard came from: their ids in the shard, and the file and line of each."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from curate.engine.work import ShardFolder, read_table
from curate.model.trajectory import Trajectory
from curate.stages.tables import from_tuples, schema
from curate.store.dataset import write_parquet

ORIGINS = schema(id=pa.string(), file=pa.string(), line=pa.int64())


class OriginsWriter:
    """Collects the origins of a shard's records, in their order."""

    def __init__(self) -> None:
        self._tables = [ORIGINS.empty_table()]

    def add(self, records: Sequence[Trajectory]) -> None:
        rows = [(record.id, record.source.file, record.source.line) for record in records]
        self._tables.append(from_tuples(rows, ORIGINS))

    def write(self, folder: ShardFolder) -> None:
        """Write them, whole or not at all; `ShardFolder.finish` brings them to the disk. Raises StoreError."""
        write_parquet(folder.origins, pa.concat_tables(self._tables), durable=False)


def read_origins(folder: ShardFolder) -> pa.Table:
    """ORIGINS of a shard. Raises StoreError for a file that is broken."""
    return read_table(folder.origins)
