"""The gate that every event passes on its way to the file: rows that are nobody's business stay out, and a
`redaction` row says from when to when and why."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from curate.store.recording import HiddenReason, RedactionRow
from recorders.events.base import Row

INPUT_KINDS = frozenset({"move", "button", "scroll", "key"})


class Gate:
    """`hide` and `show` may be called from any thread, about a moment up to the writer's hold ago; `passes` is called
    by the writer alone, in the order of the rows' times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: list[tuple[int, int | None, HiddenReason, frozenset[str]]] = []
        self.hidden = 0

    def hide(self, reason: HiddenReason, since: int, kinds: Iterable[str] = INPUT_KINDS) -> None:
        """From `since` (monotonic ns) on, rows of these kinds stay out, until `show` for the same reason."""
        raise NotImplementedError

    def show(self, reason: HiddenReason, at: int) -> None:
        """From `at` on, rows pass again as far as this reason is concerned."""
        raise NotImplementedError

    def passes(self, row: Row) -> list[Row | RedactionRow]:
        """What is written for a row: itself, nothing, or with a `redaction` row before it. `hidden` counts rows that
        stayed out, so that everything handed over is accounted for."""
        raise NotImplementedError

    def end(self, at: int) -> list[RedactionRow]:
        """The rows that close what is still hidden when the recording ends."""
        raise NotImplementedError
