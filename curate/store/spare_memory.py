"""What the libraries below us free goes back to the system.

Arrow's own allocator (mimalloc) and that of polars (jemalloc) keep freed pages for whoever asks next: a run's steps
need pages of other sizes each, so 40 to 60 MB of them lie idle at its peak (measured), for no time gained. With the
system's own allocator `engine.memory.give_back` reaches Arrow's pages too. The libraries look at these variables when
they are first used, so this comes before they are imported; worker processes inherit them, and what a user has set
stays."""

from __future__ import annotations

import gc
import os
import sys

_SETTINGS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0",  # of polars; jemalloc's prefix is compiled in
}


_NEW_OBJECTS = 50_000


def spare_memory() -> None:
    """Let Arrow and polars, if they are not imported yet, keep nothing that they freed. Linux only: elsewhere their own
    allocators are measured by nobody, and glibc's `malloc_trim` is what gives back."""
    if sys.platform.startswith("linux"):
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)


def collect_seldom() -> None:
    """Search for reference cycles once in 50,000 new objects (some 10 MB) and no more often: loading the libraries of a
    command makes as many, none of which ever goes, and to look through them again and again takes a tenth of that
    time (measured)."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
