"""Recorded text in Markdown: it stands as code, so that no browser makes HTML, a link, a mention or emphasis of it.
What cannot be seen or turns the reading direction is shown as an escape."""

from __future__ import annotations

import re
from typing import Any

from curate.model.printed import printable, printable_lines

_TICKS = re.compile(r"`+")
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>&@:$^=\"'])")
BAR = r"\x7c"
_SHOWN = 160  # characters of a recorded text in a table


def code(text: Any, limit: int = _SHOWN) -> str:
    """A code span of the text, for a sentence or a table (whose cells end at a bar, in code too: it is escaped)."""
    shown = printable(" ".join(str(text).split()), limit)
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    pad = " " if not shown or shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown.replace('|', BAR) or ' '}{pad}{fence}"


def block(text: str, language: str = "") -> str:
    """A code block of the text."""
    shown = printable_lines(text)
    fence = "`" * max(3, max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    return f"{fence}{language}\n{shown.rstrip()}\n{fence}"


def plain(text: str) -> str:
    """One line of text whose every character of Markdown is escaped: for what the publisher calls the dataset."""
    return _MARKUP.sub(r"\\\1", printable(" ".join(text.split())))
