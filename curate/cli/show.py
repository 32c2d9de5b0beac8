"""`curate show`: records, for people or machines."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._dataset import checked_folder, chosen
from curate.cli._edits import show_edits
from curate.cli._pairs import show_found, show_labels
from curate.cli._say import next_command, result, say
from curate.model.constants import LABEL_PAIRS
from curate.model.errors import UsageError
from curate.model.printed import quoted
from curate.model.trajectory import encode
from curate.view.terminal import record_lines


@click.command()
@click.argument("folder", metavar="DATASET|RUN", type=click.Path(path_type=Path))
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One canonical record a line.")
@click.option("--pairs", is_flag=True, help="The near-copies that a run found, with the run each is a copy of.")
@click.option("--labels", type=click.Path(path_type=Path), metavar="FILE", help="With --pairs: draw pairs to label.")
@click.option("--sample", type=click.IntRange(min=1), default=LABEL_PAIRS, show_default=True, help="How many to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which are drawn.")
@click.option("--edits", is_flag=True, help="What reviewers decided, on what they disagree, and what a run left out.")
def command(
    folder: Path, ids: tuple[str, ...], as_json: bool, pairs: bool, labels: Path | None, sample: int, seed: int,
    edits: bool,
) -> None:  # fmt: skip
    """Show the records of a dataset or run folder: all of them, or those of the ids.

    \b
    curate show DATASET ID
    curate show RUN --json | head -1
    curate show RUN --pairs
    curate show RUN --pairs --labels labels.jsonl     # again, once labelled: what they say of each threshold
    curate show RUN --edits
    """
    checked_folder(folder)
    if labels is not None and not pairs:
        raise UsageError("--labels goes with --pairs.")
    if edits:
        return show_edits(folder, ids, as_json)
    if pairs:
        show_found(folder, ids, as_json) if labels is None else show_labels(folder, labels, sample, seed, as_json)
        return
    shown = False
    for record in chosen(folder, ids):
        shown = True
        for line in [encode(record)] if as_json else record_lines(record):
            result(line)
    if not shown:
        say(f"{folder} holds no records.")
    if not as_json:
        next_command(f"curate show {quoted(folder)} --json")
