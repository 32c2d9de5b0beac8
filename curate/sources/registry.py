"""Finds the sources: every module of this package with a `SOURCE` object. Adding a source is adding one file."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from typing import cast

import curate.sources
from curate.sources.base import Source


@functools.cache
def sources() -> dict[str, Source]:
    """Every source by name, in the order in which they are asked whether they recognise an input."""
    found: dict[str, Source] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(curate.sources.__path__)):
        source = getattr(importlib.import_module(f"curate.sources.{module}"), "SOURCE", None)
        if source is not None:
            found[source.name] = source
    return found


@functools.cache
def source(name: str) -> Source:
    """The source of a name, as an Input gives it. Raises KeyError for a name no module has. A source whose module bears
    its name (nearly all) comes without the others: a worker loads what it reads with."""
    if name.isidentifier() and importlib.util.find_spec(f"curate.sources.{name}") is not None:
        own = getattr(importlib.import_module(f"curate.sources.{name}"), "SOURCE", None)
        if own is not None and own.name == name:
            return cast(Source, own)
    return sources()[name]
