"""Our own dataset and run folders as input: their records as they are, their media brought along.

The stretches of reduced.parquet are held in memory while one folder is read (about 100 bytes each, some 50 a
recording).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.reduce.types import Stretch
from curate.sources.base import Read, ReadContext
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.store.dataset import is_dataset, read_records, verify
from curate.store.run_folder import is_run


class Dataset:
    """The source `dataset`: a folder of ours, finished (dataset.json) or of a run (run.json)."""

    name = "dataset"
    raw = False
    divisible = False
    facts = None

    def recognise(self, path: Path) -> bool:
        """A dataset or run folder."""
        return is_dataset(path) or is_run(path)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every record in its order; a table that is not what dataset.json says ends the reading with a reason."""
        carrier = Carrier(path, context, as_written=True)
        try:
            if is_dataset(path):
                verify(path)
            stretches = _stretches(path)
            for record in read_records(path):
                try:
                    carrier.carry(record)
                except UnreadableError as error:
                    yield rejected(context.shown, error.reason, str(error), record.id)
                    continue
                yield Read(trajectory=record, stretches=stretches.pop(record.id, []))
        except InputError as error:
            yield rejected(context.shown, "read.error", str(error).replace(str(path), context.shown))


def _stretches(path: Path) -> dict[str, list[Stretch]]:
    file = path / "reduced.parquet"
    found: dict[str, list[Stretch]] = defaultdict(list)
    if not file.is_file():
        return found
    try:
        for row in pq.read_table(file).to_pylist():
            identity = row.pop("id")
            found[identity].append(Stretch(**row))
    except (pa.ArrowException, OSError, TypeError, KeyError) as error:
        raise InputError(f"Cannot read {file}: {error}.") from error
    return found


SOURCE = Dataset()
