"""How a recording is made."""

from __future__ import annotations

import msgspec

from curate.model.constants import RECORDING_FPS
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
