"""Finds the stages: every module of this package with a `STAGE` object. Adding a stage is adding one file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from curate.stages import base

DEFAULT_ORDER: tuple[str, ...] = (
    "validate", "normalise", "images", "outcome", "leaks", "nearcopies", "split", "leaks", "weights", "unroll",
)  # fmt: skip
"""Decisions in the order of a recipe that names none. The second `leaks` holds training runs against our own test."""


@cache
def stages() -> dict[str, base.Stage]:
    """All stages by name, in the order of their names."""
    found: dict[str, base.Stage] = {}
    package = importlib.import_module("curate.stages")
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        stage = getattr(importlib.import_module(f"curate.stages.{info.name}"), "STAGE", None)
        if stage is not None:
            found[stage.name] = stage
    return dict(sorted(found.items()))


def stage(name: str) -> base.Stage:
    """The stage of that name. Raises KeyError for a name no module has."""
    return stages()[name]
