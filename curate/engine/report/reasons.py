"""Counts of what is said by stage and reason, with a few names for each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

import pyarrow.compute

from curate.engine.report.types import ReasonRow
from curate.model.reasons import REASONS
from curate.model.rejected import Rejected, StepLeftOut

pc: Any = pyarrow.compute  # its stubs know no nulls
_EXAMPLES = 3
Row = TypeVar("Row", Rejected, StepLeftOut)


class Reasons:
    """Counts so far. Memory: the different reasons."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], list[str]] = defaultdict(list)

    def add_rows(self, rows: Sequence[Row], name: Callable[[Row], str]) -> None:
        """Count rows that say both, each of what `name` calls it."""
        said = [(row.stage, row.reason) for row in rows]
        for key, count in Counter(said).items():
            self._counts[key] += count
            shown = self._examples[key]
            if len(shown) < _EXAMPLES:
                these = (row for row, one in zip(rows, said, strict=True) if one == key)
                shown += [name(row) for row in islice(these, _EXAMPLES - len(shown))]

    def add_all(self, stage: str, reasons: Any, names: Any) -> None:
        """Count reasons of one stage, each of what `names` says beside it."""
        for told in pc.value_counts(reasons).to_pylist():
            reason, count = told["values"], told["counts"]
            shown = self._examples[stage, reason]
            self._counts[stage, reason] += count
            if len(shown) < _EXAMPLES:
                shown += names.filter(pc.equal(reasons, reason))[: _EXAMPLES - len(shown)].to_pylist()

    def rows(self) -> list[ReasonRow]:
        """By stage and reason, most first."""
        ranked: Sequence[tuple[tuple[str, str], int]] = sorted(
            self._counts.items(), key=lambda item: (-item[1], item[0])
        )
        return [
            ReasonRow(
                stage=stage, reason=code, count=count, sentence=REASONS.get(code, ""),
                examples=self._examples[stage, code],
            )
            for (stage, code), count in ranked
        ]  # fmt: skip
