"""The files that an export writes: examples, and beside them the steps that gave none, and weights that the rows have
no place for. Each appears whole or not at all. Whoever writes them has made sure that what lies there already is
of an export (`export_marks`): it is replaced, or removed where there is nothing to tell any more."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from curate.formats.base import Format, Head
from curate.model.rejected import StepLeftOut
from curate.model.trajectory import Trajectory
from curate.store.atomic import JsonlWriter

STAGE = "export"


class Weight(msgspec.Struct, kw_only=True, frozen=True):
    """A row of the file of weights: line by line those of the examples."""

    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class ExportFiles:
    """Writes what `write` and `leave_out` are given. `left_out`: how many steps, by reason."""

    def __init__(self, out: Path, form: Format) -> None:
        self._out, self._weighted = out, form.weights_beside
        self.steps_left_out = out.with_name(f"{out.stem}.steps_left_out.jsonl")
        self.weights = out.with_name(f"{out.stem}.weights.jsonl")
        self.beside = [self.steps_left_out, *([self.weights] if form.weights_beside else [])]
        self.left_out: Counter[str] = Counter()

    def __enter__(self) -> ExportFiles:
        self._stack = contextlib.ExitStack()
        self._examples = self._stack.enter_context(JsonlWriter(self._out))
        self._steps = self._stack.enter_context(JsonlWriter(self.steps_left_out))
        self._weights = self._stack.enter_context(JsonlWriter(self.weights)) if self._weighted else None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        if kind is None and not self.left_out:
            self.steps_left_out.unlink(missing_ok=True)

    def write(self, rows: Sequence[tuple[Head, bytes]]) -> None:
        """Examples of one record, each with its head."""
        self._examples.write_lines([line for _, line in rows])
        if self._weights is not None:
            for head, _ in rows:
                id = f"{head.trajectory}/{head.step}"
                self._weights.write(
                    Weight(id=id, trajectory=head.trajectory, step=head.step, split=head.split, weight=head.weight)
                )

    def leave_out(self, record: Trajectory, reasons: Mapping[int, str]) -> None:
        """Steps of a record that gave no example, by their index."""
        self.left_out.update(reasons.values())
        for step, reason in reasons.items():
            file, line = record.source.file, record.source.line
            self._steps.write(StepLeftOut(id=record.id, step=step, file=file, line=line, stage=STAGE, reason=reason))
