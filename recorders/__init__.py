"""The desktop recorder: `record` makes one recording; `Session` is the same in steps."""

from __future__ import annotations

from curate.store.recording import Outcome
from recorders.events.base import RecorderError
from recorders.session import Options, Session, record

__all__ = ["Options", "Outcome", "RecorderError", "Session", "record"]
