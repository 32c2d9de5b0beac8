"""Replay: the actions of a record performed on this desktop with PyAutoGUI. Read `perform.py` first.

plan.py          a record's steps as what can be performed here; what cannot, before anything is done
windows.py       whether a step is done to the program it was recorded in: x11_windows.py
terminal.py      the terminal that runs it: put away, and nothing left typed into it
perform.py       the steps one after another: pace, abort, everything let go of at the end
acts.py          each action as PyAutoGUI's calls
pace.py          when each step begins
text.py          which characters go by keys, which through the clipboard
units.py         what a wheel's notch is to PyAutoGUI on each platform
escape.py        the person's Escape, told from ours
machine.py       PyAutoGUI with its traps mended: x11_fixes.py, x11_keyboard.py, plain_keyboard.py, mac_mouse.py
clipboard.py     text through the clipboard, which gets back what it held
"""

from __future__ import annotations

from curate.model.performed import CannotPerform, Performed
from recorders.replay.errors import ReplayError
from recorders.replay.perform import Options, perform
from recorders.replay.plan import Plan, plan

__all__ = ["CannotPerform", "Options", "Performed", "Plan", "ReplayError", "perform", "plan"]
