"""Files out of a zip archive by name, without unpacking it: also one in parts, cut anywhere (`x.zip.001`, `x.zip.002`,
... or `x.zip.aa`, ...) or as zip tools cut it (`x.z01`, `x.z02`, ..., `x.zip`).

Archives come from anywhere. One that holds a name which leads out of it is refused as a whole; a file that is there
twice, encrypted, a link, larger than it says or than MAX_MEMBER_BYTES, or packed more tightly than its method can, is
refused when it is asked for. The directory stays in memory as it is (about 100 bytes a file) with 16 bytes a file more.
"""

from __future__ import annotations

import bisect
import re
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from curate.model.constants import MAX_DIRECTORY_BYTES, MAX_MEMBER_BYTES

_END, _END64, _END64_AT = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_COMMENT = 65_535
_STORED, _DEFLATED = 0, 8
_TIGHTEST = 1032  # bytes that deflate makes of one, at most
_SLACK = 64  # of a local header's extra fields, read along so that one read does
_PART = re.compile(r"(?P<name>.+\.zip)\.(?P<part>\d{2,4}|[a-z]{2})", re.IGNORECASE)
_SPANNED = re.compile(r"\.z(\d{2,})", re.IGNORECASE)
_LEADS_OUT = re.compile(rb"^/|^[A-Za-z]:|(?:^|/)\.\.(?:/|$)|\x00")


class ArchiveError(Exception):
    """Why an archive, or a file in it, is not read; one sentence."""


class DamagedError(ArchiveError):
    """A file in an archive whose bytes are not those that were packed."""


class Member(msgspec.Struct, frozen=True):
    """A file in an archive, as its directory states it. `offset`: of its local header, over all parts."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    mode: int


def parts_of(path: Path) -> list[Path] | None:
    """The parts of the archive that `path` stands for, in order: the file itself, or all it was cut into where `path`
    is the first of `.zip.001` parts or the `.zip` of `.z01` parts. None where it is no archive's first file; empty for
    the second of parts whose first is not there."""
    cut = _PART.fullmatch(path.name)
    if cut is not None:
        first = cut["part"]
        if _without_its_first(path, cut["name"], first):
            return []
        if not (first.isdigit() and int(first) in (0, 1)) and first.lower() != "aa":
            return None
        same = [(m["part"].lower(), one) for one in path.parent.glob(f"{_escaped(cut['name'])}.*")
                if (m := _PART.fullmatch(one.name)) and m["name"] == cut["name"] and len(m["part"]) == len(first)
                and m["part"].isdigit() == first.isdigit()]  # fmt: skip
        return [one for _, one in sorted(same)]
    if path.suffix.lower() != ".zip":
        return None
    before = [(int(m[1]), one) for one in path.parent.glob(f"{_escaped(path.stem)}.[zZ]*")
              if (m := _SPANNED.fullmatch(one.suffix)) and one.stem == path.stem]  # fmt: skip
    return [*(one for _, one in sorted(before)), path]


def _without_its_first(path: Path, name: str, part: str) -> bool:
    """Whether this is the second part (`002`, `ab`) of an archive, and its first is missing."""
    if part.isdigit():
        before = [f"{number:0{len(part)}}" for number in (0, 1)] if int(part) == 2 else []
    else:
        before = ["aa", "AA"] if part.lower() == "ab" else []
    return bool(before) and not any(path.with_name(f"{name}.{one}").exists() for one in before)


def _escaped(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


class _Bytes:
    """The parts of an archive as one file, read by position."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = [path.open("rb", buffering=0) for path in paths]
        self.starts = [0]
        for path in paths:
            self.starts.append(self.starts[-1] + path.stat().st_size)

    @property
    def size(self) -> int:
        return self.starts[-1]

    def read(self, offset: int, size: int) -> bytes:
        """At most `size` bytes from `offset`, fewer at the end."""
        pieces = []
        part = bisect.bisect_right(self.starts, offset) - 1
        while size > 0 and 0 <= part < len(self._files):
            file = self._files[part]
            file.seek(offset - self.starts[part])
            piece = file.read(min(size, self.starts[part + 1] - offset))
            if not piece:  # cut short since
                break
            pieces.append(piece)
            offset, size = offset + len(piece), size - len(piece)
            part += offset >= self.starts[part + 1]
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class Archive:
    """A zip archive. Raises ArchiveError, OSError when it is opened and its directory cannot be read."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._bytes = _Bytes(paths)
        self._parts = len(paths)
        self._shift = 0
        self._directory = self._read_directory()
        names = list(self._entries())
        hashes = np.fromiter((hash(name) for name, _ in names), np.int64, len(names))
        self._order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._order]
        self._at = np.fromiter((at for _, at in names), np.int64, len(names))[self._order]

    def __len__(self) -> int:
        """How many files and folders its directory lists."""
        return len(self._at)

    def members(self) -> Iterator[Member]:
        """Every file and folder that its directory lists, in the order of the hashes of their names."""
        return map(self._member, self._at.tolist())

    def find(self, name: str) -> Member | None:
        """The file of that name (with `/`), None where there is none. Raises ArchiveError for a name that is there
        more than once: which of them is meant nobody can tell."""
        for spelling in dict.fromkeys((name.encode(), name.encode("cp437", "replace"))):
            first = int(np.searchsorted(self._hashes, hash(spelling), side="left"))
            last = int(np.searchsorted(self._hashes, hash(spelling), side="right"))
            found = [one for one in map(self._member, self._at[first:last].tolist()) if one.name == spelling]
            if len(found) > 1:
                raise ArchiveError(f"It holds {len(found)} files named {name[:200]!r}.")
            if found:
                return found[0]
        return None

    def read(self, member: Member) -> bytes:
        """The file's bytes. Raises ArchiveError for what is refused, DamagedError for what is not what was packed."""
        _check(member)
        start = self._bytes.read(member.offset, _LOCAL.size + len(member.name) + _SLACK + member.packed)
        if len(start) < _LOCAL.size or start[:4] != b"PK\x03\x04":
            raise DamagedError("The archive holds something else where the file should begin.")
        *_, name_size, extra = _LOCAL.unpack_from(start)
        if _normal(start[_LOCAL.size : _LOCAL.size + name_size]) != member.name:
            raise ArchiveError("The file has one name in the directory of its archive and another where it begins.")
        begin = _LOCAL.size + name_size + extra
        packed = start[begin : begin + member.packed]
        if len(packed) < member.packed:
            packed += self._bytes.read(member.offset + begin + len(packed), member.packed - len(packed))
        if len(packed) < member.packed:
            raise DamagedError("The archive ends within the file.")
        data = packed if member.method == _STORED else _inflated(packed, member.size)
        if len(data) != member.size or zlib.crc32(data) != member.crc:
            raise DamagedError("The file's checksum is not that of what was packed.")
        return data

    def _read_directory(self) -> bytes:
        tail_at = max(0, self._bytes.size - _COMMENT - 22)
        tail = self._bytes.read(tail_at, _COMMENT + 22)
        at = tail.rfind(_END)
        while at >= 0 and at + 22 + int.from_bytes(tail[at + 20 : at + 22], "little") != len(tail):
            at = tail.rfind(_END, 0, at)
        if at < 0:
            raise ArchiveError("It is no zip archive, or its last part is missing.")
        disk, first_disk, _, entries, size, offset = struct.unpack_from("<4H2L", tail, at + 4)
        end = tail_at + at
        locator = self._bytes.read(end - 20, 20) if end >= 20 else b""
        if locator[:4] == _END64_AT:
            at_disk, at64 = struct.unpack_from("<LQ", locator, 4)
            end = self._place(at_disk, at64)
            record = self._bytes.read(end, 56)
            if record[:4] != _END64 or len(record) < 56:
                raise ArchiveError("The end of its directory is damaged.")
            disk, first_disk, _, entries, size, offset = struct.unpack_from("<2L4Q", record, 16)
        if disk + 1 != self._parts and disk != 0:
            raise ArchiveError(f"It was cut into {disk + 1} parts, of which {self._parts} are there.")
        begin = self._place(first_disk, offset)
        if disk == 0:  # what stands before an archive, such as a program that unpacks it
            self._shift = end - size - begin
        if size > MAX_DIRECTORY_BYTES or self._shift < 0 or begin + self._shift + size > end:
            raise ArchiveError("Its directory does not lie where it should: a part is missing or cut short.")
        self._spanned, self._count = disk != 0, entries
        return self._bytes.read(begin + self._shift, size)

    def _place(self, disk: int, offset: int) -> int:
        """An offset in a part as an offset over all. Archives cut anywhere know of one part only."""
        if disk >= self._parts:
            raise ArchiveError("It names a part that is not there.")
        return self._bytes.starts[disk] + offset

    def _entries(self) -> Iterator[tuple[bytes, int]]:
        at, count, directory = 0, 0, self._directory
        while at < len(directory):
            if directory[at : at + 4] != b"PK\x01\x02" or at + _ENTRY.size > len(directory):
                raise ArchiveError("Its directory is damaged.")
            name_size, extra, comment = struct.unpack_from("<3H", directory, at + 28)
            name = _normal(directory[at + _ENTRY.size : at + _ENTRY.size + name_size])
            if _LEADS_OUT.search(name):
                raise ArchiveError(f"It holds the name {name[:200]!r}, which leads out of it.")
            yield name, at
            at, count = at + _ENTRY.size + name_size + extra + comment, count + 1
        if count != self._count:
            raise ArchiveError(f"Its directory lists {count} files and says that they are {self._count}.")

    def _member(self, at: int) -> Member:
        fields = _ENTRY.unpack_from(self._directory, at)
        flags, method, crc, packed, size, name_size, extra = *fields[3:5], *fields[7:12]
        disk, mode, offset = fields[13], fields[15] >> 16, fields[16]
        name_at = at + _ENTRY.size
        name = self._directory[name_at : name_at + name_size]
        large = _large(self._directory[name_at + name_size : name_at + name_size + extra])
        size, packed, offset, disk = (
            next(large, known) if known == unset else known
            for known, unset in ((size, 0xFFFFFFFF), (packed, 0xFFFFFFFF), (offset, 0xFFFFFFFF), (disk, 0xFFFF))
        )
        place = self._place(disk, offset) + self._shift
        return Member(_normal(name), flags, method, crc, packed, size, place, mode)


def _large(extra: bytes) -> Iterator[int]:
    """The numbers that did not fit into a directory entry, from its zip64 field: 8 bytes each, the part 4."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            field = extra[at + 4 : at + 4 + size]
            yield from (int.from_bytes(field[k : k + 8], "little") for k in range(0, len(field), 8))
            return
        at += 4 + size


def _normal(name: bytes) -> bytes:
    return name.replace(b"\\", b"/").removeprefix(b"./")


def _check(member: Member) -> None:
    """Raises ArchiveError for what is refused by what the directory says of it."""
    if member.flags & 0x41:
        raise ArchiveError("The file is encrypted.")
    if stat.S_ISLNK(member.mode):
        raise ArchiveError("The file is a link.")
    if member.method not in (_STORED, _DEFLATED):
        raise ArchiveError(f"The file is packed by a method (number {member.method}) that is not read: pack it anew.")
    if member.size > MAX_MEMBER_BYTES:
        raise ArchiveError(f"The file unpacks to {member.size:,} bytes, more than {MAX_MEMBER_BYTES:,}.")
    most = member.packed if member.method == _STORED else member.packed * _TIGHTEST + _TIGHTEST
    if member.size > most or member.packed > member.size + _TIGHTEST + member.size // 100:
        raise ArchiveError(f"The file says that {member.packed:,} bytes unpack to {member.size:,}: that cannot be.")


def _inflated(packed: bytes, size: int) -> bytes:
    """Unpacks no more than one byte beyond what the directory states."""
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = unpacking.decompress(packed, size + 1)
    except zlib.error as error:
        raise DamagedError("The file cannot be unpacked.") from error
    if len(data) > size:
        raise ArchiveError(f"The file says that it unpacks to {size:,} bytes, and unpacks to more.")
    return data
