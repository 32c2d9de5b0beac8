"""`curate report`: what happened in a run, as a page and as one sentence; two runs side by side."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._report import show_one, show_two
from curate.model.errors import UsageError

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("run", type=_PATH)
@click.argument("other", metavar="[RUN]", type=_PATH, required=False)
@click.option("--prices", type=_PATH, help="A YAML file of prices: what a kept run costs goes on the page.")
@click.option("--scores", type=_PATH, help="Scores of trained models (CSV or JSONL: experiment, runs, score): points "
              "per thousand runs and per doubling go on the page.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The numbers instead of the sentence.")
def command(run: Path, other: Path | None, prices: Path | None, scores: Path | None, as_json: bool) -> None:
    """Write report.html of a run folder and say where it is. With two run folders: write both, and print their numbers
    side by side, and the options in which they differ.

    \b
    curate report RUN
    curate report RUN --json | jq .pointer
    curate report RUN --prices prices.yaml --scores scores.csv
    curate report BEFORE AFTER
    """
    if other is not None:
        if prices or scores:
            raise UsageError("--prices and --scores belong to one run: name one.")
        show_two(run, other, as_json)
    else:
        show_one(run, prices, scores, as_json)
