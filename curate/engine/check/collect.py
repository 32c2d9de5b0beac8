"""Collects findings while a dataset is read: a count for each, its first rows in memory, all rows in a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from io import BufferedWriter
from pathlib import Path

import msgspec

from curate.engine.check.kinds import AREAS, KINDS
from curate.engine.check.types import Finding, Row, Severity, Sure, Unmeasured
from curate.model.constants import CHECK_ROWS, CHECK_TEXT
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.stages.measures.personal_data import masked

EXACT = Sure(by="exact")
_ORDER: dict[str, int] = {"error": 0, "warning": 1, "note": 2}
_OF_RECORD = 3  # rows of one record that are shown: others are worth more
_encoder = msgspec.json.Encoder()


class Collected:
    """What is found, by kind and part. `folder`: where the rows go (a line each, a file a finding); None: only the
    first are kept. Memory: CHECK_ROWS rows a finding."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        for old in folder.glob("*.jsonl") if folder is not None else ():  # of an earlier check
            if any(old.name.startswith(f"{kind}.") for kind in KINDS):
                old.unlink()
        self._found: dict[tuple[str, str | None], Finding] = {}
        self._files: dict[tuple[str, str | None], BufferedWriter] = {}
        self.unmeasured: list[Unmeasured] = []

    def add(self, kind: str, row: Row | None = None, *, part: str | None = None, times: int = 1) -> Finding:
        """One more (or `times` more) of this kind, with the place where it is."""
        finding = self._found.get((kind, part)) or self._new(kind, part)
        finding.count += times
        if row is not None:
            self._keep(finding, _shown(row))
        return finding

    def say(
        self, kind: str, sentence: str = "", *, part: str | None = None, of: int | None = None,
        sure: Sure | None = None, severity: Severity | None = None, title: str | None = None,
    ) -> None:  # fmt: skip
        """What is said of a finding that is there; nothing of one that is not."""
        finding = self._found.get((kind, part))
        if finding is None:
            return
        finding.sentence, finding.of, finding.sure = sentence, of, sure or finding.sure
        finding.severity, finding.title = severity or finding.severity, title or finding.title

    def parts(self, kind: str) -> list[Finding]:
        """Every finding of the kind."""
        return [finding for (of, _), finding in self._found.items() if of == kind]

    def cannot(self, area: str, what: str, because: str) -> None:
        """Something that is not measurable here."""
        self.unmeasured.append(Unmeasured(area=area, what=what, because=because))

    def findings(self) -> list[Finding]:
        """All of them: worst first, then by area, most first."""
        for file in self._files.values():
            file.close()
        self._files.clear()
        for one in self._found.values():
            one.sentence = one.sentence or f"{amount(one)}: {one.title[0].lower()}{one.title[1:]}"
        return sorted(
            self._found.values(),
            key=lambda one: (_ORDER[one.severity], AREAS.index(one.area), one.kind, -one.count, one.part or ""),
        )

    @contextlib.contextmanager
    def closing(self) -> Iterator[None]:
        """Closes the files of rows, whatever happens."""
        try:
            yield
        finally:
            for file in self._files.values():
                file.close()

    def _new(self, kind: str, part: str | None) -> Finding:
        known = KINDS[kind]
        finding = Finding(
            kind=kind, part=part, severity=known.severity, area=kind.split(".", 1)[0], title=known.title, count=0,
            unit=known.unit, sure=EXACT, sentence="", do=known.do.replace("{part}", part or ""), rows=[],
        )  # fmt: skip
        self._found[kind, part] = finding
        return finding

    def _keep(self, finding: Finding, row: Row) -> None:
        of_record = [one for one in finding.rows[-_OF_RECORD:] if row.id is not None and one.id == row.id]
        if len(finding.rows) < CHECK_ROWS and len(of_record) < _OF_RECORD:
            finding.rows.append(row)
        if self._folder is None:
            return
        key = finding.kind, finding.part
        if key not in self._files:
            name = f"{finding.kind}{f'.{_safe(finding.part)}' if finding.part else ''}.jsonl"
            finding.rows_file = f"{self._folder.name}/{name}"
            self._folder.mkdir(parents=True, exist_ok=True)
            self._files[key] = (self._folder / name).open("wb")
        self._files[key].write(_encoder.encode(row) + b"\n")


def amount(one: Finding, of: int | None = None) -> str:
    """How many of how many (of its own total, or `of`), in words: `3 of 40 steps`."""
    total = one.of if of is None else of
    unit = one.unit[:-1] if (one.count if total is None else total) == 1 else one.unit
    return f"{one.count:,} {unit}" if total is None else f"{one.count:,} of {total:,} {unit}"


def at(record: Trajectory, what: str | None = None, step: int | None = None) -> Row:
    """A place in a record."""
    return Row(id=record.id, step=step, file=record.source.file, line=record.source.line, what=what)


def at_refused(row: Rejected) -> Row:
    """Where something was refused."""
    return Row(id=row.id, file=row.file, line=row.line, what=row.detail)


def _shown(row: Row) -> Row:
    """The row as it may be shown: personal data masked, texts cut."""
    return Row(id=_text(row.id), step=row.step, file=_text(row.file), line=row.line, what=_text(row.what))


def _text(text: str | None) -> str | None:
    if text is None:
        return None
    shown = masked(text)
    return shown if len(shown) <= CHECK_TEXT else shown[: CHECK_TEXT - 1] + "…"


def _safe(part: str) -> str:
    return "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in part)[:80]
