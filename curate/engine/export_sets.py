"""The files of an export: one set of them, or one for each operating system: `OUT-linux.jsonl`, `OUT-windows.jsonl`,
and `OUT-unknown.jsonl` for records that do not say theirs. Of formats whose trainer finds a file by its entry in
another, that entry too: what others wrote there stays."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, get_args

import msgspec

from curate.engine.export_files import ExportFiles
from curate.engine.export_marks import mark_export
from curate.formats.base import Format, Listed
from curate.model.errors import GateError
from curate.model.trajectory import Platform, Trajectory
from curate.store.atomic import write_json

By = Literal["platform"]
_UNKNOWN = "unknown"


class ExportSets:
    """Opens the set that a record belongs to. Each file appears whole or not at all; of an export that is made again,
    sets that nothing belongs to any more are removed."""

    def __init__(self, out: Path, form: Format, by: By | None) -> None:
        self._form, self._by = form, by
        names = [] if by is None else [*get_args(Platform), _UNKNOWN]
        self._outs = {name: out.with_name(f"{out.stem}-{name}{out.suffix}") for name in names} or {"": out}
        self._files = {name: ExportFiles(one, form) for name, one in self._outs.items()}
        self._open: dict[str, ExportFiles] = {}

    def mark(self, folder: Path, *told: Any) -> None:
        """Take the files' names. Raises GateError where one is of somebody else."""
        for name, out in self._outs.items():
            mark_export(out, folder, *told, beside=self._files[name].beside)
        self._listed()

    def __enter__(self) -> ExportSets:
        self._stack = contextlib.ExitStack()
        if self._by is None:
            self._opened("")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        if kind is not None:
            return
        for name in self._outs.keys() - self._open.keys():
            for path in (self._outs[name], *self._files[name].beside):
                path.unlink(missing_ok=True)
        self._list()

    def of(self, record: Trajectory) -> ExportFiles:
        """The set of a record."""
        return self._opened("" if self._by is None else record.platform or _UNKNOWN)

    @property
    def left_out(self) -> dict[str, int]:
        """How many steps gave no example, by reason."""
        return _together(files.left_out for files in self._open.values())

    @property
    def records_out(self) -> dict[str, int]:
        """How many records gave none at all, by reason."""
        return _together(files.records_out for files in self._open.values())

    @property
    def steps_left_out(self) -> list[Path]:
        """The files that tell which."""
        return [files.steps_left_out for files in self._open.values() if files.left_out]

    @property
    def records_left_out(self) -> list[Path]:
        """The same of records."""
        return [files.records_left_out for files in self._open.values() if files.records_out]

    @property
    def weights(self) -> list[Path]:
        """The files of weights."""
        return [files.weights for files in self._open.values()] if self._form.weights_beside else []

    @property
    def outs(self) -> list[Path]:
        """The files of examples."""
        return [self._outs[name] for name in self._outs if name in self._open]

    def _opened(self, name: str) -> ExportFiles:
        if name not in self._open:
            self._open[name] = self._stack.enter_context(self._files[name])
        return self._open[name]

    def _list(self) -> None:
        """Write the entries of the files that are there, and take those out that are not."""
        if not isinstance(self._form, Listed):
            return
        path, entries = self._listed()
        for name, out in self._outs.items():
            entries.pop(out.stem, None)
            if name in self._open:
                entries[out.stem] = self._form.listed(out.name)
        write_json(path, dict(sorted(entries.items())))

    def _listed(self) -> tuple[Path, dict[str, Any]]:
        """The file of entries, and what it holds."""
        if not isinstance(self._form, Listed):
            return Path(), {}
        path = next(iter(self._outs.values())).parent / self._form.listing
        try:
            return path, msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except FileNotFoundError:
            return path, {}
        except (OSError, msgspec.MsgspecError) as error:
            raise GateError(f"{path} cannot be read as a list of data sets ({error}): move it away.") from error


def _together(counts: Iterable[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))
