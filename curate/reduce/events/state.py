"""What the rules share between two events: the ledger, what is held, and the one action that is still open."""

from __future__ import annotations

from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import KeysDown
from curate.reduce.events.ledger import Draft, Ledger
from curate.reduce.events.modifiers import Modifiers
from curate.reduce.events.mouse import ClickGroup
from curate.reduce.events.shortcuts import Shortcut
from curate.reduce.events.typed_text import CapsLock, TypedText
from curate.reduce.events.wheel import WheelRun

Open = TypedText | Shortcut | ClickGroup | WheelRun
"""An action that the next event may still lengthen."""


class State:
    """See the module."""

    def __init__(self, platform: Platform | None) -> None:
        self.platform = platform
        self.ledger = Ledger()
        self.modifiers = Modifiers(self.ledger, platform)
        self.keys = KeysDown()
        self.caps = CapsLock(told=platform == "macos")
        self.open: Open | None = None

    def forget_keys(self) -> None:
        """Nothing is known of the keyboard, as when a recording begins."""
        self.keys.clear()
        self.modifiers.clear()
        self.modifiers.ctrl_released, self.modifiers.stuck = float("-inf"), False
        self.caps = CapsLock(told=self.platform == "macos")

    def current(self) -> Draft | None:
        """The latest step: the open one, else the last complete one."""
        if self.open is None:
            return self.ledger.last
        return self.open.entries[-1].draft if isinstance(self.open, Shortcut) else self.open.draft

    def finish_open(self) -> None:
        """The open action is complete. Text of which nothing is left is no step."""
        action, self.open = self.open, None
        if isinstance(action, Shortcut):
            for draft in action.finish():
                self.ledger.close(draft)
        elif action is not None:
            done = action.finish()
            if done is not None:
                self.ledger.close(done)
            elif isinstance(action, TypedText):
                action.draft.gone = True
                for index in sorted(action.draft.events):
                    self.ledger.leave_out(index, "reduce.erased_text")
