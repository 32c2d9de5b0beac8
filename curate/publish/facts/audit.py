"""What people who looked again found of the run's answers: for each sample the figures, and nobody's name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute

from curate.engine.auditing.evaluating import audit_labels
from curate.engine.auditing.results import AuditResult, Judged
from curate.publish.manifest import Number

pc: Any = pyarrow.compute  # its stubs know no value sets
_TOLD = ("about", "size", "seed", "drawn", "labelled", "unsure", "disputed", "missing", "counts", "figures",
         "effective", "silent", "kept")  # fmt: skip


class Audits(NamedTuple):
    """What labels say of a run; and how many labels are of other runs, and count nowhere."""

    found: list[AuditResult]
    others: int


def read_audits(run: Path, files: Sequence[Path]) -> Audits:
    """The same of these files; nothing without any. Raises InputError where all labels are of another run."""
    others: list[int] = []
    found = audit_labels(run, files, lambda some, _: others.append(some)) if files else []
    return Audits(found, sum(others))


def audit_number(audits: Audits, published: Any) -> Number:
    """The figures of each sample. `published`: the ids of the runs that are published (an Arrow array)."""
    found = audits.found
    if not found:
        return Number(value=None, of="no labels were given")
    return Number(
        value=[{**_row(one, published), "of_other_runs": audits.others} for one in found],
        of="--audit: labels of people; the machine's answers and the weights are drawn again from the run "
        f"{found[0].run[:16]} (`curate audit`)",
    )


def _row(found: AuditResult, published: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(found)
    answered = [one for one in found.items if one.truth is not None]
    return {
        **{name: plain[name] for name in _TOLD},
        "population": sum(found.population.values()),
        "people": len(found.reviewers),
        "agreements": [{name: one[name] for name in ("both", "same", "kappa")} for one in plain["agreements"]],
        "not_published": sum(not inside for inside in _published(answered, published)),
        "unseen": sum(found.population[name] for name in found.unseen),
    }  # fmt: skip


def _published(items: Sequence[Judged], published: Any) -> Iterator[bool]:
    """Whether all runs of each item are published."""
    sides = []
    for name in ("id", "other"):
        asked = pa.array([getattr(one, name) for one in items], pa.string())
        sides.append(pc.or_(pc.is_null(asked), pc.is_in(asked, value_set=published)).to_pylist())
    return map(all, zip(*sides, strict=True))
