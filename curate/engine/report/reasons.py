"""Counts of what is said by stage and reason, with a few names for each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow.compute

from curate.engine.report.types import ReasonRow
from curate.model.reasons import REASONS

pc: Any = pyarrow.compute  # its stubs know no nulls
_EXAMPLES = 3


class Reasons:
    """Counts so far. Memory: the different reasons."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], list[str]] = defaultdict(list)

    def wants(self, stage: str, reason: str) -> bool:
        """Count one; whether its name would be shown."""
        self._counts[stage, reason] += 1
        return len(self._examples[stage, reason]) < _EXAMPLES

    def name(self, stage: str, reason: str, name: str) -> None:
        self._examples[stage, reason].append(name)

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
