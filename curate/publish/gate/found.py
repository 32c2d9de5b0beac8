"""Collects what the gate finds: a count for each code, its first rows in memory, all rows in a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from io import BufferedWriter
from pathlib import Path

import msgspec

from curate.model.constants import CHECK_ROWS, CHECK_TEXT
from curate.publish.gate.codes import CODES, Weight
from curate.publish.kept import Kept
from curate.stages.measures.personal_data import masked

_encoder = msgspec.json.Encoder()


class GateRow(msgspec.Struct, kw_only=True, frozen=True):
    """A place where it is so: a run, its step, or a file and line (from 1) of what is staged; what is seen there,
    personal data masked."""

    id: str | None = None
    step: int | None = None
    file: str | None = None
    line: int | None = None
    what: str | None = None


class GateFinding(msgspec.Struct, kw_only=True):
    """One thing found: `count` of `of` (null: no total). `rows`: the first of them; `rows_file`: all. `accepted`: by
    name, on the command line."""

    code: str
    weight: Weight
    count: int
    of: int | None = None
    unit: str
    sentence: str
    do: str
    accepted: bool = False
    rows: list[GateRow] = []
    rows_file: str | None = None

    @property
    def refuses(self) -> bool:
        """Whether nothing is published because of it."""
        return self.weight == "never" or (self.weight == "by_name" and not self.accepted)


class Unlooked(msgspec.Struct, kw_only=True, frozen=True):
    """What was not looked at, and why."""

    what: str
    because: str


class Gate(msgspec.Struct, kw_only=True):
    """What the gate says."""

    findings: list[GateFinding]
    unlooked: list[Unlooked]

    @property
    def refusing(self) -> list[GateFinding]:
        """The findings for which nothing is published."""
        return [one for one in self.findings if one.refuses]

    def counts(self) -> list[dict[str, object]]:
        """Codes and counts, for the card."""
        return [{"code": one.code, "count": one.count, "accepted": one.accepted} for one in self.findings]


class Found:
    """What is found, by code. `folder`: where all rows go, a file a code. Memory: CHECK_ROWS rows a code."""

    def __init__(self, folder: Path | None, accepted: tuple[str, ...] = ()) -> None:
        self._folder, self._accepted = folder, accepted
        self._found: dict[str, GateFinding] = {}
        self._files: dict[str, BufferedWriter] = {}
        self._unlooked: list[Unlooked] = []
        for old in folder.glob("*.jsonl") if folder is not None else ():
            if old.stem in CODES:
                old.unlink()  # of the last time

    def add(self, code: str, row: GateRow | None = None, times: int = 1) -> None:
        """One more (or `times` more) of this code, with its place."""
        known = CODES[code]
        if code not in self._found:
            self._found[code] = GateFinding(
                code=code, weight=known.weight, count=0, unit=known.unit, sentence=known.title, do=known.do,
                accepted=code in self._accepted,
            )  # fmt: skip
        finding = self._found[code]
        finding.count += times
        if row is not None:
            self._keep(finding, row)

    def say(self, code: str, sentence: str, of: int | None = None) -> None:
        """What is said of a finding that is there; nothing of one that is not."""
        if code in self._found:
            self._found[code].sentence, self._found[code].of = sentence, of

    def count(self, code: str) -> int:
        """How many there are."""
        return self._found[code].count if code in self._found else 0

    def cannot(self, what: str, because: str) -> None:
        """Something that was not looked at."""
        self._unlooked.append(Unlooked(what=what, because=because))

    def gate(self) -> Gate:
        """All of it: what refuses first."""
        for file in self._files.values():
            file.flush()
        order = list(CODES)
        found = sorted(self._found.values(), key=lambda one: (not one.refuses, order.index(one.code)))
        return Gate(findings=found, unlooked=list(self._unlooked))

    @contextlib.contextmanager
    def closing(self) -> Iterator[None]:
        """Closes the files of rows, whatever happens."""
        try:
            yield
        finally:
            for file in self._files.values():
                file.close()
            self._files.clear()

    def _keep(self, finding: GateFinding, row: GateRow) -> None:
        what = None if row.what is None else masked(row.what)[:CHECK_TEXT]
        row = msgspec.structs.replace(row, what=what, file=None if row.file is None else masked(row.file))
        if len(finding.rows) < CHECK_ROWS:
            finding.rows.append(row)
        if self._folder is None:
            return
        if finding.code not in self._files:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{finding.code}.jsonl"
            self._files[finding.code] = path.open("ab")
            finding.rows_file = f"{self._folder.name}/{path.name}"
        self._files[finding.code].write(_encoder.encode(row) + b"\n")


def at(kept: Kept, what: str | None = None, step: int | None = None) -> GateRow:
    """A place in a published run."""
    return GateRow(id=kept.record.id, step=step, what=what)
