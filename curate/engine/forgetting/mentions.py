"""Mentions of records that are to be forgotten, in what is said of others: a witness, a pair, a line of a lineage.

What others did, typed or were asked is never changed: only what the tools say of them is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import polars as pl

SHORT = 6
"""An id of fewer characters is found where it stands alone, and not within a text: "1" is in many."""


class Mentions:
    """`ids`: of the records that go. Each is replaced by a name that tells nothing."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = frozenset(ids)
        self._instead = {id: f"(forgotten {number})" for number, id in enumerate(sorted(self.ids), start=1)}
        self._long = sorted(id for id in self.ids if len(id) >= SHORT)
        self._in_json = sorted({_in_json(id) for id in self.ids})

    def replaced(self, texts: Sequence[str | None]) -> list[str | None]:
        """The texts without the ids."""
        found: list[str | None] = [self._instead.get(text, text) if text else text for text in texts]
        if self._long:
            hits = pl.Series(found, dtype=pl.String).str.contains_any(self._long)
            for place in hits.fill_null(False).arg_true().to_list():
                found[place] = self._within(str(found[place]))
        return found

    def any_in(self, texts: Sequence[str | None]) -> list[bool]:
        """Which of the texts are one of the ids, or mention one."""
        return [one != other for one, other in zip(texts, self.replaced(texts), strict=True)]

    def lines_to_read(self, lines: Sequence[bytes]) -> list[int]:
        """Which lines of JSON may mention one: the others need not be parsed."""
        texts = pl.Series([line.decode("utf-8", "replace") for line in lines], dtype=pl.String)
        return texts.str.contains_any(self._in_json).arg_true().to_list() if self._in_json else []

    def _within(self, text: str) -> str:
        named = pl.Series([text]).str.extract_many(self._long, overlapping=True).to_list()[0]
        for id in sorted(set(named), key=lambda id: (-len(id), id)):
            text = re.sub(rf"(?<![\w.-]){re.escape(id)}(?!\w|[.-]\w)", self._instead[id], text)
        return text


def _in_json(id: str) -> str:
    """As it stands between the quotes of a JSON text, however the rest of the id is written."""
    escaped = re.search(r'["\\\x00-\x1f\x7f-\U0010ffff]', id)
    return id if escaped is None else id[: escaped.start()]
