"""The terminal of the person who records: questions, and one line that is written again and again in place.

Everything goes to stderr, so that stdout holds results alone. Nothing here needs a terminal: without one there are no
questions, and the status line is not shown.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO

from curate.model.printed import printable, printable_lines

POLL_S = 0.1
TITLE_MAX = 100
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]?|O.|.)?", re.DOTALL)
"""What a terminal sends for keys that type nothing."""


class NobodyThereError(Exception):
    """The terminal was closed (or its input ended) while something was asked."""


class Terminal:
    """`interactive`: somebody can be asked. `visible`: somebody may read along."""

    def __init__(self, keyboard: TextIO | None = None, screen: TextIO | None = None, quiet: bool = False) -> None:
        self._in: TextIO | None = keyboard if keyboard is not None else sys.stdin
        self._out: TextIO = screen if screen is not None else sys.stderr
        self.visible = _is_terminal(self._out)
        self.interactive = self.visible and _is_terminal(self._in)
        self.quiet = quiet
        self._shown = 0  # width of the status line on the screen

    def say(self, text: str = "") -> None:
        """A message. Whatever status line is there gives way to it."""
        if not self.quiet:
            self.show(text)

    def show(self, text: str) -> None:
        """A text that is shown even where messages are not wanted (-q), because something is asked about it. Long
        lines are broken between words."""
        width = min(100, max(30, shutil.get_terminal_size().columns - 1))
        lines = [
            textwrap.fill(line, width, subsequent_indent=_indent(line), break_long_words=False, break_on_hyphens=False)
            for line in printable_lines(text).removesuffix("\n").split("\n")
        ]
        self._write(self._cleared() + "".join(f"{line}\n" for line in lines))

    def status(self, line: str) -> None:
        """Write the one line in place of what it said before; cut to the terminal's width."""
        if self.visible and not self.quiet:
            line = printable(line)[: max(20, shutil.get_terminal_size().columns - 1)]
            self._write(f"\r{line}{' ' * (self._shown - len(line))}")
            self._shown = len(line)

    def bell(self) -> None:
        """A sound, where the terminal makes one: heard also when its window cannot be seen."""
        if self.visible and not self.quiet:
            self._write("\a")

    def title(self, text: str) -> None:
        """The window's title and the name of its icon, which task bars show."""
        if self._has_title:
            self._write(f"\033]0;{printable(text, TITLE_MAX)}\a")

    @contextlib.contextmanager
    def title_put_back(self, left_over: bool = False) -> Iterator[None]:
        """Afterwards the title is again what it was (where the terminal remembers it: xterm's stack of titles).
        `left_over`: what it is now is of a recorder that could not do so."""
        if self._has_title:
            self._write("\033[23;0t\033[22;0t" if left_over else "\033[22;0t")
        try:
            yield
        finally:
            if self._has_title:
                self._write("\033[23;0t")

    @property
    def _has_title(self) -> bool:
        has_window = os.name != "nt" and os.environ.get("TERM", "dumb") not in ("dumb", "linux")
        return self.visible and not self.quiet and has_window

    def choose(self, question: str, answers: Mapping[str, str], enter: str | None = None) -> str:
        """Ask until one of `answers` is given (each may be cut to its first letter, or more); `enter`: what an empty
        line means, None: nothing. The value of the answer. Raises NobodyThereError."""
        while True:
            said = self.ask(question).casefold()
            if not said and enter is not None:
                return enter
            fitting = {value for name, value in answers.items() if said and name.startswith(said)}
            if len(fitting) == 1:
                return fitting.pop()
            self.show(f"Please type {', '.join(answers)}{' or just Enter' if enter is not None else ''}.")

    def ask(self, question: str) -> str:
        """One line of an answer, without blanks around it. Raises NobodyThereError."""
        self._write(f"{self._cleared()}{printable_lines(question)} ")
        try:
            line = self._in.readline() if self._in is not None else ""
        except (OSError, ValueError) as error:
            raise NobodyThereError from error
        if not line:
            raise NobodyThereError
        return line.strip()

    def wait_for_enter(self, question: str, otherwise: Callable[[], bool]) -> str | None:
        """Ask, and give up as soon as `otherwise` is true (then None): by a shortcut pressed elsewhere. Raises
        NobodyThereError."""
        with self.no_echo() as silent:  # a shortcut pressed here would show as ^[[1;7F
            self._write(f"{self._cleared()}{printable_lines(question)} ")
            typed = ""
            while True:
                if otherwise():
                    self._write("\n")
                    return None
                if not self._something_is_typed():
                    continue
                if not silent:
                    return self._answer_typed()
                typed, done = self._take_typed(typed)
                if done:
                    return typed.strip()

    def _take_typed(self, before: str) -> tuple[str, bool]:
        """The line so far and whether Enter ended it; echoed here, without the sequences that other keys send."""
        try:
            raw = os.read(self._in.fileno(), 1024) if self._in is not None else b""
        except OSError as error:
            raise NobodyThereError from error
        if not raw or b"\x04" in raw:  # the terminal is gone, or Ctrl-D
            raise NobodyThereError
        line = before
        for char in _SEQUENCE.sub("", raw.decode("utf-8", errors="ignore")):
            if char in "\r\n":
                self._write("\n")
                return line, True
            if char in "\b\x7f" and line:
                line = line[:-1]
                self._write("\b \b")
            elif char.isprintable():
                line += char
                self._write(char)
        return line, False

    def _answer_typed(self) -> str:
        line = self._in.readline() if self._in is not None else ""
        if not line:
            raise NobodyThereError
        return line.strip()

    def _something_is_typed(self) -> bool:
        """Wait POLL_S for something to be typed."""
        if os.name == "nt":  # a console cannot be waited for; a key that was pressed begins the line
            import msvcrt

            time.sleep(POLL_S)
            return bool(msvcrt.kbhit())  # type: ignore[attr-defined]
        return self._in is None or bool(select.select([self._in], [], [], POLL_S)[0])

    def forget_typed(self) -> None:
        """What was typed here until now answers nothing that is asked next."""
        if not self.interactive or self._in is None:
            return
        if os.name == "nt":
            import msvcrt

            while msvcrt.kbhit():  # type: ignore[attr-defined]
                msvcrt.getwch()  # type: ignore[attr-defined]
            return
        import termios

        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._in.fileno(), termios.TCIFLUSH)

    @contextlib.contextmanager
    def no_echo(self) -> Iterator[bool]:
        """While this lasts, what is typed here does not show (it would tear the status line) and comes key by key.
        False: that cannot be had."""
        if not self.interactive or self._in is None or os.name == "nt":
            yield False
            return
        import termios

        try:
            number = self._in.fileno()
            before = termios.tcgetattr(number)
            silent = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
            termios.tcsetattr(number, termios.TCSADRAIN, silent)
        except (OSError, termios.error):
            yield False
            return
        try:
            yield True
        finally:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(number, termios.TCSADRAIN, before)

    def _cleared(self) -> str:
        shown, self._shown = self._shown, 0
        return f"\r{' ' * shown}\r" if shown else ""

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except UnicodeEncodeError:  # a console of another code page
            encoding = self._out.encoding or "ascii"
            with contextlib.suppress(OSError, ValueError):
                self._out.write(text.encode(encoding, "replace").decode(encoding))
                self._out.flush()
        except (OSError, ValueError):
            self.visible = self.interactive = False  # the terminal is gone: recording goes on


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False
