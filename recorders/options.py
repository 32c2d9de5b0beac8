"""How a recording is made."""

from __future__ import annotations

import math

import msgspec

from curate.model.constants import RECORDING_FPS
from curate.model.errors import UsageError
from curate.store.recording import Consent
from recorders.control.chords import Chords
from recorders.privacy.exclusions import Exclusions


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """`fps`: most pictures a second. `seconds`: when to stop by itself. `name`: the folder's name (its random id where
    None). `actor`: a pseudonym. `task`: the task's id in its list. `discard_at_once`: the discard shortcut ends the
    recording when pressed once (somebody is asked then), else it must be pressed twice."""

    fps: float = RECORDING_FPS
    seconds: float | None = None
    name: str | None = None
    actor: str | None = None
    task: str | None = None
    chords: Chords = Chords()
    exclusions: Exclusions = Exclusions()
    clipboard: bool = False
    accessibility: bool = True
    consent: Consent | None = None
    discard_at_once: bool = False


FPS_MOST = 60.0
_SEPARATORS = ("/", "\\", ":", "\0")


def check_options(instruction: str, options: Options) -> None:
    """Raises UsageError for a task that says nothing, a rate, length or name that is none."""
    if not instruction.strip():
        raise UsageError("The task is empty: say what is going to be done.")
    if not 0 < options.fps <= FPS_MOST:  # nan is not either
        raise UsageError(f"{options.fps:g} pictures a second cannot be taken: choose a rate up to {FPS_MOST:g}.")
    if options.seconds is not None and not (options.seconds > 0 and math.isfinite(options.seconds)):
        raise UsageError(f"A recording cannot last {options.seconds:g} seconds: choose a number above 0.")
    name = options.name
    if name is not None and (name.strip(" .") == "" or any(sign in name for sign in _SEPARATORS)):
        raise UsageError(f"{name!r} is no name for a folder: write one without slashes, backslashes and colons.")
