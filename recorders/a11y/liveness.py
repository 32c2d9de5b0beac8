"""Whether the reader can still tell a password field from another: pure rules, without a clock of their own.

Every press and key that is told to it, it answers at once. What it has not answered yet is held back from the file for
a while; then, or when its process ends, where keys go is not known, until it has said so on being asked."""

from __future__ import annotations

from collections import deque

import msgspec

from curate.model.constants import NS_PER_S

PATIENCE_NS = NS_PER_S * 4 // 10  # for an answer: measured at most 0.06 s, also with five times as much work as cores
HUNG_NS = 5 * NS_PER_S  # a process that has not answered for so long is ended, and started again


class _Told(msgspec.Struct, frozen=True):
    t: int
    sent: int


class Liveness:
    """Of one recording's reader. Not safe for threads: its owner has a lock.

    `question`: the number of the question that waits for its answer; 0 while it is known where keys go."""

    def __init__(self) -> None:
        self._waiting: deque[_Told] = deque()
        self._answered = 0
        self._asked = 0
        self.question = 0

    def begin(self) -> None:
        """A new process: what the one before did not answer is never answered."""
        self._waiting.clear()
        self._answered = 0

    def told(self, t: int, now: int) -> None:
        """It was told of a press or key of time `t`."""
        self._waiting.append(_Told(t, now))

    def answered(self, count: int) -> None:
        """This process has answered so many of what it was told."""
        for _ in range(min(count - self._answered, len(self._waiting))):
            self._waiting.popleft()
        self._answered = max(count, self._answered)

    def lose(self) -> int:
        """It is not known any more; the number of the question that must be asked now."""
        self._asked += 1
        self.question = self._asked
        return self.question

    def find(self, answers: int) -> bool:
        """An answer to this question came; whether it is the one that was waited for."""
        if not self.question or answers != self.question:
            return False
        self.question = 0
        return True

    @property
    def first_unanswered(self) -> int | None:
        """The time of the earliest press or key that was not answered."""
        return min((told.t for told in self._waiting), default=None)

    def waited(self, now: int) -> int:
        """How long an answer has been waited for; 0 where none is due."""
        return now - self._waiting[0].sent if self._waiting else 0
