"""The options of `curate run`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_OPTIONS = [
    click.option("--recipe", "-r", required=True, metavar="NAME|FILE",
                 help="desktop, web, mobile, lesson, or a YAML file."),
    click.option("--out", "-o", required=True, metavar="RUN",
                 help="Run folder, or s3://bucket/prefix: new, or of this same run."),
    click.option("--set", "sets", multiple=True, metavar="SECTION.OPTION=VALUE",
                 help="Change an option of the recipe."),
    click.option("--examples-only", is_flag=True, help="Keep no dataset in the run folder: examples, reasons, report."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read only the first N records."),
    click.option("--workers", "-w", type=click.IntRange(min=1), metavar="N",
                 help="Processes. [default: all processors]"),
    click.option("--ray", metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT, auto, or local (this machine)."),
    click.option("--against", type=click.Path(path_type=Path), metavar="INDEX",
                 help="Leave out near-copies of what was published before, and add this batch to INDEX."),
    click.option("--edits", multiple=True, type=click.Path(path_type=Path), metavar="FILE|FOLDER",
                 help="Apply what reviewers decided (curate view writes RUN.edits); may be given again."),
    click.option("--max-errors", metavar="N|P%", help="Stop when more records than this cannot be read."),
    click.option("--resume-anyway", is_flag=True, help="Turn a run folder of other inputs or options into this run."),
    click.option("--dry-run", is_flag=True, help="Print the resolved plan and touch nothing."),
    click.option("--json", "as_json", is_flag=True, help="Counts (or the plan) as one JSON object."),
]  # fmt: skip


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All of them, in this order in the help."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
