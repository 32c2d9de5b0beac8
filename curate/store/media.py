"""Pictures, trees and other media by content: `media/<2 hex>/<sha256>.<ext>`, each once.

A reference is that relative path, so it stays valid wherever the dataset folder goes, and says whether the file
is still what it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections import OrderedDict
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import WHOLE_FILE_BYTES
from curate.model.errors import StoreError
from curate.store.atomic import atomic_path, make_durable, store_error
from curate.store.decoding import decode
from curate.store.fast_png import decode_png
from curate.store.late import cv2
from curate.store.paths import PathError, is_inside

_REFERENCE = re.compile(r"media/([0-9a-f]{2})/(([0-9a-f]{2})[0-9a-f]{62})\.([a-z0-9]{1,8}(?:\.[a-z0-9]{1,8})?)")
_EXTENSION = re.compile(r"[a-z0-9]{1,8}(\.[a-z0-9]{1,8})?")
_CHUNK = 1 << 20
_NOT_FLUSHED = 1024  # files that wait for one flush: what a deferring store remembers is bounded


def encode_png(array: NDArray[np.uint8]) -> bytes:
    """PNG of an RGB picture (H x W x 3, uint8) or a grey one (H x W). The same pixels give the same bytes."""
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] != 3):
        raise ValueError(f"a picture is uint8, H x W x 3 or H x W; this is {array.dtype} {array.shape}")
    pixels = array if array.ndim == 2 else array[:, :, ::-1]
    # Measured on decoded 1366x768 screens: the "up" filter at level 3 gives the smallest files of all filters under
    # 25 ms a picture (372 kB; libpng's own choice at level 6 saves 2 % more and takes three times as long).
    settings = [cv2.IMWRITE_PNG_COMPRESSION, 3, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP]
    ok, encoded = cv2.imencode(".png", np.ascontiguousarray(pixels), settings)
    if not ok:
        raise StoreError(f"Cannot encode a picture of {array.shape[1]} x {array.shape[0]} pixels as PNG.")
    return bytes(encoded)


class MediaStore:
    """The media of one dataset or run folder. `root` is the folder that holds `media/`. Several processes may add
    to one store at the same time: the same content always becomes the same file.

    `at_hand`: so many bytes of what was added last stay in memory, for whoever looks at it right after. `deferred`:
    files reach the disk when `sync` is called, and not one by one: flushing each is most of the cost of a store."""

    def __init__(self, root: Path | str, *, at_hand: int = 0, deferred: bool = False) -> None:
        self.root = Path(root)
        self._at_hand = _AtHand(at_hand)
        self._deferred = deferred
        self._not_flushed: list[Path] = []

    def add_png(self, array: NDArray[np.uint8]) -> str:
        """Store an RGB picture (H x W x 3, uint8); its reference."""
        return self.add_bytes(encode_png(array), "png")

    def add_bytes(self, data: bytes, extension: str) -> str:
        """Store data under an extension such as `png` or `json.zst`; its reference. Raises StoreError."""
        reference = _reference(hashlib.sha256(data).hexdigest(), extension)
        target = self.root / reference
        if not _is_there(target, len(data)):
            with self._writing(target) as temporary:
                temporary.write_bytes(data)
        self._at_hand.put(reference, data)
        return reference

    def add_file(self, path: Path, extension: str | None = None, *, immutable: bool = False) -> str:
        """Store a copy of a file; its reference. A picture is read once, in one piece; what is larger than
        WHOLE_FILE_BYTES in pieces. `immutable`: the file is another store's and never changes, so that a link to it
        does where the file system has them. Raises StoreError if it cannot be read."""
        suffix = extension if extension is not None else path.suffix.lstrip(".").lower()
        try:
            with path.open("rb") as file:
                start = file.read(WHOLE_FILE_BYTES + 1)
                if len(start) <= WHOLE_FILE_BYTES and not immutable:
                    return self.add_bytes(start, suffix)
                file.seek(0)
                return self._add_open(path, file, start, suffix, immutable)
        except OSError as error:
            raise store_error("read", path, error) from error

    def _add_open(self, path: Path, file: BufferedReader, start: bytes, suffix: str, immutable: bool) -> str:
        whole = len(start) <= WHOLE_FILE_BYTES
        digest = hashlib.sha256(start).hexdigest() if whole else hashlib.file_digest(file, "sha256").hexdigest()
        reference = _reference(digest, suffix)
        target = self.root / reference
        if not _is_there(target, len(start) if whole else file.tell()):
            with self._writing(target) as temporary:
                if not (immutable and _linked(path, temporary)):
                    file.seek(0)
                    with temporary.open("wb") as copy:
                        shutil.copyfileobj(file, copy, _CHUNK)
        if whole:
            self._at_hand.put(reference, start)
        return reference

    @contextlib.contextmanager
    def _writing(self, target: Path) -> Iterator[Path]:
        with atomic_path(target, durable=not self._deferred) as temporary:
            yield temporary
        if self._deferred:
            self._not_flushed.append(target)
            if len(self._not_flushed) >= _NOT_FLUSHED:
                self.sync()

    def sync(self) -> None:
        """All that was added is on the disk; called before anything says that it is there. Raises StoreError."""
        make_durable(self._not_flushed)
        self._not_flushed.clear()

    def path(self, reference: str) -> Path:
        """The file of a reference; it need not exist. Raises PathError for anything that is no reference, and
        for one that leads through a link out of the store."""
        if not is_reference(reference):
            raise PathError("It is no media reference (media/<2 hex>/<sha256>.<ext>).")
        path = self.root / reference
        if not is_inside(self.root, path):
            raise PathError("The media reference leads through a link out of its folder.")
        return path

    def has(self, reference: str) -> bool:
        """Whether the reference is sound and its file is there."""
        try:
            return self.path(reference).is_file()
        except PathError:
            return False

    def open(self, reference: str) -> BufferedReader:
        """The file of a reference, opened for reading. Raises PathError, FileNotFoundError."""
        return self.path(reference).open("rb")

    def read(self, reference: str) -> bytes:
        """The bytes of a reference. Raises PathError, FileNotFoundError."""
        data = self._at_hand.get(reference)
        return self.path(reference).read_bytes() if data is None else data

    def clear(self) -> None:
        """Remove every stored file; whatever else lies there (no name of ours) stays."""
        for path in (self.root / "media").glob("*/*"):
            if _REFERENCE.fullmatch(path.relative_to(self.root).as_posix()) and not path.is_dir():
                path.unlink(missing_ok=True)

    def check(self, reference: str) -> bool:
        """Whether the file's bytes are still those its name was made from."""
        with self.open(reference) as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == Path(reference).name.split(".", 1)[0]


class _AtHand:
    """The bytes that were added last, at most `limit` of them."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._data: OrderedDict[str, bytes] = OrderedDict()

    def put(self, reference: str, data: bytes) -> None:
        if len(data) > self._limit or reference in self._data:
            return
        self._data[reference] = data
        self._size += len(data)
        while self._size > self._limit:
            self._size -= len(self._data.popitem(last=False)[1])

    def get(self, reference: str) -> bytes | None:
        return self._data.get(reference)


def _linked(path: Path, target: Path) -> bool:
    """Whether `target` could be made a link to the file `path` (not: other file systems, systems without links)."""
    try:
        os.link(path, target, follow_symlinks=True)
    except (OSError, NotImplementedError):
        return False
    return True


def is_reference(text: str) -> bool:
    """Whether a name is that of a file of a store, whose bytes never change."""
    match = _REFERENCE.fullmatch(text)
    return match is not None and match[1] == match[3]


def _reference(digest: str, extension: str) -> str:
    if not _EXTENSION.fullmatch(extension):
        raise StoreError(f"Cannot store a file under the extension {extension[:20]!r}: use letters and digits.")
    return f"media/{digest[:2]}/{digest}.{extension}"


def _is_there(target: Path, size: int) -> bool:
    try:
        return target.stat().st_size == size
    except FileNotFoundError:
        return False
    except OSError as error:
        raise store_error("read", target, error) from error


def read_rgb(data: bytes) -> NDArray[Any] | None:
    """The RGB pixels (H x W x 3, uint8) of a PNG, JPEG or WebP; None when they cannot be decoded."""
    found = decode_png(data)
    return decode(data, cv2.IMREAD_COLOR_RGB) if found is None else found
