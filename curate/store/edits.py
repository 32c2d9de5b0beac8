"""Files of edits and of audit labels. They lie beside the data and never in it: what was decided about the dataset or
run folder `D` is in `D.edits/`, one append-only file a reviewer.

    D.edits/<by>.jsonl                  edits (`edit.v1`)
    D.edits/audit-<about>-<by>.jsonl    audit labels (`audit-label.v1`)
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from curate.model.audit_label import About, AuditLabel
from curate.model.edits import Edit
from curate.model.errors import InputError
from curate.store.appended import Appended

_SUFFIX, AUDIT = ".jsonl", "audit-"


def edits_folder(data: Path) -> Path:
    """Where edits of a dataset or run folder (or a file of records) are kept: `<data>.edits` beside it."""
    whole = data.resolve()  # "." and "run/.." have names too
    return whole.with_name(f"{whole.name}.edits")


def utc_now() -> str:
    """This moment as edits and labels write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class EditsFile:
    """One reviewer's edits. `told`: sentences on what was mended."""

    def __init__(self, path: Path) -> None:
        self._file = Appended(path, Edit)
        self.path, self.told = path, self._file.told

    def read(self) -> list[Edit]:
        """All edits, in order. Raises InputError with file and line."""
        edits = self._file.read()
        _check_numbers(self.path, edits)
        return edits

    def append(self, edit: Edit) -> Edit:
        """Store an edit; it gets the next number (whatever number it came with). It is on the disk when this returns.
        Raises StoreError, and InputError for a file that holds something else or an undo of what is not there."""
        return self._file.add(lambda before: _next(self.path, edit, before))


def _next(path: Path, edit: Edit, before: Sequence[Edit]) -> Edit:
    last = before[-1].number if before else 0
    if edit.undoes is not None and edit.undoes not in {one.number for one in before}:
        raise InputError(f"{path} holds no edit number {edit.undoes} that could be undone.")
    return msgspec.structs.replace(edit, number=last + 1)


def _check_numbers(path: Path, edits: Sequence[Edit]) -> None:
    for before, edit in itertools.pairwise(edits):
        if edit.number <= before.number:
            raise InputError(f"{path}: edit number {edit.number} stands after {before.number}; numbers rise in a file.")
    known: set[int] = set()
    for edit in edits:
        if edit.by != edits[0].by:
            raise InputError(f"{path} holds edits of {edits[0].by} and of {edit.by}; each reviewer has a file.")
        if edit.undoes is not None and edit.undoes not in known:
            raise InputError(f"{path}: edit number {edit.number} undoes number {edit.undoes}, which the file lacks.")
        known.add(edit.number)


class LabelsFile:
    """One person's audit labels about one thing."""

    def __init__(self, path: Path) -> None:
        self._file = Appended(path, AuditLabel)
        self.path, self.told = path, self._file.told

    def read(self) -> list[AuditLabel]:
        """All labels, in order. Raises InputError with file and line."""
        return self._file.read()

    def append(self, label: AuditLabel) -> AuditLabel:
        """Store a label; it is on the disk when this returns. Raises StoreError."""
        return self._file.add(lambda _: label)


def edits_file(folder: Path, by: str) -> EditsFile:
    """A reviewer's file in a folder of edits."""
    return EditsFile(folder / f"{by}{_SUFFIX}")


def labels_file(folder: Path, about: About, by: str) -> LabelsFile:
    """A person's file of labels in a folder of edits."""
    return LabelsFile(folder / f"{AUDIT}{about}-{by}{_SUFFIX}")


def find_edits(paths: Iterable[Path]) -> list[Path]:
    """The files of edits that these files and folders of edits stand for, each once, by name. Raises InputError for a
    path that is not there, or a folder without any."""
    return _find(paths, f"edits (*{_SUFFIX})", lambda name: not name.startswith(AUDIT))


def has_edits(folder: Path) -> bool:
    """Whether a folder is there and holds a file of edits."""
    return any(not file.name.startswith(AUDIT) for file in folder.glob(f"*{_SUFFIX}"))


def find_labels(paths: Iterable[Path]) -> list[Path]:
    """The same of audit labels."""
    return _find(paths, f"audit labels ({AUDIT}*{_SUFFIX})", lambda name: name.startswith(AUDIT))


def _find(paths: Iterable[Path], what: str, wanted: Callable[[str], bool]) -> list[Path]:
    found: dict[Path, Path] = {}
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = [file for file in sorted(path.glob(f"*{_SUFFIX}")) if wanted(file.name)]
            if not inside:
                raise InputError(f"{path} holds no file of {what}.")
        elif not path.is_file():
            raise InputError(f"There is no {path}: give a file of {what}, or a folder that holds some.")
        found.update((file.resolve(), file) for file in inside)
    return [found[file] for file in sorted(found)]


def read_edits(paths: Iterable[Path], tell: Callable[[str], object] | None = None) -> list[Edit]:
    """All edits of these files and folders, whatever their order: by reviewer, then as they were made. Where a
    reviewer has several files (of several datasets, or places to work), those are put in the order of their moments
    and numbered through; a file that is the beginning of another counts once. Raises InputError with file and line."""
    by_reviewer: dict[str, list[list[Edit]]] = {}
    for path in find_edits(paths):
        file = EditsFile(path)
        edits = file.read()
        for sentence in file.told if tell else ():
            tell(sentence)  # type: ignore[misc]
        if edits:
            by_reviewer.setdefault(edits[0].by, []).append(edits)
    return [edit for by in sorted(by_reviewer) for edit in _merged(by_reviewer[by])]


def read_labels(paths: Iterable[Path]) -> list[AuditLabel]:
    """All labels of these files and folders, whatever their order; of one person's several answers of one item the
    last stands. Raises InputError with file and line."""
    last: dict[tuple[str, str, str], tuple[str, int, AuditLabel]] = {}
    for path in find_labels(paths):
        for number, label in enumerate(LabelsFile(path).read()):
            key = (label.about, label.item, label.by)
            if key not in last or last[key][:2] <= (label.at, number):
                last[key] = (label.at, number, label)
    return [last[key][2] for key in sorted(last)]


def _merged(files: list[list[Edit]]) -> list[Edit]:
    """One reviewer's files as one."""
    longest_first = sorted(files, key=lambda edits: (-len(edits), msgspec.json.encode(edits)))
    kept: list[list[Edit]] = []
    for edits in longest_first:
        if not any(other[: len(edits)] == edits for other in kept):
            kept.append(edits)
    if len(kept) == 1:
        return kept[0]
    return _numbered_through(kept)


def _numbered_through(files: list[list[Edit]]) -> list[Edit]:
    moments = [list(itertools.accumulate((edit.at for edit in edits), max)) for edits in files]  # a clock set back
    order = sorted((moments[file][row], file, row) for file in range(len(files)) for row in range(len(files[file])))
    new = {(file, files[file][row].number): number for number, (_, file, row) in enumerate(order, start=1)}
    edits = [(file, files[file][row]) for _, file, row in order]
    return [
        msgspec.structs.replace(edit, number=new[file, edit.number], undoes=edit.undoes and new[file, edit.undoes])
        for file, edit in edits
    ]
