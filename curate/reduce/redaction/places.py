"""Where and when a secret may show: while and after it was typed, and where an accessibility tree had it."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from curate.model.constants import REDACTION_DRAW_S, REDACTION_SETTLE_S, REDACTION_TITLE_HEIGHT, REDACTION_TITLE_S
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.redaction.typed import TypedSpan
from curate.store.recording import WindowRow

PixelBox = tuple[int, int, int, int]
"""left, top, right, bottom in pixels of the picture; right and bottom lie outside."""
NS = 1_000_000_000
_TEXTS = ("name", "value", "description")
_WINDOWS = frozenset({"window", "frame", "dialog"})
_EDGE = 2  # pixels around a node's box: focus rings, rounding


class ShownTitle(msgspec.Struct, kw_only=True, frozen=True):
    """A window's title that held a secret was current until `until` (None: to the end). `words`: numbers of those of
    its words that hold it."""

    text: str
    words: tuple[int, ...]
    until: int | None

    def __repr__(self) -> str:
        return "ShownTitle()"  # a traceback must not show it


class ShownSpan(msgspec.Struct, kw_only=True, frozen=True):
    """Whatever changed on the screen from `since` to `until` may be the secret's text. `drawn`: when the last of it
    was on the screen before anything else was done."""

    since: int
    drawn: int
    until: int
    title: ShownTitle | None = None


class ShownBox(msgspec.Struct, kw_only=True, frozen=True):
    """A node that held a secret, from `since` to `until` (None: to the end), seen at `at`. `alone`: it held little
    else, so that its picture is how the secret looks."""

    since: int
    until: int | None
    at: int
    box: PixelBox
    alone: bool


def shown_spans(spans: Iterable[TypedSpan], acts: Sequence[int]) -> list[ShownSpan]:
    """`acts`: times at which keys and buttons went down, in order. A slow program draws late; a quick person goes on
    early, and what comes of that is no text of the secret's."""
    found = []
    for span in spans:
        after = bisect.bisect_right(acts, span.until)
        least = span.until + int(REDACTION_DRAW_S * NS)
        most = span.until + int(REDACTION_SETTLE_S * NS)
        next_act = acts[after] if after < len(acts) else most
        found.append(
            ShownSpan(
                since=span.since, drawn=min(max(next_act, span.until), most),
                until=min(most, max(least, next_act)),
            )
        )  # fmt: skip
    return found


def title_spans(rows: Iterable[WindowRow], spellings: Spellings) -> list[ShownSpan]:
    """From the window rows in their order: what changes around the time at which a title with a secret came is the
    place of that title. A picture may show it a little before the row says it."""
    found: list[ShownSpan] = []
    for row in rows:
        if found and found[-1].title is not None and found[-1].title.until is None:
            last = found[-1].title
            found[-1] = msgspec.structs.replace(found[-1], title=msgspec.structs.replace(last, until=row.t))
        if row.title is None or not spellings.holds(row.title):
            continue
        settled = row.t + int(REDACTION_TITLE_S * NS)
        title = ShownTitle(text=row.title, words=_words_with(row.title, spellings), until=None)
        since = row.t - int(REDACTION_DRAW_S * NS)
        found.append(ShownSpan(since=since, drawn=settled, until=settled, title=title))
    return found


def _words_with(title: str, spellings: Spellings) -> tuple[int, ...]:
    """Without which of its words the title holds a secret no more, or all of them."""
    words = title.split()
    needed = [
        number for number in range(len(words)) if not spellings.holds(" ".join(words[:number] + words[number + 1 :]))
    ]
    return tuple(needed) or tuple(range(len(words)))


def shown_boxes(rows: Iterable[dict[str, Any] | None], spellings: Spellings) -> list[ShownBox]:
    """From the rows of a11y.jsonl in their order: each node that held a secret, from the reading before to the one
    after (in which it may already be somewhere else)."""
    found: list[ShownBox] = []
    waiting: list[ShownBox] = []
    before = 0
    for row in rows:
        if row is None or not isinstance(row.get("t"), int):
            continue
        began, t = int(row.get("since", row["t"])), int(row["t"])
        nodes = row.get("nodes") or ([row["node"]] if row.get("node") else [])
        here = [box for node in nodes if (box := _box(node, before, t, spellings))]
        if row.get("kind") == "tree":
            found += [msgspec.structs.replace(box, until=max(began, box.at)) for box in waiting]
            waiting, before = [], began
        waiting += here
    return found + waiting


def _box(node: Any, since: int, t: int, spellings: Spellings) -> ShownBox | None:
    if not isinstance(node, dict) or not node.get("box"):
        return None
    texts = [node[field] for field in _TEXTS if isinstance(node.get(field), str)]
    holding = [text for text in texts if spellings.holds(text)]
    if not holding:
        return None
    left, top, right, bottom = (float(side) for side in node["box"])
    alone = all(2 * len(spellings.without(text)) <= len(text) for text in holding)
    if node.get("parent") is None and node.get("role") in _WINDOWS:  # its title, above or in its box; not all in it
        top, bottom, alone = top - REDACTION_TITLE_HEIGHT, min(bottom, top + REDACTION_TITLE_HEIGHT), False
    box = (int(left) - _EDGE, int(top) - _EDGE, int(right + 1) + _EDGE, int(bottom + 1) + _EDGE)
    return ShownBox(since=since, until=None, at=t, box=box, alone=alone)
