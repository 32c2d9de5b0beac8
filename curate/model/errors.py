"""Errors that a user meets. Each message is one sentence that says what is wrong, where and what to do; the command
line prints it and leaves with the error's exit code. Anything else that escapes is a fault of the program."""

from __future__ import annotations


class CurateError(Exception):
    """An error that is said in one sentence (exit code 1)."""

    exit_code = 1


class UsageError(CurateError):
    """A wrong command, option, recipe or value (exit code 2)."""

    exit_code = 2


class InputError(CurateError):
    """An input that cannot be read (exit code 3)."""

    exit_code = 3


class GateError(CurateError):
    """A check that must pass before going on did not (exit code 4)."""

    exit_code = 4


class StoreError(CurateError):
    """A file could not be written or read back whole (exit code 1)."""
