"""What `curate report` does and says."""

from __future__ import annotations

from pathlib import Path

from curate.cli._say import next_command, result, result_json, say
from curate.engine.planning.figures import figures, write_figures
from curate.model.printed import quoted
from curate.store.run_folder import RunFolder
from curate.view.compare import compare, lines, options
from curate.view.escape import visible
from curate.view.making import making
from curate.view.report import read_report, write_report
from curate.view.words import notes, summary


def show_one(folder: Path, prices: Path | None, scores: Path | None, as_json: bool) -> None:
    """Write the page of a run and say what is on it."""
    run = RunFolder(folder)
    report = read_report(run)
    if prices or scores:
        write_figures(run, figures(report.sources, prices, scores))
    page = write_report(folder)
    if as_json:
        result_json(report)
        say(str(page))
        return
    result(str(page))
    say(summary(report))
    for note in notes(report, making(run).tests):
        say(visible(f"{'Stop' if note.level == 'stop' else 'Look'}: {note.text}"))
    next_command(f"curate view {quoted(folder)}")


def show_two(first: Path, second: Path, as_json: bool) -> None:
    """Write both pages and print their numbers side by side."""
    one, other = RunFolder(first), RunFolder(second)
    rows = compare(read_report(one), read_report(other))
    changed = options(*(_recipe(run) for run in (one, other)))
    if as_json:
        result_json([*rows, *changed])
    else:
        for line in lines(rows):
            result(line)
        for line in lines(changed):
            result(line)
        if not changed:
            say("Both were made with the same options.")
    say(f"Pages: {write_report(first)} and {write_report(second)}")


def _recipe(run: RunFolder) -> dict[str, object]:
    recipe = run.read_run().get("recipe") if run.run_json.is_file() else None
    return recipe if isinstance(recipe, dict) else {}
