"""`check.json` as types. Findings come worst first; the JSON Schema `check.v1` is made from `Check`."""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA = "check.v1"
Severity = Literal["error", "warning", "note"]


class Sure(msgspec.Struct, kw_only=True):
    """How sure a finding is. `exact`: counted over all that was read. `measured`: `yes` of `known` that tell, `low` to
    `high` the 95 % interval of that share (of coordinate frames: the share of the likelihood, both ends alike).
    `guess`: a pattern that sound data can fit, too."""

    by: Literal["exact", "measured", "guess"]
    yes: int | None = None
    known: int | None = None
    low: float | None = None
    high: float | None = None
    why: str | None = None


class Row(msgspec.Struct, kw_only=True):
    """A place where it is so: the record, its step where there is one, the file and line it stands in (from 1), and
    what is seen there, personal data masked."""

    id: str | None = None
    step: int | None = None
    file: str | None = None
    line: int | None = None
    what: str | None = None


class Finding(msgspec.Struct, kw_only=True):
    """One thing found. `kind`: a code of `engine.check.kinds`; `part`: what of it (a reason, a flag, a source, a pack).
    `count` of `of` (`unit`: records, steps, pictures, files, ...; `of` null: no total). `rows`: the first of them
    (three of a record at most);
    `rows_file`: the file with all, where `--out` wrote one. `do`: what to do about it."""

    kind: str
    part: str | None = None
    severity: Severity
    area: str
    title: str
    count: int
    of: int | None = None
    unit: str
    sure: Sure
    sentence: str
    do: str
    rows: list[Row] = []
    rows_file: str | None = None


class Unmeasured(msgspec.Struct, kw_only=True):
    """What could not be looked at, and why."""

    area: str
    what: str
    because: str


class SourceLooked(msgspec.Struct, kw_only=True):
    """What one source gave: inputs, records, steps, steps with, without and with a missing picture, refused records by
    reason, licences of records ("unknown" where none is stated)."""

    source: str
    title: str | None = None
    inputs: int
    records: int
    steps: int
    pictures: int
    missing: int
    without: int
    refused: dict[str, int] = {}
    licences: dict[str, int] = {}


class Sampled(msgspec.Struct, kw_only=True):
    """How much was looked at. `limit`: records of each input at most (null: all); `cut`: inputs that hold more than
    that. `pictures`: decoded; `pictures_left`: named by records and not decoded, for the bound on them."""

    limit: int | None = None
    cut: int = 0
    pictures: int = 0
    pictures_left: int = 0


class Check(msgspec.Struct, kw_only=True):
    """`check.json`."""

    schema: Literal["check.v1"] = "check.v1"
    version: str
    inputs: int
    records: int
    steps: int
    refused: int
    sampled: Sampled
    sources: list[SourceLooked]
    findings: list[Finding]
    unmeasured: list[Unmeasured] = []
    tests: list[str] = []

    def count(self, severity: str) -> int:
        """How many findings are of this severity."""
        return sum(one.severity == severity for one in self.findings)
