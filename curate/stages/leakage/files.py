"""Names and paths of a benchmark's own files in what a record was told, opened, typed or came from: who works on
`Employee_Performance_2023.xlsx` of a test works on the test. Models' own words (thoughts) are not searched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from curate.model.constants import LEAK_FILE_CHARACTERS
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.leaves import Leaf, leaves
from curate.stages.leakage.pack import BenchmarkTask

_WHERE = frozenset(
    "instruction wordings task.prerequisites task.steps task.expected source.id source.file source.url"
    " steps.window steps.url steps.actions.text steps.actions.url steps.actions.value".split()
)
_DOT, _BLANK = ord("."), np.uint8(ord(" "))
_LOWER = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_AROUND = 3  # bytes before and after the dot that a name is looked up by, the dot itself not counted


class Files:
    """The file names of the test tasks that are nobody else's: whole paths, and names of LEAK_FILE_CHARACTERS and more
    that one task alone has."""

    def __init__(self, tasks: Sequence[BenchmarkTask]) -> None:
        of: dict[bytes, set[int]] = defaultdict(set)
        for number, task in enumerate(tasks):
            for file in task.files:
                path = file.replace("\\", "/").strip("/").lower().encode("utf-8", "surrogatepass")
                of[path].add(number)
                of[path.rpartition(b"/")[2]].add(number)
        self._names: dict[bytes, list[tuple[bytes, str]]] = defaultdict(list)
        for name, numbers in of.items():
            dot = name.rfind(b".")
            telling = b"/" in name or (len(name) >= LEAK_FILE_CHARACTERS and len(numbers) == 1)
            if telling and dot >= _AROUND and dot + 1 < len(name):
                self._names[_around(name, dot)].append((name, tasks[min(numbers)].id))
        self._ends = np.zeros((256, 256), bool)  # by the two bytes that come after the dot
        for key in self._names:
            first, *second = key[_AROUND + 1 : _AROUND + 3]
            self._ends[first, second or slice(None)] = True

    def hits(self, trajectories: pa.Table) -> Iterator[tuple[int, Hit]]:
        """(row, hit) of records that name one; each file once a row."""
        seen: set[tuple[int, bytes]] = set()
        for leaf in leaves(trajectories, _WHERE) if self._names else ():
            for row, name, test in self._in(leaf):
                if (row, name) not in seen:
                    seen.add((row, name))
                    yield row, Hit(test=test, kind="file", evidence=name.decode("utf-8", "replace"), share=1.0)

    def _in(self, leaf: Leaf) -> Iterator[tuple[int, bytes, str]]:
        data = np.frombuffer(leaf.data, np.uint8)
        dots = np.flatnonzero(data[:-1] == _DOT)
        ends = _LOWER[np.append(data, _BLANK)[dots[:, None] + (1, 2)]]
        for dot in dots[self._ends[ends[:, 0], ends[:, 1]]].tolist():
            start, stop = leaf.bounds(dot)
            text, at = leaf.data[start:stop].replace(b"\\", b"/").lower(), dot - start
            for size in range(1, _AROUND + 1):
                for name, test in self._names.get(text[max(at - _AROUND, 0) : at + 1 + size], ()):
                    first = at - name.rfind(b".")
                    if first >= 0 and text[first : first + len(name)] == name and _alone(text, first, len(name)):
                        yield leaf.row(dot), name, test


def _around(name: bytes, dot: int) -> bytes:
    return name[dot - _AROUND : dot + 1 + _AROUND]


def _alone(text: bytes, first: int, length: int) -> bool:
    """Whether a name is no part of a longer one."""
    before, after = text[first - 1 : first] if first else b"", text[first + length : first + length + 1]
    return not (before.isalnum() or before in (b"_", b"-", b".") or after.isalnum() or after in (b"_", b"-"))
