"""Recording one task after the other: ask, record, say how it went, ask what becomes of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from curate.store.recording import Outcome
from recorders.backends import find_own_window
from recorders.control.signals import stop_signals
from recorders.control.status import Progress, status_line
from recorders.options import Options
from recorders.own_window.base import OwnWindow
from recorders.session import Session
from recorders.terminal.questions import After, Before, ask_keep, ask_outcome, ask_start, keys_table
from recorders.terminal.summary import Taken, summary
from recorders.terminal.tasks import Task
from recorders.terminal.terminal import NobodyThereError, Terminal

COUNTDOWN_S = 3


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
    done = plan.total - len(plan.tasks)
    if terminal.visible and plan.tasks:
        for line in ["While recording:", *keys_table(plan.options.chords), ""]:
            terminal.say(line)
    for number, task in enumerate(plan.tasks, start=done + 1):
        again = True
        while again:
            choice = _begin(plan, terminal, task, f"{number} of {plan.total}" if plan.total else "")
            if choice == "quit":
                return
            if choice == "skip":
                break
            take = _Take(plan, task, terminal, own)
            again = take.run(tell)
            if take.alone:
                return


def _begin(plan: RecordingPlan, terminal: Terminal, task: Task, place: str) -> Before:
    """Whether to record this task now."""
    if not terminal.interactive:
        return "start"
    try:
        return ask_start(terminal, task.instruction, place, plan.options.chords)
    except NobodyThereError:
        return "quit"


class _Take:
    """One recording of one task."""

    def __init__(self, plan: RecordingPlan, task: Task, terminal: Terminal, own: OwnWindow | None) -> None:
        options = msgspec.structs.replace(plan.options, task=task.id, discard_at_once=terminal.interactive)
        self._plan, self._terminal, self._own = plan, terminal, own
        self._session = Session(plan.out, task.instruction, options, own)
        self._told = (False, False)
        self.alone = False  # nobody is there any more: the terminal was closed, or the process is to end

    def run(self, tell: Callable[[Taken], None]) -> bool:
        """Record, and ask what becomes of it. Whether to record the task again."""
        terminal, session = self._terminal, self._session
        if session.warning:
            terminal.say(session.warning)
        self._announce()
        with stop_signals(session.interrupt) as received, terminal.no_echo():
            session.start()
            terminal.title("recording")
            terminal.bell()
            reason = session.wait(self._tell)
            length = session.status()
            session.stop(reason, self._plan.outcome)
            self.alone = received.told_to_end
        terminal.title("curate record")
        taken = Taken(folder=session.folder, info=session.info, seconds=length.seconds, size=session.size())
        for line in ["", *summary(taken), ""] if terminal.interactive else summary(taken):
            terminal.say(line)
        fate = "keep"
        try:
            fate = self._ask(reason == "discard")
            if fate != "keep":
                session.throw_away()
                taken.kept = False
                terminal.say("Thrown away; once more." if fate == "again" else "Thrown away.")
        finally:  # Ctrl-C at a question keeps it
            tell(taken)
            if terminal.interactive:
                terminal.say()
        return fate == "again"

    def _ask(self, discarding: bool) -> After:
        """How it ended and what becomes of it."""
        terminal = self._terminal
        if not terminal.interactive or self.alone:
            return "throw away" if discarding else "keep"
        terminal.forget_typed()
        try:
            if not discarding and self._plan.outcome is None:
                outcome = ask_outcome(terminal)
                if outcome is not None:
                    self._session.judge(outcome)
            return ask_keep(terminal, discarding)
        except NobodyThereError:
            self.alone = True
            return "keep"

    def _announce(self) -> None:
        """That this window goes away, while there is time to read it."""
        if self._terminal.visible and self._own is not None:
            for left in range(COUNTDOWN_S, 0, -1):
                self._terminal.status(f"This window goes away, and recording begins in {left} ...")
                time.sleep(1)
        self._terminal.status("Starting ...")

    def _tell(self, status: Progress) -> None:
        now = status.paused, status.private
        if now != self._told:
            self._told = now
            self._terminal.bell()
            self._terminal.title("PAUSED" if status.paused else "NOT RECORDING" if status.private else "recording")
        self._terminal.status(status_line(status))
