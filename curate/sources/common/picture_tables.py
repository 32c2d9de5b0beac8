"""Pictures in a parquet table of their own, as base64 by id: gone through once, as far as the ids that are asked for,
which come in about the table's order. Memory: a few rows, and a line an id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.sources.common.embedded import Embedded, from_base64
from curate.sources.common.parquet_rows import Row, columns_of, rows
from curate.store.media import MediaStore

_IDS = ("image_id", "__index_level_0__")  # a data frame's index is a column of the second name
_DATA = "base64"


class PictureTable:
    """The pictures of one file; each that is passed on the way is brought into `media`."""

    def __init__(self, path: Path, media: MediaStore) -> None:
        columns = columns_of(path)
        self._id = next((name for name in _IDS if name in columns), None)
        self._media = media
        self._found: dict[str, Embedded] = {}
        self._rows: Iterator[Row] = iter(())
        if self._id is not None and _DATA in columns:
            self._rows = (row for row in rows(path, [self._id, _DATA]) if isinstance(row, Row))

    def find(self, name: str) -> Embedded | None:
        """The picture of an id; None where the table does not hold it (or breaks before it)."""
        while name not in self._found:
            row = next(self._rows, None)
            if row is None:
                return None
            known, data = str(row.values[self._id or ""]), row.values[_DATA]
            picture = from_base64(data, self._media) if isinstance(data, str) else Embedded(None, None)
            self._found.setdefault(known, picture)
        return self._found[name]
