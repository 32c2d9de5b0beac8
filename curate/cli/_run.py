"""What `curate run` and `curate demo` share: run a plan, write the report, say what came of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.cli._say import detail, next_command, result, result_json, say, verbosity
from curate.model.errors import InputError
from curate.model.printed import printable, quoted
from curate.store.recording import read_info
from curate.store.run_folder import RunFolder
from curate.store.spare_pandas import spare_pandas

if TYPE_CHECKING:
    from curate.engine.plan import Plan
    from curate.engine.remote_out import Place
    from curate.engine.run import Summary
    from curate.engine.workers import Workers


def run_and_tell(plan: Plan, as_json: bool, place: Place | None = None, early: Workers | None = None) -> Summary:
    """Run the plan and put it where it goes; the funnel on stdout (or report.json's counts as JSON), where things are
    on stderr."""
    # here, where processes start meanwhile that were asked for with the plan
    from curate.engine.progress import Shown
    from curate.engine.remote_out import put_run
    from curate.engine.run import run
    from curate.view.funnel_table import print_funnel
    from curate.view.report import prepare, write_report

    spare_pandas()
    with Shown(quiet=verbosity() < 0) as progress:
        summary = run(plan, progress, early, prepare)
    page = write_report(summary.out)
    if place is not None and place.url is not None:
        with Shown(quiet=verbosity() < 0) as progress:
            count = put_run(place, progress)
        say(f"Put {count:,} objects to {place.shown}; the working copy may be removed: {shown(place.folder)}")
    _tell_not_recognised(summary.not_recognised)
    _tell_where(plan, summary)
    _tell_interrupted(plan)
    counts = ("read", "rejected", "trajectories", "examples", "stages", *(["edits"] if plan.edits else []))
    if as_json:
        result_json({"out": str(summary.out), "report": str(page), **{name: summary.report[name] for name in counts}})
    else:
        print_funnel(summary.report, sys.stdout)
    if not summary.report["trajectories"]:
        say("No training example came out: the table and rejected.jsonl say why.")
    for sentence in plan.edits.told if plan.edits else ():
        say(sentence)
    _tell_edits(summary)
    say(f"Examples: {shown(summary.out / 'examples')}")
    say(f"Report:   {shown(page)}")
    for sentence in summary.said:
        say(sentence)
    _tell_done(summary)
    next_command(f"curate view {quoted(Path(shown(summary.out)))}")
    return summary


def print_plan(plan: Plan, as_json: bool) -> None:
    """The resolved plan: what would be read, in which order it would be decided, with which options."""
    plain = plan.plain()
    if as_json:
        result_json(plain)
        return
    import yaml

    _tell_not_recognised(plan.unknown)
    inputs = [f"{one.input.shown} ({one.input.source})" for one in plan.inputs]
    heads: dict[str, Any] = {
        "inputs": inputs, "bytes": sum(s.bytes for s in plan.shards), "shards": len(plan.shards),
        "limit": plan.limit, "workers": plan.workers, "out": str(plan.out), "decides": plain["places"],
    }  # fmt: skip
    for section in (heads, {"recipe": plain["recipe"]}):
        result(yaml.safe_dump(section, sort_keys=False, allow_unicode=True, width=110).rstrip("\n"))
    say("Nothing was read or written: this was --dry-run.")


def shown(path: Path) -> str:
    """A path as one would type it from here."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative


def default_workers() -> int:
    """As many as the machine lets this process use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell_not_recognised(files: list[str]) -> None:
    if files:
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        say(f"Not recognised by any source, left alone: {', '.join(files[:3])}{more} (run.json lists them all).")


def _tell_where(plan: Plan, summary: Summary) -> None:
    """Outputs name a recording by a hash, for folders are named after people; here, on the person's own screen, the
    folder of one that could not be read is said."""
    folders = {one.input.shown: one.input.path for one in plan.inputs if one.input.path.is_dir()}
    rows = [row for row in RunFolder(summary.out).read_rejected() if row.file in folders and row.reason[:5] == "read."]
    for row in rows[:5]:
        say(f"{row.file} is {shown(folders[str(row.file)])}: {row.detail or row.reason}")


def _tell_interrupted(plan: Plan) -> None:
    """Recordings that nobody ended: what can be read of them was read."""
    folders = [
        one.input.path for one in plan.inputs if one.input.source == "recording" and _did_not_end(one.input.path)
    ]
    if folders:
        what = "A recording" if len(folders) == 1 else f"{len(folders)} recordings"
        some = [Path(shown(folder)) for folder in folders[:3]]
        say(f"{what} did not end; to make whole what there is: curate recover {quoted(*some)}")


def _did_not_end(folder: Path) -> bool:
    try:
        info = read_info(folder)
    except InputError:
        return False  # the run says so itself
    return not info.ended and not info.recovered


def _tell_edits(summary: Summary) -> None:
    """What came of edits. A picture that was to be blackened and is not is said in a sentence of its own."""
    edits = summary.report.get("edits")
    if edits is None:
        return
    left_out = sum(edits["left_out"].values())
    why = f"; {left_out:,} left out: edits_left_out.jsonl says why" if left_out else ""
    say(f"Edits: {sum(edits['applied'].values()):,} of {edits['in_force']:,} in force were applied{why}.")
    seen = [row for row in RunFolder(summary.out).read_edits_left_out() if row.kind == "blur"] if left_out else []
    if seen:
        say(f"Not blackened, though a reviewer wanted it: {len(seen)} regions, such as step {seen[0].step} of "
            f"{printable(seen[0].id)}.")  # fmt: skip
    matters = edits["disagreements"]
    if matters:
        word = "matter" if matters == 1 else "matters"
        say(f"Reviewers disagree on {matters:,} {word}: their edits of these hold for nobody.")


def _tell_done(summary: Summary) -> None:
    done = summary.done
    decided = ", ".join(done.decisions) or "nothing"
    detail(f"Now: {done.shards} shards read, {done.measurings} measurings, decided {decided}, {done.examples} files.")
