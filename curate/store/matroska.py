"""The checksums of a Matroska file. FFmpeg writes one into every cluster and never looks at it again; decoders show
what a damaged frame of lossless video gives, without a word. So they are looked at here: without decoding, a gigabyte
in a second or two.

Only what is needed of the format (RFC 9559, RFC 8794): clusters, the CRC-32 at their beginning, times of their blocks.
"""

from __future__ import annotations

import mmap
import zlib
from pathlib import Path

CLUSTER, CRC_32, TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, BLOCK = 0x1F43B675, 0xBF, 0xE7, 0xA3, 0xA0, 0xA1
_CLUSTER_MARK = CLUSTER.to_bytes(4, "big")
_HEAD = 12  # bytes of an identity and a size at most


def sound_times(path: Path) -> set[int] | None:
    """Times, in the container's ticks (milliseconds for all that FFmpeg writes), of the blocks in clusters whose
    checksum holds, and of the whole blocks of a last cluster that was cut off, of which no checksum tells. None
    for a file without checksums, or none of its kind. Raises OSError."""
    with path.open("rb") as file:
        if path.stat().st_size < _HEAD:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _sound(data)


def _sound(data: mmap.mmap) -> set[int] | None:
    times: set[int] = set()
    cut_off: set[int] = set()
    checked = False
    at = data.find(_CLUSTER_MARK)
    while at >= 0:
        begin, end = _extent(data, at)
        if not _has_checksum(data, begin, len(data)):
            at = data.find(_CLUSTER_MARK, at + 1)
            continue
        checked = True
        if end is None:
            cut_off = set(_block_times(data, begin + 6, len(data)))
            at = data.find(_CLUSTER_MARK, at + 1)
            continue
        with memoryview(data) as view, view[begin + 6 : end] as content:
            holds = zlib.crc32(content) == int.from_bytes(data[begin + 2 : begin + 6], "little")
        if holds:
            times.update(_block_times(data, begin + 6, end))
            cut_off = set()  # it only said that it was longer than the file
        # a damaged one may state any size: the next is looked for right after its beginning
        at = data.find(_CLUSTER_MARK, end if holds else at + 1)
    return times | cut_off if checked else None


def _has_checksum(data: mmap.mmap, begin: int, end: int) -> bool:
    return end - begin > 6 and data[begin] == CRC_32 and data[begin + 1] == 0x84


def _extent(data: mmap.mmap, at: int) -> tuple[int, int | None]:
    """Where the content of the element at `at` begins and ends; the end is None where it is not in the file, or not
    stated."""
    head = data[at : at + _HEAD]
    identity = _length(head[0]) if head else 0
    if not identity or identity >= len(head) or not (width := _length(head[identity])):
        return at, None
    begin = at + identity + width
    size = int.from_bytes(head[identity : identity + width], "big") & ((1 << 7 * width) - 1)
    known = size != (1 << 7 * width) - 1 and begin + size <= len(data)
    return begin, begin + size if known else None


def _length(first: int) -> int:
    """How many bytes a variable-size integer has, by its first; 0 for one that begins none."""
    return 9 - first.bit_length() if first else 0


def _block_times(data: mmap.mmap, at: int, end: int) -> list[int]:
    """Times of the blocks that hold anything, of a cluster whose checksum holds."""
    base, found = 0, []
    while at < end:
        identity = int.from_bytes(data[at : at + max(1, _length(data[at]))], "big")
        begin, stop = _extent(data, at)
        if stop is None or stop > end:
            break
        if identity == TIMESTAMP:
            base = int.from_bytes(data[begin:stop], "big")
        elif identity in (SIMPLE_BLOCK, BLOCK):
            track = _length(data[begin])
            if stop - begin > track + 3:
                found.append(base + int.from_bytes(data[begin + track : begin + track + 2], "big", signed=True))
        elif identity == BLOCK_GROUP:
            at = begin  # its block is read as if it stood here
            continue
        at = stop
    return found
