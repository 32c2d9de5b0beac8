"""Ids of many runs as one Arrow column: a million of them are some 30 MB, and not a million objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import pyarrow as pa

_BLOCK = 4096  # ids made into objects at a time


class Ids(Sequence[str]):
    """Ids by position, read-only."""

    def __init__(self, array: pa.Array[Any]) -> None:
        self.array: Any = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Ids: ...
    def __getitem__(self, at: int | slice) -> str | Ids:
        if isinstance(at, slice):
            return Ids(self.array[at])
        return str(self.array[at].as_py())

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self.array), _BLOCK):
            yield from self.array.slice(first, _BLOCK).to_pylist()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ids):
            return bool(self.array.equals(other.array))
        return isinstance(other, list) and list(self) == other

    __hash__ = None  # type: ignore[assignment]


def ids_of(runs: Sequence[str]) -> Any:
    """These ids as an Arrow array of strings."""
    return runs.array if isinstance(runs, Ids) else pa.array(runs, pa.string())
