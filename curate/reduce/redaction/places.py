"""Where and when a secret may show: while and after it was typed, and where an accessibility tree had it."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from curate.model.constants import REDACTION_DRAW_S, REDACTION_SETTLE_S
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.redaction.typed import TypedSpan

PixelBox = tuple[int, int, int, int]
"""left, top, right, bottom in pixels of the picture; right and bottom lie outside."""
NS = 1_000_000_000
_TEXTS = ("name", "value", "description")
_EDGE = 2  # pixels around a node's box: focus rings, rounding


class ShownSpan(msgspec.Struct, kw_only=True, frozen=True):
    """Whatever changed on the screen from `since` to `until` may be the secret's text. `drawn`: when the last of it
    was on the screen before anything else was done."""

    since: int
    drawn: int
    until: int


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
    box = (int(left) - _EDGE, int(top) - _EDGE, int(right + 1) + _EDGE, int(bottom + 1) + _EDGE)
    return ShownBox(since=since, until=None, at=t, box=box, alone=alone)
