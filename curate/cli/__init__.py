"""The command line: one module of this package a command, found by its name, each with a `command` object.

Modules whose names begin with `_` are no commands. `main` is the console script.
"""

from __future__ import annotations

from curate.cli._app import main

__all__ = ["main"]
