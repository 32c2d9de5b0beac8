"""The clipboard's text as it changes, where the person asked for that. X11 tells of changes (XFIXES), and whoever owns
the clipboard hands its text over on request; Windows and macOS are asked by pyperclip, which is here for replay."""

from __future__ import annotations

import contextlib
import importlib
import select
import threading
import time
from typing import Any, Protocol

from curate.store.recording import ClipboardRow
from recorders.errors import RecorderError
from recorders.rows import UNNUMBERED, Sink
from recorders.x11 import close, connect, measure_clock, need, root_of

MAX_TEXT = 100_000
"""Characters; a longer text is told as null: it is rather a document than something that is pasted in a task."""
POLL_S = 0.5
_ANSWER_S = 2.0  # how long an owner may take to hand its text over


class ClipboardWatch(Protocol):
    """Reports each new content as a ClipboardRow, the present one not."""

    def start(self, sink: Sink) -> None:
        """Returns when changes are being reported. Raises RecorderError where they cannot be."""
        ...

    def stop(self) -> None:
        """End reporting."""
        ...


def kept(text: str | None) -> str | None:
    """What a row holds of a text: None where it is none, or too long."""
    return text if text is not None and len(text) <= MAX_TEXT else None


class X11ClipboardWatch:
    """CLIPBOARD, not the selection that the middle button pastes. Reading has no effect on other programs but that the
    owner is asked once more for its text. Texts that an owner hands over piece by piece (INCR) are told as null."""

    def start(self, sink: Sink) -> None:
        self._sink, self._stopping = sink, threading.Event()
        self._connection = connect()
        try:
            self._subscribe()
        except BaseException:
            close(self._connection)
            raise
        self._thread = threading.Thread(target=self._watch, name="clipboard", daemon=True)
        self._thread.start()

    def _subscribe(self) -> None:
        import xcffib.xfixes as xfixes
        from xcffib import xproto

        need(self._connection, "XFIXES")
        self._clock = measure_clock(self._connection)
        self._fixes = self._connection(xfixes.key)
        self._fixes.QueryVersion(5, 0).reply()
        self._window = self._connection.generate_id()
        root = root_of(self._connection)
        self._connection.core.CreateWindowChecked(
            0, self._window, root.root, 0, 0, 1, 1, 0, xproto.WindowClass.InputOnly, 0, 0, []
        ).check()
        self._atoms = {name: self._atom(name) for name in ("CLIPBOARD", "UTF8_STRING", "CURATE_CLIPBOARD")}
        self._fixes.SelectSelectionInputChecked(
            self._window, self._atoms["CLIPBOARD"], xfixes.SelectionEventMask.SetSelectionOwner
        ).check()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)
        if not self._thread.is_alive():
            close(self._connection)

    def _watch(self) -> None:
        with contextlib.suppress(Exception):  # a server that is gone is told by the event source
            while not self._stopping.is_set():
                event = self._next(0.2)
                if type(event).__name__ == "SelectionNotifyEvent" and hasattr(event, "selection_timestamp"):
                    now = time.monotonic_ns()
                    t = self._clock.monotonic_ns(event.timestamp, now)
                    text = kept(self._text()) if event.owner else None
                    self._sink(ClipboardRow(seq=UNNUMBERED, t=t, text=text))

    def _next(self, seconds: float) -> Any:
        event = self._connection.poll_for_event()
        if event is None and select.select([self._connection.get_file_descriptor()], [], [], seconds)[0]:
            event = self._connection.poll_for_event()
        return event

    def _text(self) -> str | None:
        """Ask the owner for its text; None where it has none or does not answer."""
        from xcffib import xproto

        target, place = self._atoms["UTF8_STRING"], self._atoms["CURATE_CLIPBOARD"]
        self._connection.core.ConvertSelectionChecked(self._window, self._atoms["CLIPBOARD"], target, place, 0).check()
        end = time.monotonic() + _ANSWER_S
        while time.monotonic() < end and not self._stopping.is_set():
            event = self._next(0.1)
            if isinstance(event, xproto.SelectionNotifyEvent):
                if not event.property:
                    return None
                got = self._connection.core.GetProperty(True, self._window, place, target, 0, MAX_TEXT + 1).reply()
                whole = got.type == target and not got.bytes_after
                return bytes(got.value.buf()).decode("utf-8", "replace") if whole else None
        return None

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)


class PolledClipboardWatch:
    """Asks twice a second (Windows, macOS; untested there)."""

    def start(self, sink: Sink) -> None:
        try:
            pyperclip = importlib.import_module("pyperclip")
        except ImportError as error:
            raise RecorderError("The clipboard cannot be read here: install pyperclip.") from error
        self._paste, self._sink, self._stopping = pyperclip.paste, sink, threading.Event()
        self._last = self._now()
        self._thread = threading.Thread(target=self._watch, name="clipboard", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)

    def _now(self) -> str | None:
        try:
            return str(self._paste())
        except Exception:  # pyperclip raises what its back end raises: another program holds the clipboard open
            return None

    def _watch(self) -> None:
        while not self._stopping.wait(POLL_S):
            text = self._now()
            if text != self._last:
                self._last = text
                self._sink(ClipboardRow(seq=UNNUMBERED, t=time.monotonic_ns(), text=kept(text)))
