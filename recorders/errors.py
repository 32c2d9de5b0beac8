"""Why something of the recorder cannot be done."""

from __future__ import annotations

from curate.model.errors import CurateError


class RecorderError(CurateError):
    """Why nothing can be recorded here, and what to do about it (exit code 1)."""


def why(error: Exception) -> str:
    """What an error of a library says, as a part of a sentence: its kind and text. Those of X say nothing at all where
    the server has gone."""
    text = str(error).strip().rstrip(".")
    if text:
        return f"{type(error).__name__}: {text}"
    return "no answer came" if isinstance(error, AssertionError) else type(error).__name__
