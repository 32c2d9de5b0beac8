"""The files that an export writes: examples, and beside them the steps and the records that gave none, and weights that
the rows have no place for. Each appears whole or not at all. Whoever writes them has made sure that what lies there
already is of an export (`export_marks`): it is replaced, or removed where there is nothing to tell any more."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from types import TracebackType

import msgspec

from curate.formats.base import Format, Head
from curate.model.constants import EXPORT_HELD_BYTES
from curate.model.rejected import Rejected, StepLeftOut
from curate.model.trajectory import Trajectory
from curate.store.atomic import JsonlWriter

STAGE = "export"
NO_TARGET = "unroll.no_target_left"


class Weight(msgspec.Struct, kw_only=True, frozen=True):
    """A row of the file of weights: line by line those of the examples."""

    id: str
    trajectory: str
    step: int
    split: str
    weight: float


_AT_ONCE = 1024  # rows written together
_PICTURED = re.compile(rb'(?<!\\)"images?":\[?"')  # in a text the quotes are escaped


class HeldRows:
    """Holds rows back until the first that shows a picture, which then goes before them. Who reads a file infers its
    columns from its beginning (`datasets`: the first 10 MB, as LLaMA-Factory, ms-swift and TRL read it) and refuses a
    picture in a column that was empty there. Rows held lie in a file; their heads are in memory."""

    def __init__(self) -> None:
        self._heads: list[Head] = []
        self._holds = True

    def __enter__(self) -> HeldRows:
        self._file = tempfile.SpooledTemporaryFile(max_size=EXPORT_HELD_BYTES)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def passed(self, rows: Sequence[tuple[Head, bytes]]) -> Iterable[tuple[Head, bytes]]:
        """The rows that are to be written, now that these have come."""
        if not self._holds:
            return rows
        first = next((at for at, (_, line) in enumerate(rows) if _PICTURED.search(line)), None)
        if first is None:
            for head, line in rows:
                self._heads.append(head)
                self._file.write(line + b"\n")
            return []
        return chain([rows[first]], self.let_go(), rows[:first], rows[first + 1 :])

    def let_go(self) -> Iterator[tuple[Head, bytes]]:
        """The rows that were held; none is from now on."""
        self._holds = False
        self._file.seek(0)
        heads, self._heads = self._heads, []
        for head, line in zip(heads, self._file, strict=False):
            yield head, line.rstrip(b"\n")


class ExportFiles:
    """Writes what `write`, `leave_out` and `leave_out_record` are given. `left_out`: how many steps, by reason;
    `records_out`: how many records, by reason."""

    def __init__(self, out: Path, form: Format) -> None:
        self._out, self._weighted = out, form.weights_beside
        self.steps_left_out = out.with_name(f"{out.stem}.steps_left_out.jsonl")
        self.records_left_out = out.with_name(f"{out.stem}.records_left_out.jsonl")
        self.weights = out.with_name(f"{out.stem}.weights.jsonl")
        self.beside = [self.steps_left_out, self.records_left_out, *([self.weights] if form.weights_beside else [])]
        self.left_out: Counter[str] = Counter()
        self.records_out: Counter[str] = Counter()

    def __enter__(self) -> ExportFiles:
        self._stack = contextlib.ExitStack()
        self._examples = self._stack.enter_context(JsonlWriter(self._out))
        self._steps = self._stack.enter_context(JsonlWriter(self.steps_left_out))
        self._records = self._stack.enter_context(JsonlWriter(self.records_left_out))
        self._weights = self._stack.enter_context(JsonlWriter(self.weights)) if self._weighted else None
        self._held = self._stack.enter_context(HeldRows())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            if error is not None:
                raise error  # through the stack, which removes what is not whole
            self._write(self._held.let_go())
        if not self.left_out:
            self.steps_left_out.unlink(missing_ok=True)
        if not self.records_out:
            self.records_left_out.unlink(missing_ok=True)

    def write(self, rows: Sequence[tuple[Head, bytes]]) -> None:
        """Examples of one record, each with its head."""
        self._write(self._held.passed(rows))

    def _write(self, given: Iterable[tuple[Head, bytes]]) -> None:
        stream = iter(given)
        while rows := list(islice(stream, _AT_ONCE)):
            self._write_some(rows)

    def _write_some(self, rows: Sequence[tuple[Head, bytes]]) -> None:
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

    def leave_out_record(self, record: Trajectory, reason: str) -> None:
        """A record that gave no example at all."""
        self.records_out[reason] += 1
        file, line = record.source.file, record.source.line
        detail = None if record.steps else "The record has no steps."
        self._records.write(Rejected(id=record.id, file=file, line=line, stage=STAGE, reason=reason, detail=detail))
