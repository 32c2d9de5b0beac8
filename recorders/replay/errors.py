"""Errors of a replay that a user meets."""

from __future__ import annotations

from curate.model.errors import CurateError


class ReplayError(CurateError):
    """Why nothing is performed here, and what to do about it (exit code 1)."""


class NotPerformableError(ValueError):
    """Why one action cannot be performed, as the end of a sentence about it."""


class WrongWindowError(Exception):
    """Why a step is not performed: another program is where its own was, as a sentence."""


class StoppedError(Exception):
    """The person pressed Escape."""
