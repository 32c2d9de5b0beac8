"""What a person may have meant by a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_ALIKE = 0.5  # share of letters in common, as difflib counts; below that a hint misleads
_LONGEST = 200  # characters compared: names may come from hostile files


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?` with the nearest of the known names, '' where none is near."""
    close = difflib.get_close_matches(given[:_LONGEST], list(known), n=1, cutoff=_ALIKE)
    return f" Did you mean {close[0]!r}?" if close else ""
