"""The way a problem is solved: all give the same answer but `minhash`, which may miss what its recall leaves."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Protocol

from curate.stages.copies.search.keep_first import keep_first
from curate.stages.copies.search.minhash import keep_first_minhash
from curate.stages.copies.types import Decided, Problem

_exact: ContextVar[Callable[[Problem], Decided]] = ContextVar("exact", default=keep_first)


@contextlib.contextmanager
def solved_by(exact: Callable[[Problem], Decided]) -> Iterator[None]:
    """Within the block, problems that are not `minhash`'s are solved by `exact`: by a cluster, with the same answer."""
    before = _exact.set(exact)
    try:
        yield
    finally:
        _exact.reset(before)


class EngineOptions(Protocol):
    @property
    def method(self) -> str: ...
    @property
    def recall(self) -> float: ...


def solve(problem: Problem, options: EngineOptions) -> Decided:
    """Which runs are copies of earlier ones that stay."""
    if options.method == "minhash":
        return keep_first_minhash(problem, options.recall)
    return _exact.get()(problem)
