"""What each row is told to before it is written: the reader of accessibility and the areas that are excluded hear of
it, and windows get the names they may have in a recording."""

from __future__ import annotations

import msgspec

from curate.store.recording import ButtonRow, ClipboardRow, KeyRow, MoveRow, ScrollRow, WindowRow
from recorders.a11y.reader import Focus, Reader
from recorders.control.chords import MODIFIERS, without_side
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.gate import PASSWORD_KINDS, Gate
from recorders.privacy.hidden_input import HiddenInput
from recorders.privacy.names import Scrub
from recorders.rows import Row

_MOVES_FOCUS = frozenset({"tab", "enter", "esc", "f6", "f10", "menu"})
_SILENT = MODIFIERS | {"alt_gr", "caps_lock", "num_lock"}


class Listeners:
    """`row` for every row in the order it comes, from any thread. `reader` and `hidden` are None where there is
    none."""

    def __init__(
        self, reader: Reader | None, hidden: HiddenInput | None, exclusions: Exclusions, scrub: Scrub, gate: Gate
    ) -> None:
        self._reader, self._hidden = reader, hidden
        self._exclusions, self._scrub, self._gate = exclusions, scrub, gate
        self._held: set[str] = set()

    def row(self, row: Row) -> Row:
        """Tell of a row; the row as it may be written."""
        if isinstance(row, MoveRow | ButtonRow | ScrollRow) and self._hidden is not None:
            self._hidden.pointer(row.t, row.x, row.y)
        if isinstance(row, WindowRow):
            return self._window(row)
        if isinstance(row, ClipboardRow):
            return msgspec.structs.replace(row, text=self._scrub(row.text))
        if self._reader is not None:
            if isinstance(row, ButtonRow) and row.pressed:
                self._reader.pressed(row.t, row.x, row.y)
            elif isinstance(row, ScrollRow):
                self._reader.scrolled(row.t)
            elif isinstance(row, KeyRow):
                self._key(self._reader, row)
        return row

    def focus(self, focus: Focus) -> None:
        """Keys go somewhere else: what is typed into a password field is kept out, and what may be."""
        if not focus.known:
            self._gate.hide("unknown_focus", focus.since, PASSWORD_KINDS)
            return
        if focus.password:
            self._gate.hide("password", focus.since, PASSWORD_KINDS)
        else:
            self._gate.show("password", focus.since)
        if focus.answers:
            self._gate.show("unknown_focus", focus.t)

    def _window(self, row: WindowRow) -> WindowRow:
        hidden = row.hidden or (not row.own and self._exclusions.hides(row.app, row.title))
        if self._reader is not None:
            self._reader.front(row.t, row.app, row.title, own=row.own, hidden=hidden)
        if hidden:
            return WindowRow(seq=row.seq, t=row.t, hidden=True)
        return msgspec.structs.replace(row, title=self._scrub(row.title))

    def _key(self, reader: Reader, row: KeyRow) -> None:
        name = without_side(row.key)
        (self._held.add if row.pressed else self._held.discard)(name)
        if not row.pressed or name in _SILENT:
            return
        if name in _MOVES_FOCUS or self._held & {"alt", "ctrl", "cmd"}:
            reader.moved_focus(row.t)
        else:
            reader.typed(row.t)
