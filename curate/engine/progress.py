"""What a run tells while it works: phases with a total. On a terminal a bar, else a plain line now and then."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

_EVERY_S = 10.0  # between plain lines


class Tells(Protocol):
    """What `engine.run` calls."""

    def phase(self, name: str, total: int) -> None:
        """Work of `total` pieces begins."""
        ...

    def advance(self, pieces: int = 1) -> None:
        """Pieces are done."""
        ...


class Silent:
    """Tells nothing."""

    def phase(self, name: str, total: int) -> None:
        pass

    def advance(self, pieces: int = 1) -> None:
        pass


class Lines:
    """A plain line when a phase begins, and every ten seconds within it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._name, self._total, self._done, self._last = "", 0, 0, 0.0

    def phase(self, name: str, total: int) -> None:
        self._name, self._total, self._done, self._last = name, total, 0, time.monotonic()
        print(f"{name}: {total:,} to do" if total else name, file=self._stream, flush=True)

    def advance(self, pieces: int = 1) -> None:
        self._done += pieces
        if time.monotonic() - self._last >= _EVERY_S:
            self._last = time.monotonic()
            print(f"{self._name}: {self._done:,} of {self._total:,}", file=self._stream, flush=True)


class Bar:
    """A bar for the phase at work, gone at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._progress = Progress(
            TextColumn("{task.description:24}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=Console(file=stream), transient=True,
        )  # fmt: skip
        self._task: TaskID | None = None

    def phase(self, name: str, total: int) -> None:
        if self._task is None:
            self._progress.start()
        else:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(name, total=total or None)

    def advance(self, pieces: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, pieces)

    def close(self) -> None:
        self._progress.stop()


class Shown:
    """`with Shown(quiet) as progress`: the way of telling that fits stderr."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._bar: Bar | None = None
        self._terminal: TextIO = sys.stderr

    def __enter__(self) -> Tells:
        if self._quiet:
            return Silent()
        if not sys.stderr.isatty():
            return Lines(sys.stderr)
        self._terminal = _own_way(sys.stderr)
        self._bar = Bar(self._terminal)
        return self._bar

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
            if self._terminal is not sys.stderr:
                self._terminal.close()


def _own_way(stream: TextIO) -> TextIO:
    """The same terminal by a file of its own: the bar is drawn from another thread, also while standard error leads
    nowhere for a decoder's sake (`store.decoding`)."""
    try:
        return os.fdopen(os.dup(stream.fileno()), "w", encoding=stream.encoding, errors="backslashreplace")
    except (OSError, ValueError):
        return stream
