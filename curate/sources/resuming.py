"""Reading goes on after a record that stops its source: the exception becomes a row with the record's place, and a file
of one record a line is read on from its next line. Whoever reads inputs reads them by this (`detector.settle`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from curate.model.errors import CurateError
from curate.model.rejected import Rejected
from curate.sources.base import Part, Read, ReadContext, Source
from curate.sources.common.reading import UnreadableError
from curate.sources.common.row_files import form_of
from curate.sources.common.trouble import refused
from curate.store.jsonl import PACKED

_PIECE = 1 << 20


def read_on(source: Source, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
    """What `source.read` gives, and a row for each exception that it lets out. Raises those that are no fault of the
    data: of a store, of options, of memory."""
    part = context.part
    while True:
        context.reached.number = None
        try:
            yield from source.read(path, msgspec.structs.replace(context, part=part))
            return
        except UnreadableError as error:
            stopped: Exception = error
        except (CurateError, MemoryError):
            raise
        except Exception as error:
            stopped = error
        number = context.reached.number
        part = None if number is None else _after(source, path, part or context.part, number)
        row = refused(stopped, context.shown, None, number)
        if part is None:
            yield msgspec.structs.replace(row, detail=f"{row.detail} {_ends(number)}")
            return
        yield row
        if part.start >= part.stop:
            return


def _ends(number: int | None) -> str:
    return "Nothing of the input was read." if number is None else f"What follows record {number} was not read."


def _after(source: Source, path: Path, part: Part | None, number: int) -> Part | None:
    """The rest of a file behind a line; None where the source's records are no lines by themselves."""
    if not source.divisible or not path.is_file() or path.suffix in PACKED or form_of(path) != "lines":
        return None
    whole = part or Part(start=0, stop=path.stat().st_size, line=1)
    if number < whole.line:
        return None
    with path.open("rb") as file:
        file.seek(whole.start)
        start, left = whole.start, number + 1 - whole.line
        while left and (piece := file.readline(_PIECE)):
            start += len(piece)
            left -= piece.endswith(b"\n")
    return Part(start=min(start, whole.stop), stop=whole.stop, line=number + 1)
