"""`curate cost`: what a kept run costs."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from curate.cli._say import next_command, result, result_json, say
from curate.engine.planning.costs import costs, read_prices
from curate.model.printed import printable, quoted
from curate.store.run_folder import RunFolder
from curate.view.cost_table import lines
from curate.view.report import read_report


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--prices", type=click.Path(path_type=Path), required=True, help="A YAML file of prices (docs/report.md)."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def command(run: Path, prices: Path, as_json: bool) -> None:
    """Say what each source's runs cost: an attempt, and a run that was kept. The fewer pass, the more a kept one costs.

    \b
    curate cost RUN --prices prices.yaml
    curate report RUN --prices prices.yaml      # the same on the page
    """
    found = costs(read_prices(prices), read_report(RunFolder(run)).sources)
    if as_json:
        result_json(msgspec.to_builtins(found))
        return
    for line in lines(found):
        result(line)
    if found.unpriced:
        say(f"No price speaks of: {printable(', '.join(found.unpriced), 400)}.")
    next_command(f"curate report {quoted(run)} --prices {quoted(prices)}")
