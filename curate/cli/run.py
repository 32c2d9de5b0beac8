"""`curate run`: the main job."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._run import default_workers, print_plan, run_and_tell
from curate.engine.plan import make_plan, parse_max_errors
from curate.engine.recipe import load_recipe


@click.command(name="run")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "--recipe", "-r", required=True, metavar="NAME|FILE", help="desktop, web, mobile, lesson, or a YAML file."
)
@click.option(
    "--out", "-o", required=True, type=click.Path(path_type=Path), help="Run folder: new, or of this same run."
)
@click.option("--set", "sets", multiple=True, metavar="SECTION.OPTION=VALUE", help="Change an option of the recipe.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read only the first N records.")
@click.option("--workers", "-w", type=click.IntRange(min=1), metavar="N", help="Processes. [default: all processors]")
@click.option("--max-errors", metavar="N|P%", help="Stop when more records than this cannot be read.")
@click.option("--resume-anyway", is_flag=True, help="Turn a run folder of other inputs or options into this run.")
@click.option("--dry-run", is_flag=True, help="Print the resolved plan and touch nothing.")
@click.option("--json", "as_json", is_flag=True, help="Counts (or the plan) as one JSON object.")
def command(
    inputs: tuple[str, ...],
    recipe: str,
    out: Path,
    sets: tuple[str, ...],
    limit: int | None,
    workers: int | None,
    max_errors: str | None,
    resume_anyway: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Raw recordings, datasets or JSONL in; checked training examples and a report out.

    INPUT is anything that holds records, at any depth: recording folders, dataset folders, JSONL. The same command
    again goes on where it stopped.

    \b
    curate run DUMP --recipe desktop --out RUN
    curate run runs.jsonl --recipe web --out RUN --set nearcopies.threshold=0.6
    curate run DUMP --recipe desktop --out RUN --dry-run
    """
    errors = parse_max_errors(max_errors) if max_errors else None
    plan = make_plan(
        [Path(path) for path in inputs], load_recipe(recipe, sets), out, limit=limit,
        workers=workers or default_workers(), max_errors=errors, resume_anyway=resume_anyway,
    )  # fmt: skip
    if dry_run:
        print_plan(plan, as_json)
    else:
        run_and_tell(plan, as_json)
