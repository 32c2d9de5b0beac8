"""Which test tasks the data gives away, whatever a recipe would make of it: a task is seen where some record is strong
evidence of it, similar where there is weak evidence alone, unseen otherwise. The evidence is what the stage leaks
measures and weighs.

Memory: the records that give something away, and the distinct tasks of the data."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.stages.arrays import flags, one_array, take
from curate.stages.leakage.evidence import REASON, Leak
from curate.stages.leakage.judging import leak_of
from curate.stages.leakage.measuring import Pack
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leakage.rarity import rare_phrases

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
Class = Literal["seen", "similar", "unseen"]
_ORDER = {kind: place for place, kind in enumerate(REASON)}


class Exposed(msgspec.Struct, kw_only=True):
    """A test task and what gives it away the most: `record`, the first with evidence of this strength; `records`: how
    many are evidence of this strength. `instruction`: what the task asks for."""

    test: str
    benchmark: str | None
    instruction: str
    state: Class = "unseen"
    kind: str | None = None
    strength: str | None = None
    record: str | None = None
    evidence: str | None = None
    records: int = 0


class Exposure:
    """Takes measures of records (`measuring.MEASURES`) a table at a time."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._hits: list[pa.Table] = []
        self._said: list[pa.Table] = []
        self.records = 0

    def add(self, measures: pa.Table) -> None:
        """Take the measures of some records."""
        self.records += measures.num_rows
        hits = flags(pc.is_valid(one_array(measures["hits"])))
        self._hits.append(take(measures.select(["id", "hits"]), np.flatnonzero(hits)))
        self._said.append(measures.select(["phrases", "tasks"]))

    def found(self, coverage: float | None = None) -> list[Exposed]:
        """Every test task of the pack, in its order."""
        rare = rare_phrases(pa.concat_tables(self._said)) if self._said else frozenset()
        share = LeaksOptions().coverage if coverage is None else coverage
        found = {
            task.id: Exposed(test=task.id, benchmark=task.benchmark, instruction=task.words)
            for task in self._pack.tasks
        }
        counts: Counter[tuple[str, str | None]] = Counter()
        for table in self._hits:
            for row in table.to_pylist():
                given: dict[str, str] = {}
                for hit in row["hits"]:
                    leak = leak_of(hit, share, rare)
                    if leak is not None and leak.witness in found:
                        given[leak.witness] = (
                            "strong" if "strong" in (leak.strength, given.get(leak.witness)) else "weak"
                        )
                        _take(found[leak.witness], row["id"], leak)
                counts.update(given.items())
        for task in found.values():
            task.records = counts[task.test, task.strength]
        return list(found.values())


def _take(task: Exposed, record: str, leak: Leak) -> None:
    """Keep the stronger evidence; of equals, what came first."""
    if task.kind is not None and _ORDER[task.kind] <= _ORDER[leak.kind]:
        return
    task.kind, task.strength, task.record, task.evidence = leak.kind, leak.strength, record, leak.detail
    task.state = "seen" if leak.strength == "strong" else "similar"
