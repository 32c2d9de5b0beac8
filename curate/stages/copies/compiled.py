"""Whether numba is here (the extra `[fast]`), and how the kernels of this package are compiled by it. Modules whose
name ends in `_kernels` are imported only inside functions, after `have_numba()` has said yes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from curate.model.constants import NO_NUMBA


@cache
def have_numba() -> bool:
    """Whether kernels can be compiled. The variable NO_NUMBA says no to it, to see what a machine without it does."""
    return not os.environ.get(NO_NUMBA) and find_spec("numba") is not None


def compiled(function: Callable[..., Any]) -> Any:
    """The function as machine code, made at its first call and kept beside the module (or not kept, where nothing can
    be written). Integers only, no fastmath: the answer is that of the same function in Python."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # nowhere to keep it
        return numba.njit(nogil=True)(function)
