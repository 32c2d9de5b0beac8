"""What the sources share: files of a folder that do not lead out of it, lines of a file, and rows for what is not
read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.sources.base import ReadContext
from curate.store.jsonl import BadLine, Line, read_lines
from curate.store.paths import PathError, inside


class UnreadableError(InputError):
    """An input that cannot be read as a record: a code of model.reasons, and what is wrong in one sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def file_in(folder: Path, name: str) -> Path | None:
    """A file of a folder; None where it is absent or empty. UnreadableError where it is a link out of the folder."""
    try:
        path = inside(folder, name)
    except PathError as error:
        # The name may be a person's ("alice's screen.mp4"); which kind of file it is says enough.
        raise UnreadableError(
            "read.path_refused", f"A file of the recording (*{Path(name).suffix}): {error}"
        ) from error
    return path if path.is_file() and path.stat().st_size else None


def lines_of(path: Path, context: ReadContext) -> Iterator[Line | BadLine]:
    """The lines of a JSONL file, or of the part of it that is to be read."""
    part = context.part
    lines = (
        read_lines(path) if part is None else read_lines(path, start=part.start, stop=part.stop, first_line=part.line)
    )
    for line in lines:
        context.reached.number = line.number
        yield line


def is_utf8(path: Path) -> bool:
    """Whether the beginning of a text file can be UTF-8 (which half of a wider encoding is not)."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        head.decode()
    except UnicodeDecodeError as error:
        return len(head) == _HEAD and error.start > _HEAD - 4  # cut within a character
    except OSError:
        return True  # another fault
    return b"\0" not in head


_HEAD = 4096


def rejected(
    file: str, reason: str, detail: str | None = None, identity: str | None = None, line: int | None = None
) -> Rejected:
    """A row for what could not be read."""
    return Rejected(id=identity, file=file, line=line, stage="validate", reason=reason, detail=detail)
