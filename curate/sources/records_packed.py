"""The same as `records`, from files packed with gzip or zstd: these cannot be read in parts."""

from __future__ import annotations

from pathlib import Path

from curate.sources.common.heads import is_packed_jsonl
from curate.sources.records import Records, looks_like_records


class PackedRecords(Records):
    """The source `records_packed`."""

    name = "records_packed"
    divisible = False
    facts = None

    def recognise(self, path: Path) -> bool:
        """Packed JSONL in which a line of the first is a record, or none is JSON at all."""
        return is_packed_jsonl(path) and looks_like_records(path)


SOURCE = PackedRecords()
