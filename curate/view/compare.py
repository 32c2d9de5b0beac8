"""Two runs side by side, number by number: what came in, what came out, why the rest did not, what it is made of, what
its pictures give away; and in which options their recipes differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from curate.engine.report.types import DiversityRow, PointerRow, Report
from curate.model.printed import printable
from curate.view.words import percent

Value = float | str | None
_NONE = "–"


class Difference(msgspec.Struct, frozen=True):
    """One number of two runs, null where a run does not have it. `kind`: a count, a share from 0 to 1, another number,
    or an option of the recipe as it is written."""

    name: str
    first: Value
    second: Value
    kind: str = "count"


def compare(first: Report, second: Report) -> list[Difference]:
    """The numbers of both runs in one order: totals, examples by split, funnel, runs and steps left out by reason,
    mixture, diversity, weights, near-copies, leaks, pointer and hover beside their floors."""
    found: dict[str, list[Any]] = {}
    for place, report in enumerate((first, second)):
        for name, value, kind in _numbers(report):
            found.setdefault(name, [None, None, kind])[place] = value
    rows = [Difference(name, one, other, kind) for name, (one, other, kind) in found.items()]
    return [_counted(row) for row in sorted(rows, key=lambda row: _place(row.name))]


def _counted(row: Difference) -> Difference:
    """A count that only one of them has is 0 in the other."""
    if row.kind != "count":
        return row
    return msgspec.structs.replace(row, first=row.first or 0, second=row.second or 0)


_GROUPS = (
    "runs read",
    "runs that",
    "examples,",
    "after ",
    "runs left out",
    "steps left out",
    "people",
    "different",
    "distance",
    "weights",
    "near-copies",
    "test tasks",
    "runs listed",
    "pictures,",
)


def _place(name: str) -> int:
    """Rows of one kind stand together, whichever run has them; within a kind the order in which they came stays."""
    return next((k for k, begins in enumerate(_GROUPS) if name.startswith(begins)), len(_GROUPS))


def _numbers(report: Report) -> Iterator[tuple[str, Value, str]]:
    yield "runs read", report.read, "count"
    yield "runs that gave examples", report.trajectories, "count"
    yield "runs that gave none", report.rejected, "count"
    for name, count in sorted(report.examples.items()):
        yield f"examples, {name}", count, "count"
    for stage in report.stages:
        yield f"after {stage.name}", stage.kept, "count"
    for runs in report.rejected_by_reason:
        yield f"runs left out, {runs.reason}", runs.count, "count"
    for steps in report.steps_left_out:
        yield f"steps left out, {steps.reason}", steps.count, "count"
    yield "people, of the runs that gave examples", report.mixture.people_runs.share, "share"
    yield "people, of the steps to learn from", report.mixture.people_targets.share, "share"
    yield "people, of all weight", report.mixture.people_weight, "share"
    for row in report.diversity:
        if row.who == "all":
            yield from _diversity(row)
    yield "weights, effective sample size", report.weights.effective, "number"
    if report.copies is not None:
        yield "near-copies, runs in clusters", report.copies.in_clusters, "count"
        yield "near-copies, left over by the certificate", report.copies.certificate.left_over, "count"
    if report.test_tasks is not None:
        for name in ("seen", "similar", "unseen"):
            yield f"test tasks, {name}", getattr(report.test_tasks, name), "count"
    yield "runs listed for a leak", report.leaks_listing.total, "count"
    yield from _pictures(report.pointer.targets)


def _diversity(row: DiversityRow) -> Iterator[tuple[str, Value, str]]:
    yield "different tasks", row.tasks, "count"
    yield "different paths", row.paths, "count"
    yield "different apps and sites", row.places, "count"
    yield "distance of tasks, mean", row.distance, "share"


def _pictures(rows: list[PointerRow]) -> Iterator[tuple[str, Value, str]]:
    """Over all sources and actions: how often the picture gives the target away, beside the floor."""
    words = (("on_target", "pointer on the target"), ("hover", "target lit up"), ("floor", "their floor"))
    for name, said in words:
        shares = [getattr(row, name) for row in rows]
        known = sum(share.known for share in shares)
        yield f"pictures, {said}", sum(share.yes for share in shares) / known if known else None, "share"


def options(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Difference]:
    """The options in which two recipes (of run.json) differ."""
    one, other = dict(_flat(first)), dict(_flat(second))
    names = sorted(one.keys() | other.keys())
    return [
        Difference(name, one.get(name), other.get(name), "option") for name in names if one.get(name) != other.get(name)
    ]


def _flat(recipe: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in recipe.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", msgspec.json.encode(value).decode()


def lines(rows: list[Difference]) -> list[str]:
    """The rows as text in columns, with the change where there is one."""
    cells = [
        (printable(row.name, 80), _shown(row.first, row.kind), _shown(row.second, row.kind), _change(row))
        for row in rows
    ]
    widths = [max((len(row[k]) for row in cells), default=0) for k in range(3)]
    return [
        f"{name:<{widths[0]}}  {one:>{widths[1]}}  {other:>{widths[2]}}  {change}".rstrip()
        for name, one, other, change in cells
    ]


def _shown(value: Value, kind: str) -> str:
    if value is None or isinstance(value, str):
        return _NONE if value is None else printable(value, 60)
    return percent(value) if kind == "share" else f"{value:,}"


def _change(row: Difference) -> str:
    if isinstance(row.first, str) or isinstance(row.second, str) or row.first is None or row.second is None:
        return ""
    change = row.second - row.first
    if not change:
        return ""
    return f"{100 * change:+.1f} points" if row.kind == "share" else f"{round(change, 4):+,}"
