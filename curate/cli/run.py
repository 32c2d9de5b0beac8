"""`curate run`: the main job."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._run import default_workers, print_plan, run_and_tell
from curate.cli._run_options import run_options
from curate.engine.plan import make_plan, parse_max_errors
from curate.engine.recipe import load_recipe
from curate.engine.remote_out import check_place, place_of
from curate.engine.workers import Workers


@click.command(name="run")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@run_options
def command(
    inputs: tuple[str, ...],
    recipe: str,
    out: str,
    sets: tuple[str, ...],
    examples_only: bool,
    limit: int | None,
    workers: int | None,
    ray: str | None,
    against: Path | None,
    edits: tuple[Path, ...],
    max_errors: str | None,
    resume_anyway: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Raw recordings, datasets or JSONL in; checked training examples and a report out.

    INPUT is anything that holds records, at any depth: recording folders, dataset folders, JSONL; also by URL
    (s3://bucket/prefix, hf://datasets/...). The same command again goes on where it stopped.

    \b
    curate run DUMP --recipe desktop --out RUN
    curate run runs.jsonl --recipe web --out RUN --set nearcopies.threshold=0.6
    curate run DUMP --recipe desktop --out RUN --dry-run
    """
    errors = parse_max_errors(max_errors) if max_errors else None
    place = place_of(out)
    count = workers or default_workers()
    with Workers(1 if dry_run or ray else count) as early:
        plan = make_plan(
            list(inputs), load_recipe(recipe, sets), place.folder, limit=limit, workers=count, max_errors=errors,
            resume_anyway=resume_anyway, ray=ray, store=place.url, against=against, examples_only=examples_only,
            edits=edits, early=early,
        )  # fmt: skip
        if dry_run:
            print_plan(plan, as_json)
        else:
            check_place(place, plan)
            run_and_tell(plan, as_json, place, early)
