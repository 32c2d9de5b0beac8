"""The options of `curate publish`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_FILE: Any = click.Path(path_type=Path, exists=True, dir_okay=False)


def _pictures(_: click.Context, __: click.Parameter, given: str | None) -> int | None:
    """How many pictures are read for text; None: all."""
    from curate.model.constants import PUBLISH_OCR_PICTURES

    if given is None:
        return PUBLISH_OCR_PICTURES
    if given == "all":
        return None
    if given.isdigit():
        return int(given)
    raise click.BadParameter("a number of pictures, or all")


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--license", required=True, metavar="ID", help="As the Hub names it: cc-by-4.0, mit, ... or other."),
    click.option("--license-name", metavar="NAME", help="Of a licence that is `other`."),
    click.option("--license-link", metavar="URL", help="Its text."),
    click.option("--public", is_flag=True, help="Everybody sees it (default: only you)."),
    click.option(
        "--change-visibility", is_flag=True, help="Of a repository that is there: private to public, or back."
    ),
    click.option("--accept", metavar="CODE", multiple=True, help="A finding of the gate that you answer for."),
    click.option("--title", metavar="TEXT", help="Of the card."),
    click.option("--citation", metavar="TEXT", help="How to cite it, BibTeX or words."),
    click.option("--version", metavar="NUMBER", help="Of this revision (default: one minor version up)."),
    click.option("--traces", is_flag=True, help="Also sessions for the Hub's trace view."),
    click.option(
        "--audit",
        metavar="FILE",
        multiple=True,
        type=click.Path(exists=True, path_type=Path),
        help="Labels of an audit, for the card; RUN.edits stands for all of them.",
    ),
    click.option("--costs", metavar="FILE", type=_FILE, help="A file of prices (docs/report.md), for the card."),
    click.option("--set", "sets", metavar="OPTION=VALUE", multiple=True, help="publish.unknown_outcomes=0.8, ..."),
    click.option("--ocr", metavar="N|all", callback=_pictures, help="Pictures read for text (default: 200)."),
    click.option("--check", is_flag=True, help="Afterwards download all of it again and compare."),
    click.option("--dry-run", is_flag=True, help="Say what would be sent and what is found; no network, no token."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object."),
)


def publish_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a publication."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
