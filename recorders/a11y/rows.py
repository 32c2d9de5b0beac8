"""a11y.jsonl as its reader writes it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from curate.store.accessibility import AnyAccessibilityRow, ElementRow, TreeRow

_BLOCK = 1 << 16


class Rows:
    """Each row goes to the disk at once. What an earlier reader left of a row when it was killed is taken away. Raises
    OSError."""

    def __init__(self, path: str) -> None:
        _drop_half_row(Path(path))
        self._file = Path(path).open("ab", buffering=0)  # noqa: SIM115 - open as long as the process
        self._encoder = msgspec.json.Encoder()
        self.trees = self.elements = 0

    def write(self, row: AnyAccessibilityRow) -> None:
        """Raises OSError; then nothing of the row stays."""
        data = self._encoder.encode(row) + b"\n"
        size, done = os.fstat(self._file.fileno()).st_size, 0
        try:
            while done < len(data):
                done += self._file.write(data[done:]) or 0
        except OSError:
            self._file.truncate(size)
            raise
        self.trees += isinstance(row, TreeRow)
        self.elements += isinstance(row, ElementRow)


def _drop_half_row(path: Path) -> None:
    if not path.exists():
        return
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - _BLOCK)
            file.seek(start)
            last = file.read(end - start).rfind(b"\n")
            if last >= 0:
                end = start + last + 1
                break
            end = start
        file.truncate(end)
