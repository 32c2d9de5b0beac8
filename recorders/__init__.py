"""The desktop recorder: `record` makes one recording; `Session` is the same in steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curate.store.recording import Outcome
    from recorders.errors import RecorderError
    from recorders.options import Options
    from recorders.session import Session, record

__all__ = ["Options", "Outcome", "RecorderError", "Session", "record"]


def __getattr__(name: str) -> Any:
    """Imported when asked for: the process that reads accessibility is of this package too, and needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recorders import session

    return getattr(session, name)
