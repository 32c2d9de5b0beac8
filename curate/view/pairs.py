"""Near-copies of a run, each with its witness, from the table that the stage left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from curate.engine.decided_copies import near_copy_tables, rows_with_witness
from curate.model.printed import printable
from curate.model.reasons import REASONS


class Pair(msgspec.Struct, kw_only=True, frozen=True):
    """Run `id` went (or counts less) because of run `witness`."""

    id: str
    witness: str
    verdict: str
    reason: str | None
    detail: str | None

    def sentence(self) -> str:
        """The pair as a line."""
        why = REASONS.get(self.reason, self.reason) if self.reason else "both stay, and share one weight"
        detail = f" ({printable(self.detail)})" if self.detail else ""
        return f"{printable(self.id)} -> {printable(self.witness)}  {self.verdict}: {why}{detail}"


def near_copy_pairs(folder: Path) -> Iterator[Pair]:
    """The pairs of a run folder, in its order. Raises InputError for a folder without near-copies measured."""
    for path in near_copy_tables(folder):
        for row in rows_with_witness(path):
            yield Pair(**{name: row[name] for name in Pair.__struct_fields__})
