"""Recorded text is hostile: what a page shows of it must be inert and must not lie.

HTML escaping is Jinja2's (autoescape) and markupsafe's. This adds what escaping does not do: characters that turn,
hide or pile up text are shown as what they are, and addresses lead only to files beside the page.
"""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from curate.model.constants import REPORT_TEXT

_COMBINING_SHOWN = 2  # marks on one letter; Vietnamese needs two, piles of them run over the lines above
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters by name, empty to look at
_SPACES = {"\n": " ⏎ ", "\t": " ⇥ ", "\r": ""}


def visible(text: str) -> str:
    """The text with control characters, bidirectional controls, zero-width characters, lone surrogates and piled-up
    combining marks written out, such as ⟨U+202E⟩. Not yet escaped for HTML."""
    if text.isascii() and text.isprintable():
        return text
    out: list[str] = []
    marks = 0
    for character in text.replace("\r\n", "\n"):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if character in _SPACES:
            out.append(_SPACES[character])
        elif _hides(character, kind) or marks > _COMBINING_SHOWN:
            if marks <= _COMBINING_SHOWN + 1:  # a pile is named once
                out.append(f"⟨U+{ord(character):04X}⟩")
        else:
            out.append(character)
    return "".join(out)


def _hides(character: str, kind: str) -> bool:
    # Cf holds the bidi controls, zero-width characters and tags; Zl, Zp break lines; Co, Cn have no picture.
    return kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or character in _BLANK_LETTERS


def short(text: Any, limit: int = REPORT_TEXT) -> str:
    """At most `limit` characters of a text, saying how many are missing."""
    whole = "" if text is None else str(text)
    return whole if len(whole) <= limit else f"{whole[:limit]}… (+{len(whole) - limit:,} characters)"


def finalize(value: Any) -> Any:
    """What Jinja2 does with every value before it escapes it: text becomes visible, None an empty string."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return visible(value)
    return "" if value is None else value


def local_link(*parts: str) -> str:
    """The address of a file beside the page: always relative, never a scheme, never upwards."""
    path = PurePosixPath(*(part for name in parts for part in PurePosixPath(name).parts if part not in ("/", "..")))
    return "./" + quote(str(path), safe="/")
