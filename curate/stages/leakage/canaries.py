"""Canaries: strings that a benchmark's makers put into its data, so that whoever trains on it can be told. Looked for
in every text of a record: those of the pack, letter by letter, and whatever calls itself a canary and has a GUID."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.leaves import Leaf, leaves
from curate.stages.leakage.pack import BenchmarkTask
from curate.stages.records_table import may_hold

_GUID = re.compile(rb"canary\W{1,3}(?:guid|uuid|string|id)?\W{0,4}[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.I)

_WORDS = (b"anary", b"ANARY")  # twice a search is a tenth of one that folds case


class Canaries:
    """The canaries of the test tasks."""

    def __init__(self, tasks: Sequence[BenchmarkTask]) -> None:
        self._test: dict[bytes, str] = {}
        for task in tasks:
            for canary in task.canaries:
                self._test.setdefault(canary.encode("utf-8", "surrogatepass"), task.id)

    def hits(self, trajectories: pa.Table) -> Iterator[tuple[int, Hit]]:
        """(row, hit) of records that hold one; each canary once a row."""
        seen: set[tuple[int, bytes]] = set()
        if not may_hold(trajectories, [*self._test, *_WORDS]):
            return
        for leaf in leaves(trajectories):
            for row, canary in self._in(leaf):
                if (row, canary) not in seen:
                    seen.add((row, canary))
                    text = canary.decode("utf-8", "replace")
                    yield row, Hit(test=self._test.get(canary), kind="canary", evidence=text, share=1.0)

    def _in(self, leaf: Leaf) -> Iterator[tuple[int, bytes]]:
        for canary in self._test:
            place = leaf.data.find(canary)
            while place >= 0:
                if place + len(canary) <= leaf.bounds(place)[1]:
                    yield leaf.row(place), canary
                place = leaf.data.find(canary, place + 1)
        for word in _WORDS:
            place = leaf.data.find(word)
            while place >= 0:
                found = _GUID.match(leaf.data, max(place - 1, 0), leaf.bounds(place)[1])
                if found:
                    yield leaf.row(place), found[0]
                place = leaf.data.find(word, place + 1)
