"""`curate demo`: the main job on the recordings that ship with the package."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._run import default_workers, run_and_tell, shown
from curate.cli._say import say
from curate.engine.plan import make_plan
from curate.engine.recipe import load_recipe
from curate.model import data


@click.command(name="demo")
@click.option("--out", "-o", type=click.Path(path_type=Path), default=Path("demo-run"), show_default=True,
              help="Run folder.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Counts as one JSON object.")
def command(out: Path, as_json: bool) -> None:
    """Run the main job on the small dump of real recordings that ships with the package.

    Among them are a near-copy, a run that failed and one that gives a task of a made-up benchmark away; the report
    says what became of each.

    \b
    curate demo
    curate demo --out /tmp/demo
    """
    dump = data.folder("dump")
    tests = dump / "benchmark.jsonl"
    recipe = load_recipe("desktop", [f"leaks.tests={tests}"])
    say(f"curate run {shown(dump)} --recipe desktop --set leaks.tests={shown(tests)} --out {shown(out)}")
    run_and_tell(make_plan([dump], recipe, out, workers=default_workers(), resume_anyway=True), as_json)
