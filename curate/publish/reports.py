"""What is published of a run's report: its numbers, and nothing of what did not come out. Words, pictures and ids of
rejected runs stay at home, and so do reviewers' names and the words of benchmarks' test tasks, which would be in the
next crawl."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import msgspec
import yaml

from curate.engine.report.types import Listing, Report
from curate.engine.work import link_or_copy
from curate.model.errors import InputError
from curate.store.atomic import write_bytes, write_json, write_text
from curate.store.paths import PathError
from curate.store.run_folder import RunFolder

REPORT_JSON = "report.json"
REPORT_HTML = "report.html"
REJECTED = "rejected_counts.json"
RECIPE = "recipe.yaml"
_PUBLIC_GROUPS = ("app", "site", "app_or_site")  # what a split may be by without naming tasks or people

WriteReport = Callable[[Path], Path]
"""Writes report.html into a run folder (`view.report.write_report`, which is beside this package)."""


def read_report(run: RunFolder) -> Report:
    """report.json. Raises InputError."""
    try:
        return msgspec.json.decode(run.report_json.read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {run.report_json}: {error}. `curate run` writes it anew.") from error


def public_report(report: Report, published: Collection[str]) -> Report:
    """The report of the runs whose ids are `published`, and of no other one."""
    changes: dict[str, Any] = {}
    for name in ("rejected_by_reason", "steps_left_out", "listed"):
        changes[name] = [msgspec.structs.replace(row, examples=[]) for row in getattr(report, name)]
    changes["samples"] = [row for row in report.samples if row.id in published]
    changes["near_copies"], changes["leaks"] = [], []
    for name in ("near_copies_listing", "leaks_listing"):
        changes[name] = Listing(total=getattr(report, name).total)
    if report.splits.by not in _PUBLIC_GROUPS:
        changes["splits"] = msgspec.structs.replace(report.splits, groups=[])
    if report.copies is not None:
        certificate = msgspec.structs.replace(report.copies.certificate, listed=[])
        changes["copies"] = msgspec.structs.replace(report.copies, certificate=certificate)
    if report.edits is not None:
        counts = enumerate(report.edits.reviewers.values(), 1)
        nameless = {f"reviewer {number}": count for number, count in counts}
        changes["edits"] = msgspec.structs.replace(report.edits, reviewers=nameless)
    return msgspec.structs.replace(report, **changes)


def write_reports(
    run: RunFolder, run_json: dict[str, Any], report: Report, out: Path, write_report: WriteReport | None
) -> list[str]:
    """Write the report, counts of what did not come out, and the recipe; the files' names. `report`: a public one.
    Raises StoreError."""
    write_json(out / REPORT_JSON, report)
    counts = {
        "read": report.read, "rejected": report.rejected, "stages": report.stages,
        "runs": report.rejected_by_reason, "steps": report.steps_left_out,
    }  # fmt: skip
    write_json(out / REJECTED, counts)
    write_text(out / RECIPE, yaml.safe_dump(run_json.get("recipe") or {}, sort_keys=False, allow_unicode=True))
    names = [REPORT_JSON, REJECTED, RECIPE]
    if write_report is not None:
        write_bytes(out / REPORT_HTML, _page(run, run_json, report, write_report))
        names.append(REPORT_HTML)
    return names


def _page(run: RunFolder, run_json: dict[str, Any], report: Report, write_report: WriteReport) -> bytes:
    """report.html, written of a folder in which there is nothing that must not be in it."""
    with tempfile.TemporaryDirectory(prefix="curate-") as scratch:
        alone = RunFolder(scratch)
        write_json(alone.run_json, {**run_json, "inputs": [], "not_recognised": []})
        write_json(alone.report_json, report)
        for row in report.samples:
            with contextlib.suppress(OSError, PathError):
                link_or_copy(run.media.path(row.image), alone.media.path(row.image))
        return write_report(alone.root).read_bytes()
