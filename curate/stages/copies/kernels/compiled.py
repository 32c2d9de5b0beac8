"""Whether numba is here (the extra `[fast]`) and pays, and how the kernels of this package are compiled by it. The
other modules here are imported only inside functions, after `pays_compiled()` has said yes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from curate.model.constants import COMPILED_FROM, NO_NUMBA


@cache
def have_numba() -> bool:
    """Whether kernels can be compiled. The variable NO_NUMBA says no to it, to see what a machine without it does."""
    return not os.environ.get(NO_NUMBA) and find_spec("numba") is not None


def pays_compiled(runs: int) -> bool:
    """Whether so many runs are worth it: loading numba costs half a second and 100 MB, compiling (once) 20 seconds."""
    return runs >= COMPILED_FROM and have_numba()


def compiled(function: Callable[..., Any]) -> Any:
    """The function as machine code, made at its first call and kept beside the module (or not kept, where nothing can
    be written). Integers only, no fastmath: the answer is that of the same function in Python."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # nowhere to keep it
        return numba.njit(nogil=True)(function)
