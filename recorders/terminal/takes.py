"""Recording one task after the other: ask, record, say how it went, ask what becomes of it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from curate.model.printed import printable
from curate.store.recording import Outcome
from recorders.a11y.beforehand import Beforehand, switched_on
from recorders.backends import find_own_window
from recorders.control.chords import shown
from recorders.control.signals import stop_signals
from recorders.control.status import Progress, status_line
from recorders.options import Options
from recorders.own_window.base import OwnWindow
from recorders.session import Session
from recorders.terminal.in_force import options_told, passwords_told
from recorders.terminal.meanwhile import heard_meanwhile
from recorders.terminal.questions import After, Before, ask_keep, ask_outcome, ask_start, keys_table
from recorders.terminal.summary import Taken, summary
from recorders.terminal.tasks import Task
from recorders.terminal.terminal import NobodyThereError, Terminal

COUNTDOWN_S = 3
TITLES = ("recording: ", "PAUSED: ", "NOT RECORDING: ", "curate record")
"""How titles begin that a recorder gives its terminal; one that was killed leaves it there."""


class RecordingPlan(msgspec.Struct, kw_only=True):
    """What is recorded how. `outcome`: said beforehand, so it is not asked. `keep_terminal`: the terminal is a window
    like any other. `total`: tasks of the list, those that are recorded already among them; 0 without a list."""

    out: Path
    tasks: list[Task]
    options: Options
    total: int = 0
    outcome: Outcome | None = None
    keep_terminal: bool = False


def record_tasks(plan: RecordingPlan, terminal: Terminal, tell: Callable[[Taken], None]) -> None:
    """Record; `tell` hears of each recording as soon as it is decided what becomes of it. Raises RecorderError and
    StoreError where it cannot go on, KeyboardInterrupt for Ctrl-C at a question; what was recorded until then is
    whole, and kept."""
    own = None if plan.keep_terminal else find_own_window()
    if own is None and not plan.keep_terminal and terminal.interactive and not os.environ.get("SSH_CONNECTION"):
        terminal.say("This terminal's window could not be found: if it is on this screen, it will be in the pictures.")
    if terminal.visible and plan.tasks:
        for line in ["While recording:", *keys_table(plan.options.chords), *options_told(plan.options), ""]:
            terminal.say(line)
    reading = switched_on() if plan.options.accessibility and plan.tasks else contextlib.nullcontext()
    left_over = own is not None and (own.title or "").startswith(TITLES)
    with terminal.title_put_back(left_over), reading as beforehand:
        _TaskAfterTask(plan, terminal, own, beforehand, tell).run()
    terminal.forget_typed()  # shortcuts of the recorder's are no commands for the shell


class _TaskAfterTask:
    def __init__(
        self,
        plan: RecordingPlan,
        terminal: Terminal,
        own: OwnWindow | None,
        beforehand: Beforehand | None,
        tell: Callable[[Taken], None],
    ) -> None:
        self._plan, self._terminal, self._own, self._beforehand, self._tell = plan, terminal, own, beforehand, tell

    def run(self) -> None:
        plan = self._plan
        done = plan.total - len(plan.tasks)
        for number, task in enumerate(plan.tasks, start=done + 1):
            if not self._record(task, f"{number} of {plan.total}" if plan.total else ""):
                left = plan.total - number + (self._left_open if plan.total else 0)
                if plan.total and left > 0:
                    tasks = "task is" if left == 1 else "tasks are"
                    self._terminal.say(f"{left} {tasks} left; the same command goes on with them.")
                return

    def _record(self, task: Task, place: str) -> bool:
        """One task, as often as the person wants; whether to go on with the next."""
        earlier: list[_Take] = []  # each stays until another one is kept
        self._left_open = 1
        try:
            while True:
                choice = self._begin(task, place)
                if choice != "start":
                    return choice == "skip"
                take = _Take(self._plan, task, self._terminal, self._own)
                fate = take.run(self._tell)
                if fate == "again":
                    earlier.append(take)
                elif fate == "keep":
                    self._left_open = 0
                    while earlier:
                        earlier.pop().replaced(self._tell)
                if take.alone or (fate == "called off" and not self._terminal.interactive):
                    return False
                if fate in ("keep", "throw away"):
                    return True
        finally:
            for take in earlier:
                self._left_open = 0
                self._terminal.say(f"The recording from before stays: {printable(str(take.taken.folder))}")
                self._tell(take.taken)

    def _begin(self, task: Task, place: str) -> Before:
        """Whether to record this task now."""
        terminal, plan = self._terminal, self._plan
        told = passwords_told(self._beforehand, self._own.ids if self._own else (), plan.options)
        if told:
            terminal.say(told)
            terminal.say()
        if not terminal.interactive:
            return "start"
        terminal.title(f"curate record: {task.instruction}")
        try:
            return ask_start(terminal, task.instruction, place, plan.options.chords)
        except NobodyThereError:
            return "quit"


class _Take:
    """One recording of one task. `taken`: once it has ended."""

    def __init__(self, plan: RecordingPlan, task: Task, terminal: Terminal, own: OwnWindow | None) -> None:
        options = msgspec.structs.replace(plan.options, task=task.id, discard_at_once=terminal.interactive)
        self._plan, self._task, self._terminal, self._own = plan, task, terminal, own
        self._session = Session(plan.out, task.instruction, options, own)
        self._told = (False, False)
        self.alone = False  # nobody is there any more: the terminal was closed, or the process is to end
        self.taken: Taken

    def run(self, tell: Callable[[Taken], None]) -> After | Literal["called off"]:
        """Record, and ask what becomes of it; `tell` hears of it unless it is to be recorded again."""
        terminal, session = self._terminal, self._session
        if session.warning:
            terminal.say(session.warning)
        with stop_signals(session.interrupt) as received, terminal.no_echo():
            with heard_meanwhile(self._plan.options.chords) as meanwhile:
                if not self._announce(lambda: meanwhile.stopped or session.interrupted):
                    session.call_off()
                    self.alone = received.told_to_end
                    terminal.say("Called off: nothing was recorded.")
                    terminal.say()
                    return "called off"
                session.start()
            if meanwhile.stopped:
                session.interrupt()
            missed = meanwhile.told(session.listening_since)
            session.info.notes += [missed] if missed else []
            terminal.title(f"recording: {self._task.instruction}")
            terminal.bell()
            reason = session.wait(self._show)
            length = session.status()
            session.stop(reason, self._plan.outcome)
            self.alone = received.told_to_end
        terminal.title("curate record")
        self.taken = Taken(
            folder=session.folder, info=session.info, seconds=length.seconds, size=session.size(), hidden=session.hidden
        )
        for line in ["", *summary(self.taken), ""] if terminal.interactive else summary(self.taken):
            terminal.say(line)
        return self._decide(reason == "discard", tell)

    def _decide(self, discarding: bool, tell: Callable[[Taken], None]) -> After:
        fate: After = "keep"
        try:
            fate = self._ask(discarding)
            if fate in ("throw away", "once more"):
                self._session.throw_away()
                self.taken.kept = False
                self._terminal.say("Thrown away; once more." if fate == "once more" else "Thrown away.")
        finally:  # Ctrl-C at a question keeps it
            if fate != "again":
                tell(self.taken)
            if self._terminal.interactive:
                self._terminal.say()
        return fate

    def replaced(self, tell: Callable[[Taken], None]) -> None:
        """Another recording of the task was kept in place of this one."""
        self._session.throw_away()
        self.taken.kept = False
        self._terminal.say(f"The one from before is thrown away: {printable(str(self.taken.folder))}")
        tell(self.taken)

    def _ask(self, discarding: bool) -> After:
        """How it ended and what becomes of it."""
        terminal = self._terminal
        if not terminal.interactive or self.alone:
            return "throw away" if discarding else "keep"
        terminal.forget_typed()
        try:
            if not discarding and self._plan.outcome is None:
                terminal.show(f"Task: {printable(self._task.instruction)}")
                outcome = ask_outcome(terminal)
                if outcome is not None:
                    self._session.judge(outcome)
            return ask_keep(terminal, discarding)
        except NobodyThereError:
            self.alone = True
            return "keep"

    def _announce(self, called_off: Callable[[], bool]) -> bool:
        """Say that this window goes away and when recording begins, while there is time to read it, here and above all
        windows. False: it was called off meanwhile."""
        keys = shown(self._plan.options.chords.stop)
        if self._terminal.visible and self._own is not None:
            for left in range(COUNTDOWN_S, 0, -1):
                self._terminal.status(
                    f"This window goes away, and recording begins in {left} ... ({keys} calls it off)"
                )
                self._session.announce(f"Recording begins in {left} ...   {keys} calls it off")
                until = time.monotonic() + 1
                while time.monotonic() < until:
                    if called_off():
                        return False
                    time.sleep(0.05)
        if self._terminal.visible:
            self._session.announce("Not yet recording: it begins when this goes away")
        self._terminal.status("Starting ...")
        return not called_off()

    def _show(self, status: Progress) -> None:
        now = status.paused, status.private
        if now != self._told:
            self._told = now
            self._terminal.bell()
            state = "PAUSED" if status.paused else "NOT RECORDING" if status.private else "recording"
            self._terminal.title(f"{state}: {self._task.instruction}")
        self._terminal.status(status_line(status))
