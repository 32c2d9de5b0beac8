"""The gate that every event passes on its way to the file: rows that are nobody's business stay out, and a
`redaction` row says from when to when and why.

A span hides rows of its kinds whose time is from its beginning up to, but not including, its end. A key or button
belongs where its press fell: one pressed in a span stays hidden until it is let go, one pressed before the span has
its release shown, so that no reader sees half a key. Repeats of a key held since before the span type into what is
hidden, and stay out. What is in front when a span over `window` rows ends is told then.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from curate.store.recording import ButtonRow, HiddenReason, KeyRow, RedactionRow, WindowRow
from recorders.rows import UNNUMBERED, Row

INPUT_KINDS = frozenset({"move", "button", "scroll", "key"})
PASSWORD_KINDS = frozenset({"key", "clipboard"})
"""While keys go to a password field: what is typed, and what is pasted."""
POINTER_KINDS = frozenset({"move", "button", "scroll"})
"""While the pointer is over what is excluded."""
FRONT_KINDS = frozenset({"key", "clipboard"})
"""While an excluded window is in front."""
PRIVATE_KINDS = INPUT_KINDS | {"clipboard", "window"}
"""While the person says "do not record this"."""
REMEMBER_NS = 5_000_000_000
"""Ended spans still judge rows that come later than the writer's hold, this long."""

_Out = list[Row | RedactionRow]


class _Span:
    """One stretch of hiding. `told`: its beginning is in the file. `reached`: time of the latest row it hid."""

    def __init__(self, reason: HiddenReason, since: int, kinds: frozenset[str]) -> None:
        self.reason, self.since, self.kinds = reason, since, kinds
        self.until: int | None = None
        self.told = self.closed = False
        self.reached = since

    def hides(self, kind: str, t: int) -> bool:
        return kind in self.kinds and self.since <= t and (self.until is None or t < self.until)


class Gate:
    """`hide` and `show` may be called from any thread, about a moment up to the writer's hold ago; `passes` is called
    by the writer alone, in the order of the rows' times.

    `hidden`: rows that stayed out; `added`: `redaction` rows given out. Neither may reach a file: the first tells
    how long a password is. `reckon` says whether all rows are accounted for. `late`: times that `hide` came after rows
    it should have kept out had been written, which is a fault of the recording. `episodes`: how often something began
    to be hidden, by reason.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: list[_Span] = []
        self._held: dict[str, bool] = {}  # keys and buttons that are down: whether their press was hidden
        self._window: WindowRow | None = None  # the latest that a span hid: told when the span ends
        self._written: dict[str, int] = {}  # time of the latest row that passed, by kind
        self.hidden = self.added = self.late = 0
        self.episodes: dict[HiddenReason, int] = {}

    def hide(self, reason: HiddenReason, since: int, kinds: Iterable[str] = INPUT_KINDS) -> None:
        """From `since` (monotonic ns) on, rows of these kinds stay out, until `show` for the same reason. Saying it
        again changes nothing, unless `since` is earlier."""
        with self._lock:
            wanted = frozenset(kinds)
            passed = max((self._written.get(kind, -1) for kind in wanted), default=-1)
            if since <= passed:
                self.late += 1
                since = passed + 1  # no row may say that something was kept out which was not
            same = [s for s in self._spans if s.until is None and s.reason == reason and s.kinds == wanted]
            if not same:
                self._spans.append(_Span(reason, since, wanted))
            elif not same[0].told:
                same[0].since = min(same[0].since, since)

    def show(self, reason: HiddenReason, at: int, kinds: Iterable[str] | None = None) -> None:
        """From `at` on, rows pass again as far as this reason is concerned (with `kinds`: only as far as it hid
        exactly these)."""
        with self._lock:
            wanted = None if kinds is None else frozenset(kinds)
            for span in self._spans:
                if span.until is None and span.reason == reason and wanted in (None, span.kinds):
                    span.until = max(at, span.since, span.reached)
            self._spans = [s for s in self._spans if s.told or s.until is None or s.until > s.since]

    def passes(self, row: Row) -> list[Row | RedactionRow]:
        """What is written for a row: itself, nothing, or with `redaction` rows before it."""
        with self._lock:
            out = self._due(row.t)
            kind = str(row.__struct_config__.tag)
            covered = self._covered(kind, row.t)
            if isinstance(row, WindowRow) and covered:
                self.hidden += self._window is not None  # the one before it is never told
                self._window = row
            elif self._is_hidden(row, covered):
                self.hidden += 1
            else:
                self._written[kind] = max(row.t, self._written.get(kind, 0))
                out.append(row)
            return out

    def due(self, at: int) -> list[Row | RedactionRow]:
        """What is to be written although no row came: beginnings and ends up to `at`, which is not after any row still
        to come. For the writer's tick, so that a kill finds the mark in the file."""
        with self._lock:
            return self._due(at)

    def end(self, at: int) -> list[RedactionRow]:
        """The rows that close what is still hidden when the recording ends."""
        with self._lock:
            for span in self._spans:
                if span.until is None or span.until > at:
                    span.until = max(at, span.reached)
            self._spans = [s for s in self._spans if s.told or (s.until or 0) > s.since]
            if self._window is not None:
                self._window = None
                self.hidden += 1
            last = max([at, *(span.until or 0 for span in self._spans)])
            return [row for row in self._due(last) if isinstance(row, RedactionRow)]

    def reckon(self, handed: int, written: int) -> str | None:
        """None where each of the `handed` rows was written (`written` counts `redaction` rows too) or hidden; else the
        sentence that says so, without a number where numbers would tell how much was hidden."""
        with self._lock:
            kept = written - self.added
            if handed == kept + self.hidden:
                return None
            if self.hidden:
                return "Some events were taken and not written."
            return f"{handed} events were taken and {kept} written."

    def _due(self, t: int) -> _Out:
        """Beginnings and ends up to `t` that were not told yet, in the order of their times."""
        marks: list[tuple[int, RedactionRow]] = []
        for span in self._spans:
            if not span.told and span.since <= t:
                span.told = True
                if not any(s.told and not s.closed and s.reason == span.reason for s in self._spans if s is not span):
                    self.episodes[span.reason] = self.episodes.get(span.reason, 0) + 1
                marks.append((span.since, self._mark(span, span.since)))
            if span.told and not span.closed and span.until is not None and span.until <= t:
                span.closed = True
                marks.append((span.until, self._mark(span, span.until)))
        if not marks:
            return []
        marks.sort(key=lambda mark: mark[0])  # stable: a span begins before it ends
        self.added += len(marks)
        out: _Out = [row for _, row in marks]
        if self._window is not None and not any(span.hides("window", t) for span in self._spans):
            out.append(msgspec.structs.replace(self._window, t=max(self._window.t, marks[-1][0])))
            self._window = None
        self._spans = [s for s in self._spans if not s.closed or (s.until or 0) > t - REMEMBER_NS]
        return out

    def _mark(self, span: _Span, t: int) -> RedactionRow:
        return RedactionRow(seq=UNNUMBERED, t=t, since=span.since, reason=span.reason, kinds=sorted(span.kinds))

    def _covered(self, kind: str, t: int) -> bool:
        """Whether a span hides rows of this kind and time."""
        found = [span for span in self._spans if span.hides(kind, t)]
        for span in found:
            span.reached = max(span.reached, t)
        return bool(found)

    def _is_hidden(self, row: Row, covered: bool) -> bool:
        match row:
            case KeyRow(pressed=True, repeat=True) if (name := _name(row)) in self._held:
                return covered or self._held[name]
            case KeyRow(pressed=True) | ButtonRow(pressed=True):
                self._held[_name(row)] = covered
                return covered
            case KeyRow() | ButtonRow():
                return self._held.pop(_name(row), covered)  # pressed before the recording: as its release falls
        return covered


def _name(row: KeyRow | ButtonRow) -> str:
    """What is held down: a physical key, or a key by its name, or a button."""
    if isinstance(row, ButtonRow):
        return f"button {row.button}"
    return f"key {row.key}" if row.code is None else f"code {row.code}"
