"""Why something of the recorder cannot be done."""

from __future__ import annotations

from curate.model.errors import CurateError


class RecorderError(CurateError):
    """Why nothing can be recorded here, and what to do about it (exit code 1)."""
