"""What a process said on standard error before it ended: kept for the note that says that it did."""

from __future__ import annotations

import re
from collections import deque
from typing import BinaryIO

LINES, LINE_BYTES = 40, 400
_PLACE = re.compile(r'^\s*File ".*?([^/\\"]+)", line (\d+)')
_ERROR = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Group|Warning|Iteration))\b")


class LastWords:
    """`listen` to its end, in a thread; then `sentence`."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=LINES)

    def listen(self, pipe: BinaryIO) -> None:
        """Keep the last lines until the process closes the pipe."""
        while line := pipe.readline(LINE_BYTES):
            if text := line.decode("utf-8", errors="replace").strip("\r\n"):
                self._lines.append(text)
        pipe.close()

    @property
    def sentence(self) -> str:
        """` (IndexError in reading_loop.py, line 244)`, the last line of what is no traceback, or nothing. The text of
        an error is left out: it may hold what was on the screen."""
        place = error = None
        for line in self._lines:
            if found := _PLACE.match(line):
                place = f"{found[1]}, line {found[2]}"
            elif found := _ERROR.match(line):
                error = found[1]
        if error is not None:
            return f" ({error} in {place})" if place else f" ({error})"
        return f" (it said: {self._lines[-1][:120]})" if self._lines and place is None else ""
