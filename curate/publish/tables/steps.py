"""The config `steps`: one row a step, its pictures inside as the bytes they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.model.constants import PUBLISH_GROUP_BYTES, PUBLISH_GROUP_ROWS
from curate.publish.features import step_features
from curate.publish.kept import Kept
from curate.publish.tables.shards import Groups, Shards
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.published import STEP_MEDIA, STEPS, STEPS_FOLDER, media_column, name_of, steps_table


class StepTables:
    """Where the steps of a split go. `lost`: references whose file is not there, or is not what its name says: null in
    the table, and counted, for the gate to refuse."""

    def __init__(self, root: Path, split: str, media: MediaStore) -> None:
        self._media = media
        self.lost: set[str] = set()
        schema = STEPS.with_metadata(step_features().arrow_schema.metadata)
        groups = Groups(rows=PUBLISH_GROUP_ROWS, bytes=PUBLISH_GROUP_BYTES)
        stored = [f"{name}.bytes" for name in STEP_MEDIA]
        self.shards = Shards(root, STEPS_FOLDER, split, schema, groups, complete=self._with_media, stored=stored)

    def add(self, kept: Sequence[Kept]) -> None:
        """Add the steps of records of one split."""
        table = steps_table(
            [one.record for one in kept], kept[0].split, [one.position for one in kept], [one.targets for one in kept]
        )
        if table.num_rows:
            references = [table[name].to_pylist() for name in STEP_MEDIA]
            text = (table.nbytes - sum(table[name].nbytes for name in STEP_MEDIA)) // table.num_rows
            sizes = [text + sum(map(self._size, row)) for row in zip(*references, strict=True)]
            self.shards.add(table, sizes)

    def _size(self, reference: str | None) -> int:
        try:
            return 0 if reference is None else self._media.path(reference).stat().st_size
        except (OSError, PathError):
            return 0

    def _with_media(self, table: pa.Table) -> pa.Table:
        """The rows of a group with bytes for references; of a picture that several rows show, one copy is read."""
        read: dict[str, bytes | None] = {}
        for name in STEP_MEDIA:
            column = media_column(self._read(table[name].to_pylist(), read))
            table = table.set_column(table.schema.get_field_index(name), name, column)
        return table

    def _read(self, references: Iterable[Any], read: dict[str, bytes | None]) -> Iterable[tuple[bytes, str] | None]:
        for reference in references:
            if reference is None:
                yield None
                continue
            if reference not in read:
                read[reference] = self._bytes(reference)
            data = read[reference]
            yield None if data is None else (data, name_of(reference))

    def _bytes(self, reference: str) -> bytes | None:
        try:
            data = self._media.read(reference)
        except (OSError, PathError):
            data = None
        if data is None or hashlib.sha256(data).hexdigest() != name_of(reference).split(".", 1)[0]:
            self.lost.add(reference)
            return None
        return data
