"""Builds the table a decision gives (schema `stages.base.VERDICTS`, with a stage's own columns behind)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate.model.reasons import REASONS
from curate.stages.base import VERDICTS, Verdict


class Verdicts:
    """Verdicts for `alive`: kept unless said otherwise. `extra`: the stage's own columns, null where not set."""

    def __init__(self, alive: Sequence[str], extra: Mapping[str, pa.DataType] | None = None) -> None:
        self._runs: dict[str, dict[str, Any]] = {run: {"id": run, "step": None, "verdict": "keep"} for run in alive}
        self._steps: dict[str, list[dict[str, Any]]] = {}
        self._schema = VERDICTS
        for name, kind in (extra or {}).items():
            self._schema = self._schema.append(pa.field(name, kind))

    def drop(self, run: str, reason: str, detail: str | None = None, witness: str | None = None) -> None:
        """The run is out. Raises KeyError for a run that was not given, ValueError for a reason that is not listed."""
        self._set(run, "drop", reason, detail, witness)

    def quarantine(self, run: str, reason: str, detail: str | None = None) -> None:
        """The run cannot be trusted as it is, and is put aside."""
        self._set(run, "quarantine", reason, detail, None)

    def _set(self, run: str, verdict: Verdict, reason: str, detail: str | None, witness: str | None) -> None:
        _check_listed(reason)
        self._runs[run].update(verdict=verdict, reason=reason, detail=detail, witness=witness)

    def note(self, run: str, **columns: Any) -> None:
        """Fills the stage's own columns, `detail` or `witness` of a run's row without changing its verdict."""
        self._runs[run].update(columns)

    def leave_out(self, run: str, step: int, reason: str, detail: str | None = None, **columns: Any) -> None:
        """The step is no target."""
        _check_listed(reason)
        row = {"id": run, "step": step, "verdict": "drop", "reason": reason, "detail": detail, **columns}
        self._steps.setdefault(run, []).append(row)

    def dropped(self, run: str) -> bool:
        return bool(self._runs[run]["verdict"] != "keep")

    def table(self) -> pa.Table:
        """Each run's row in the order given, its steps' rows behind it (none of a run that is out)."""
        rows: list[dict[str, Any]] = []
        for run, row in self._runs.items():
            rows.append(row)
            if row["verdict"] == "keep":
                rows.extend(self._steps.get(run, ()))
        return pa.Table.from_pylist(rows, schema=self._schema)


def _check_listed(reason: str) -> None:
    if reason not in REASONS:
        raise ValueError(f"The reason {reason!r} is not listed: add it to curate/model/reasons.py with its sentence.")


def rows_by_id(measures: pa.Table, columns: Iterable[str] | None = None) -> dict[str, dict[str, Any]]:
    """A table with one row a run as plain rows by id."""
    chosen = measures if columns is None else measures.select(["id", *columns])
    return {row["id"]: row for row in chosen.to_pylist()}


def steps_left_out(verdicts: Mapping[str, pa.Table]) -> dict[str, dict[int, str]]:
    """By run, the steps that decisions so far left out, each with the first reason given for it."""
    out: dict[str, dict[int, str]] = {}
    for table in verdicts.values():
        chosen = table.select(["id", "step", "reason"])
        for row in chosen.filter(pc.is_valid(chosen["step"])).to_pylist():
            out.setdefault(row["id"], {}).setdefault(row["step"], row["reason"])
    return out
