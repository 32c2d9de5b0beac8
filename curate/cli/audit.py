"""`curate audit`: a blind sample of a run for people, and what their answers say of the machine's."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._audit import draw, show
from curate.model.audit_label import ABOUT
from curate.model.constants import AUDIT_SAMPLE
from curate.model.errors import UsageError

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("run", type=_PATH)
@click.option("--about", type=click.Choice(ABOUT), help="Draw a sample: of outcomes, near-copy pairs, or pictures.")
@click.option("--size", type=click.IntRange(min=1), default=AUDIT_SAMPLE, show_default=True, help="Items to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed draws others.")
@click.option("--out", type=_PATH, metavar="SAMPLE", help="The new file of the sample.")
@click.option("--labels", type=_PATH, multiple=True, metavar="FILE", help="Labels, or a folder of them. Repeatable.")
@click.option("--show", "most", type=click.IntRange(min=0), default=10, show_default=True,
              help="Items to list that people differ on, or differ on from the machine.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="For machines: an object for each sample.")
def command(
    run: Path, about: str | None, size: int, seed: int, out: Path | None, labels: tuple[Path, ...], most: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Draw a blind sample of a run for people to answer (`curate view RUN --audit SAMPLE`), or say what their labels
    mean: confusion matrix, precision, recall and others with 95 % intervals, agreement between people.

    \b
    curate audit RUN --about verdicts --out verdicts.jsonl
    curate view RUN --audit verdicts.jsonl --by anna
    curate audit RUN --labels RUN.edits
    """
    if (about is None) == (not labels):
        raise UsageError("Give --about to draw a sample, or --labels to say what labels mean: one of the two.")
    if labels:
        if out is not None:
            raise UsageError("--out goes with --about; with --labels the result is printed (--json for machines).")
        show(run, labels, most, as_json)
    elif out is None:
        raise UsageError("--about needs --out: the file that the sample is written to.")
    else:
        draw(run, about, size, seed, out, as_json)
