"""`curate mix`: a mixture of datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli._mix import from_recipe, shares_of
from curate.cli._say import next_command, result, result_json, say, verbosity
from curate.engine.mixing.mix import mix
from curate.engine.progress import Shown
from curate.model.constants import SEED
from curate.model.printed import quoted
from curate.view.mix_table import mix_lines


@click.command()
@click.argument("parts", metavar="DATASET=SHARE...", nargs=-1)
@click.option("--recipe", type=click.Path(path_type=Path), metavar="FILE", help="All of it from a YAML file.")
@click.option("--out", metavar="DATASET", required=True, type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--by", type=click.Choice(["trajectories", "steps", "weight"]), default="trajectories", show_default=True)
@click.option("--share", "groups", metavar="KEY:VALUE=SHARE", multiple=True, help="Of a source, platform or actor.")
@click.option("--floor", metavar="human=SHARE", help="The least share of people's data.")
@click.option("--size", type=click.FloatRange(min=0, min_open=True), metavar="N", help="How much, in the unit of --by.")
@click.option("--seed", type=click.IntRange(min=0), default=SEED, show_default=True, help="Which records are drawn.")
@click.option("--tests", metavar="PACK", multiple=True, help="Test tasks that no record may give away.")
@click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="Options of nearcopies and leaks.")
@click.option("--json", "as_json", is_flag=True, help="The counts, for machines.")
@click.pass_context
def command(context: click.Context, /, recipe: Path | None, out: Path, as_json: bool, **given: Any) -> None:
    """Draw a mixture from dataset and run folders, by shares, with a floor for people's data.

    Near-copies across the parts are left out, and what gives a test task away. Without --size the mixture is as large
    as its shares allow. docs/mixing.md says how records are drawn.

    \b
    curate mix people=0.6 programs=0.4 --out mixture --floor human=0.5
    curate mix a b --share source:agentnet=0.5 --by steps --out mixture
    curate mix --recipe mixture.yaml --out mixture
    """
    folders, options = shares_of(**given) if recipe is None else from_recipe(recipe, context)
    with Shown(quiet=verbosity() < 0) as progress:
        done = mix(folders, out, options, progress)
    if as_json:
        result_json(done)
    else:
        result("\n".join(mix_lines(done)))
    for sentence in done.said:
        say(f"Warning: {sentence}")
    say(f"{done.manifest.trajectories:,} trajectories, {done.manifest.steps:,} steps in {out}")
    next_command(f"curate run {quoted(out)} --recipe desktop --out RUN")
