"""What may go wrong while one record is read, as the row that says so. A source catches `TROUBLE` around a record; what
it forgets is told by `sources.resuming`.

Whatever stands in a field, a record that cannot be made of it is that record's own fault, not the file's: so a division
by a width of 0 is `TROUBLE` like a field that is not there. A disk that cannot be written to is not."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.model.calls import CodeError
from curate.model.rejected import Rejected
from curate.sources.common.reading import UnreadableError, rejected

TROUBLE = (
    CodeError, UnreadableError, msgspec.MsgspecError, RecursionError, ValueError, TypeError, ArithmeticError,
    LookupError, AttributeError, AssertionError,
)  # fmt: skip


def refused(error: Exception, shown: str, identity: str | None = None, line: int | None = None) -> Rejected:
    """The row for a record that an error stopped. `shown`: the file; `identity`: the id of the record, if it has one;
    `line`: its line or number from 1."""
    if isinstance(error, UnreadableError | CodeError):
        detail = str(error) if isinstance(error, UnreadableError) else f"{error}."
        return rejected(shown, error.reason, detail, identity, line)
    if isinstance(error, msgspec.ValidationError):
        return rejected(shown, "validate.schema", f"{error}.", identity, line)
    if isinstance(error, msgspec.MsgspecError | UnicodeDecodeError | RecursionError):
        return rejected(shown, "read.json", f"{error}.", identity, line)
    return rejected(shown, "read.error", in_plain_words(error), identity, line)


_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (KeyError, "A field that the source needs is not there"),
    (IndexError, "A list is shorter than the source needs"),
    (ZeroDivisionError, "A number is 0 that the source divides by"),
    (ArithmeticError, "A number is beyond what can be reckoned with"),
    (RecursionError, "It is nested too deeply"),
    (UnicodeError, "A text is not UTF-8"),
    (TypeError, "A value is of another type than the source needs"),
    (AttributeError, "A value is of another type than the source needs"),
    (ValueError, "A value is none that the source can read"),
    (AssertionError, "It is not as the source takes for granted"),
    (NotImplementedError, "The source does not read this"),
)


def in_plain_words(error: BaseException) -> str:
    """One sentence about an error that nobody foresaw, which names no path of this machine."""
    if isinstance(error, OSError):
        return f"{error.strerror or 'It cannot be read'}."
    kind = next((said for of, said in _KINDS if isinstance(error, of)), f"It stops the source ({type(error).__name__})")
    own = " ".join(str(error).split()).rstrip(".")
    return f"{kind}: {without_paths(own)}." if own else f"{kind}."


def without_paths(text: str) -> str:
    """The text with the base names of files in place of their paths."""
    return " ".join(word if "/" not in word and "\\" not in word else Path(word).name for word in text.split(" "))
