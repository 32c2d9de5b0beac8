"""What a file is that is no text, by its first bytes: one sentence for the file, in place of one for each of its
lines."""

from __future__ import annotations

_SAID: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF87a", "a picture"),
    (b"GIF89a", "a picture"),
    (b"\x1aE\xdf\xa3", "a video"),
    (b"PAR1", "a parquet table"),
    (b"ARROW1", "an Arrow file"),
    (b"\xff\xff\xff\xff", "an Arrow file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
    (b"\x1f\x8b", "packed with gzip"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"\xfd7zXZ\x00", "packed with xz"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x93NUMPY", "a file of NumPy"),
    (b"\x89HDF\r\n\x1a\n", "a file of HDF5"),
    (b"%PDF-", "a PDF"),
)
"""First bytes, as the formats' own specifications give them, and what begins so. Four bytes of ones begin a stream of
Arrow messages; none of them begins JSON, nor any text that a person writes."""

_REMEDIES = {
    "a parquet table": "end its name with .parquet",
    "an Arrow file": "end its name with .arrow",
    "packed with gzip": "end its name with .gz, or unpack it",
    "packed with zstd": "end its name with .zst, or unpack it",
    "packed with xz": "unpack it",
    "a tar archive": "unpack it",
}
_PICKLE = "a pickle, which may run code when it is opened and is never opened here: write its rows as JSONL"
_PICKLE_PROTOCOLS = range(2, 6)  # of pickle.PROTO, which begins every pickle since protocol 2
_TAR_AT = 257  # POSIX ustar: the mark stands behind the first member's fields
HEAD_BYTES = 4096
"""Bytes of a file's beginning that `kind_of` looks at."""


def kind_of(head: bytes) -> str | None:
    """What a file is that begins with `head` (HEAD_BYTES of it, or all), as half a sentence after `is`; None where
    nothing is known against its being text."""
    if head[:1] == b"\x80" and len(head) > 1 and head[1] in _PICKLE_PROTOCOLS:
        return _PICKLE
    what = next((said for mark, said in _SAID if head.startswith(mark)), None) or _further_in(head)
    if what is None:
        return "no text" if _is_binary(head) else None
    remedy = _REMEDIES.get(what)
    return f"{what}: {remedy}" if remedy else f"{what}, whatever its name says"


def _further_in(head: bytes) -> str | None:
    """Marks that do not stand first."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "a picture"
    if head[:1] == b"\0" and head[4:8] == b"ftyp":  # a box's length in four bytes, then its name
        return "a video"
    return "a tar archive" if head[_TAR_AT : _TAR_AT + 5] == b"ustar" and b"\0" in head[:_TAR_AT] else None


def _is_binary(head: bytes) -> bool:
    """Whether it holds bytes that no text has. What begins as JSON does is no such file: a fault of one of its lines
    is that line's; a zero byte among the first four is the other half of a character of UTF-16 or UTF-32."""
    if (
        b"\0" in head[:4]
        or head.lstrip()[:1] in (b"{", b"[", b'"', b"\xef", b"\xfe", b"\xff", b"")
        or b"\0" not in head
    ):
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start < len(head) - 4  # not only cut within a character
    return False
