"""The report of a run as one HTML page: no script, no network, no file beside it. Every number comes from
`report.json`; words, pictures and rows come from the run folder that the page stands in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import jinja2
import msgspec
from markupsafe import Markup

from curate.engine.planning.figures import NAME, read_figures
from curate.engine.report.instructions import instructions_of
from curate.engine.report.types import Report, Sample
from curate.model.constants import (
    POINT_GRID,
    REPORT_LEAK_RUNS,
    REPORT_PAIR_STEPS,
    REPORT_PAIRS,
    REPORT_ROWS,
    REPORT_ROWS_A_REASON,
)
from curate.model.errors import InputError
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.model.rejected import Rejected, StepLeftOut
from curate.store.atomic import write_text
from curate.store.run_folder import RunFolder
from curate.view import charts, escape, words
from curate.view.cost_table import money
from curate.view.evidence import pairs
from curate.view.funnel import funnel
from curate.view.leak_groups import leak_parts
from curate.view.making import making
from curate.view.pictures import Pictures

Row = TypeVar("Row", Rejected, StepLeftOut)


def write_report(run_folder: Path) -> Path:
    """Write `report.html` into the run folder; its path. The same folder gives the same bytes.

    Raises InputError for a folder without a report.json that can be read, StoreError if it cannot be written."""
    run = RunFolder(run_folder)
    write_text(run.report_html, page(run))
    return run.report_html


def page(run: RunFolder) -> str:
    """The page of a run. Raises InputError."""
    report = read_report(run)
    made = making(run)
    rejected = _by_reason(run.read_rejected() if run.rejected.is_file() else [])
    return (
        environment()
        .get_template("report.html")
        .render(
            report=report,
            summary=words.summary(report),
            notes=words.notes(report, made.tests),
            funnel=funnel(report),
            actions=_actions(report),
            pairs=pairs(run, report.near_copies, REPORT_PAIRS, REPORT_PAIR_STEPS),
            leaks=leak_parts(report.leaks),
            leak_rows=REPORT_ROWS,
            leak_runs=REPORT_LEAK_RUNS,
            samples=_samples(run, report.samples),
            grid=POINT_GRID,
            rejected=rejected,
            instructions=instructions_of(run, {row.id for rows in rejected.values() for row in rows if row.id}),
            left_out=_by_reason(run.read_steps_left_out() if run.steps_left_out.is_file() else []),
            left_out_total=sum(row.count for row in report.steps_left_out),
            raw_total=sum(row.events for row in report.raw_events),
            splits=words.in_order(set(report.splits.runs) | set(report.splits.examples)),
            occurring=_occurring(report),
            making=made,
            figures=read_figures(run),
            files=_files(run),
        )
    )


def read_report(run: RunFolder) -> Report:
    """report.json. Raises InputError where there is none, or one of another shape."""
    if not run.report_json.is_file():
        raise InputError(f"There is no report.json in {run.root}: name a folder that `curate run` wrote.")
    try:
        return msgspec.json.decode(run.report_json.read_bytes(), type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {run.report_json}: {error}. `curate run` writes it anew.") from error


def prepare() -> None:
    """Compile the templates, which takes longer than filling them in, at a moment when there is time."""
    for name in ("report.html", "parts.html", "mixture.html", "planning.html"):
        environment().get_template(name)


@cache
def environment() -> jinja2.Environment:
    """Templates with every value escaped and every hidden character shown."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates"), encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=escape.finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        short=escape.short,
        percent=words.percent,
        number=lambda value: f"{value:,}",
        link=escape.local_link,
        money=money,
    )
    made.globals.update(
        bar=charts.bar,
        click_map=charts.click_map,
        in_order=words.in_order,
        interval=charts.interval,
        many=words.many,
        reasons=REASONS,
        flags=FLAGS,
        steps_histogram=charts.steps_histogram,
    )
    return made


def _by_reason(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The first rows of each stage and reason: a rare one is not lost behind a thousand of a common one."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        shown = found.setdefault((row.stage, row.reason), [])
        if len(shown) < REPORT_ROWS_A_REASON:
            shown.append(row)
    return found


def _actions(report: Report) -> list[tuple[str, int, int]]:
    """(action type, steps, targets) over all sources, most first."""
    counts: dict[str, list[int]] = {}
    for row in report.actions:
        both = counts.setdefault(row.action, [0, 0])
        both[0] += row.steps
        both[1] += row.targets
    rows = [(name, steps, targets) for name, (steps, targets) in counts.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _samples(run: RunFolder, rows: list[Sample]) -> list[tuple[Sample, Markup]]:
    pictures = Pictures(run.media)
    found = []
    for row in rows:
        small = pictures.data_uri(row.image)
        if small is not None:
            name = f"Picture of step {row.step} of {escape.short(row.id, 80)}: {row.action} at {_at(row.point)}"
            name += f", pointer at {_at(row.pointer)}." if row.pointer else ", pointer unknown."
            found.append((row, charts.marked_picture(*small, name, row.point, row.pointer, row.box)))
    return found


def _at(point: tuple[float, float]) -> str:
    return f"{100 * point[0]:.0f} % across and {100 * point[1]:.0f} % down"


def _occurring(report: Report) -> dict[str, dict[str, str]]:
    """Codes of this run with their sentences: reasons, flags."""
    reasons: dict[str, str] = {row.reason: row.sentence for row in report.rejected_by_reason}
    reasons |= {row.reason: row.sentence for row in report.steps_left_out}
    reasons |= {row.reason: row.sentence for row in report.raw_events if row.reason}
    return {"reasons": dict(sorted(reasons.items())), "flags": {row.flag: row.sentence for row in report.flags}}


def _files(run: RunFolder) -> list[dict[str, Any]]:
    """The files of the run folder that a reader may want, where they are there."""
    wanted = [
        (run.rejected, "every run and line that gave no example"),
        (run.steps_left_out, "every step that is no target"),
        (run.report_json, "every number of this page"),
        (run.run_json, "the recipe with all its options, versions, seeds and input files"),
        (run.root / NAME, "prices and scores that somebody gave, and what follows from them"),
        *((path, "training examples") for path in run.example_paths()[:REPORT_ROWS]),
        *((path, "measures and verdicts") for path in run.stage_paths()),
        (run.reduced, "every stretch of raw events, with its step or reason"),
    ]
    return [
        {"name": path.relative_to(run.root).as_posix(), "what": what, "bytes": path.stat().st_size}
        for path, what in wanted
        if path.is_file()
    ]
