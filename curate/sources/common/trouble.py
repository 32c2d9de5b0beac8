"""What may go wrong while one record is read, as the row that says so. A source catches `TROUBLE` around a record."""

from __future__ import annotations

import msgspec

from curate.model.calls import CodeError
from curate.model.rejected import Rejected
from curate.sources.common.reading import UnreadableError, rejected

TROUBLE = (CodeError, UnreadableError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def refused(error: Exception, shown: str, identity: str | None = None, line: int | None = None) -> Rejected:
    """The row for a record that one of `TROUBLE` stopped. `shown`: the file; `identity`: the record's id, if it has
    one; `line`: its line or number from 1."""
    if isinstance(error, UnreadableError):
        return rejected(shown, error.reason, str(error), identity, line)
    if isinstance(error, CodeError):
        return rejected(shown, error.reason, f"{error}.", identity, line)
    reason = "validate.schema" if isinstance(error, msgspec.ValidationError) else "read.json"
    return rejected(shown, reason, f"{error}.", identity, line)
