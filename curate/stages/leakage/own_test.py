"""Holds training runs against the runs of our own test split as against a pack: the same task, most of its phrases, the
same template and arguments, and near-copies are strong evidence; half of its phrases, if one of them is rare in the
data, is weak. Equal action paths are near-copies already. Screens are not compared: an app looks the same in both.

A phrase in more than LEAK_RARE_TASKS of our test's tasks tells nothing here, so what is compared stays in proportion to
the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import LEAK_OWN_SHARE, LEAK_RARE_TASKS
from curate.stages.arrays import flags, numbers, one_array, take
from curate.stages.leakage.evidence import Leak
from curate.stages.leakage.hits import hits_column
from curate.stages.leakage.judging import leak_of, strongest_first
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leakage.phrase_index import LeakIndex, Wordings
from curate.stages.leakage.rarity import rare_limit
from curate.stages.leakage.said import Said

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Positions = NDArray[np.int64]
_BLOCK = 1 << 15  # training runs that are held against the test at a time


class OwnTest:
    """The runs of our own test. `runs`: id, normal forms (`tasks`) and `template` of all runs alive; `clusters`: the
    number of each one's near-copy cluster, -1 for none; `test`: positions of those in the test split."""

    def __init__(self, runs: pa.Table, clusters: Positions, test: Positions, options: LeaksOptions) -> None:
        self._ids, self._forms = one_array(runs["id"]), one_array(runs["tasks"])
        self._template, self._clusters = one_array(runs["template"]).dictionary_encode(), clusters
        self._options, self._test = options, test
        said = take(self._forms, test)
        of = numbers(pc.list_parent_indices(said))
        wordings = Wordings(pc.list_flatten(said), of, np.zeros(len(of), bool))
        self._index = LeakIndex(wordings, options.n, limit=LEAK_RARE_TASKS)
        self._tests = take(self._ids, test)

    def leaks(self, train: Positions) -> Iterator[list[tuple[int, list[Leak]]]]:
        """Some thousand runs at a time, by position what a training run gives away, the strongest first; runs that
        give nothing away are left out."""
        rare = self._rare(train)
        copies = self._first_alike(self._clusters)
        templates = self._first_alike(numbers(pc.fill_null(self._template.indices, -1)))
        for first in range(0, len(train), _BLOCK):
            block = train[first : first + _BLOCK]
            hits = self._hits(block)
            told = np.flatnonzero(flags(pc.is_valid(hits)) | (copies[block] >= 0) | (templates[block] >= 0))
            found = []
            for at, those in zip(block[told].tolist(), take(hits, told).to_pylist(), strict=True):
                leaks = self._by_phrases(those or (), rare)
                leaks.append(self._alike("copy", "a near-copy of", copies[at]))
                leaks.append(self._alike("template", "the same template and arguments as", templates[at]))
                if some := strongest_first(leaks):
                    found.append((at, some))
            yield found

    def _by_phrases(self, hits: Iterable[Any], rare: frozenset[str]) -> list[Leak | None]:
        """What hits mean, up to the first that is but a phrase: behind it are phrases only, of smaller shares."""
        found: list[Leak | None] = []
        for hit in hits:
            if hit["kind"] == "phrase" and hit["share"] < LEAK_OWN_SHARE:
                break
            leak = leak_of(hit, self._options.coverage, rare, "test run")
            found.append(leak)
            if leak is not None and leak.kind == "phrase":
                break
        return found

    def _alike(self, kind: str, what: str, test: int) -> Leak | None:
        if test < 0:
            return None
        witness = self._ids[int(test)].as_py()
        return Leak(kind, f"{what} test run {witness}", witness)

    def _first_alike(self, keys: Positions) -> Positions:
        """By position, the first test run with the same key; -1 for none, and where the key is -1."""
        first = np.full(int(keys.max(initial=-1)) + 2, -1)
        first[keys[self._test][::-1]] = self._test[::-1]
        first[-1] = -1
        found: Positions = first[keys]
        return found

    def _hits(self, block: Positions) -> Any:
        said = take(self._forms, block)
        asked = Said(pc.list_flatten(said), numbers(pc.list_parent_indices(said)), len(block), self._index)
        return hits_column(asked, asked.given()[0], self._tests, ())

    def _rare(self, train: Positions) -> frozenset[str]:
        """The phrases of the test that are rare in the data: in the training tasks and the test's own."""
        distinct = pc.list_flatten(take(self._forms, train)).unique()
        often = np.zeros(self._index.phrases, np.int64)
        for first in range(0, len(distinct), _BLOCK):
            often += self._index.often_in(self._index.read(distinct.slice(first, _BLOCK)))
        rare = np.flatnonzero(often <= rare_limit(len(distinct)))
        return frozenset(self._index.phrase_strings(rare).to_pylist())
