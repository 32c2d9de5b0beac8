"""What `curate doctor` found, for people: grouped, aligned, coloured on a terminal only."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from rich.console import Console
from rich.text import Text

from curate.model.printed import printable

_COLOUR = {"ok": "green", "warning": "yellow", "missing": "bold red"}
_STATE, _NAME = 9, 15


class _Found(Protocol):
    @property
    def group(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def said(self) -> str: ...
    @property
    def do(self) -> str | None: ...


F = TypeVar("F", bound=_Found)


def show_findings(found: Iterable[F]) -> Iterator[F]:
    """Print each finding as it comes, and hand it on."""
    width = _width()
    console = Console(highlight=False, soft_wrap=True)
    group = None
    for finding in found:
        if finding.group != group:
            console.print(Text(f"{'' if group is None else chr(10)}{finding.group}", style="bold"))
            group = finding.group
        first, *rest = _wrapped(finding.said, width)
        line = Text("  ").append(f"{finding.state:<{_STATE}}", style=_COLOUR[finding.state])
        console.print(line.append(f"{finding.name:<{_NAME}}{first}"))
        for more in rest:
            console.print(Text(" " * (2 + _STATE + _NAME) + more))
        for number, more in enumerate(_wrapped(finding.do, width - 3) if finding.do else []):
            console.print(Text(" " * (2 + _STATE + _NAME) + ("-> " if number == 0 else "   ") + more, style="cyan"))
        yield finding


def show_list(title: str, sentences: Iterable[str]) -> None:
    """Print sentences under a title."""
    console, width = Console(highlight=False, soft_wrap=True), _width()
    console.print(Text(f"\n{title}", style="bold"))
    for sentence in sentences:
        lines = textwrap.wrap(sentence, width - 4, break_long_words=False)
        console.print(Text("\n    ".join(["  - " + lines[0], *lines[1:]])))


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 110)


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of a sentence; names in it, of devices and programs, are nobody's to move the cursor with."""
    return textwrap.wrap(printable(text), max(30, width - 2 - _STATE - _NAME), break_long_words=False) or [""]
