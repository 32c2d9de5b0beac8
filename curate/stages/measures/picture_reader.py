"""Reads the pictures of a media store: each file once, equal bytes decoded once as far as memory allows, and what was
found kept by content, so that no other shard, and no run that goes on, decodes them again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from curate.model.constants import (
    BLANK_SHARE,
    PICTURE_CACHE_BYTES,
    PICTURE_FACTS_KEPT,
    SMALL_CACHE_BYTES,
    UNCHANGED_MSE,
)
from curate.model.trajectory import Trajectory
from curate.stages.measures.picture_cache import FactsCache
from curate.stages.measures.picture_facts import (
    Facts,
    Picture,
    difference_at_least,
    difference_hash,
    has_small_copy,
    mean_squared_difference,
    small_copy,
    thumbnail,
    white_share,
    white_share_at_most,
)
from curate.store.media import MediaStore, read_rgb
from curate.store.paths import PathError
from curate.store.picture_files import Header, decode_small_jpeg, sound_header


class _Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


T = TypeVar("T", bound=_Sized)


class _Recent(Generic[T]):
    """What was used last, by content, within a number of bytes (always the last two: they are compared)."""

    def __init__(self, limit: int) -> None:
        self._limit, self._bytes = limit, 0
        self._kept: OrderedDict[str, T] = OrderedDict()

    def get(self, digest: str) -> T | None:
        found = self._kept.get(digest)
        if found is not None:
            self._kept.move_to_end(digest)
        return found

    def put(self, digest: str, value: T) -> None:
        if digest in self._kept:
            return
        self._kept[digest] = value
        self._bytes += value.nbytes
        while self._bytes > self._limit and len(self._kept) > 2:
            self._bytes -= self._kept.popitem(last=False)[1].nbytes


class PictureReader:
    """`media`: the store (its last added files may still be in memory); `cache`: what is known by content from
    elsewhere. `decodings` counts whole pictures that were decoded, `small_decodings` small copies of JPEGs."""

    def __init__(self, media: MediaStore | Path, cache: FactsCache | None = None) -> None:
        self.media = MediaStore(media) if isinstance(media, Path) else media
        self._cache = cache or FactsCache(None)
        self._by_reference: dict[str, Facts] = {}
        self._by_content: OrderedDict[str, Facts] = OrderedDict()
        self._differences: dict[tuple[str, str], float] = {}
        self._pixels: _Recent[Picture] = _Recent(PICTURE_CACHE_BYTES)
        self._smalls: _Recent[Picture] = _Recent(SMALL_CACHE_BYTES)
        self.decodings = self.small_decodings = 0

    def __enter__(self) -> PictureReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cache.close()

    def look_at(self, record: Trajectory) -> None:
        """Find what the stage `images` will ask of a record's pictures, now that their bytes are at hand."""
        before: str | None = None
        shown = [step.index for step in record.steps if step.image is not None]
        for step in record.steps:
            if step.image is not None:
                self.facts(step.image, thumbnail=step.index in (shown[0], shown[-1]))
                if before is not None:
                    self.difference(before, step.image)
            before = step.image

    def facts(self, reference: str, *, thumbnail: bool = True) -> Facts:
        """What is known of the picture. `thumbnail`: that too, which facts found by an earlier run may lack."""
        found = self._by_reference.get(reference)
        if found is None or _lacks(found, thumbnail):
            _make_room(self._by_reference)
            found = self._by_reference[reference] = self._read(reference, thumbnail)
        return found

    def difference(self, one: str, other: str) -> float | None:
        """Mean squared difference of two pictures; where their small copies show that it is UNCHANGED_MSE or more, a
        number that it does not fall below. None unless both are readable and of one size."""
        a, b = self.facts(one, thumbnail=False), self.facts(other, thumbnail=False)
        if a.state != "ok" or b.state != "ok" or (a.width, a.height) != (b.width, b.height):
            return None
        first, second = a.sha256 or "", b.sha256 or ""
        if first == second:
            return 0.0
        found = self._differences.get((first, second))
        if found is None:
            found = self._cache.difference(first, second)
        if found is None:
            found = self._compared(one, other, a, b)
            if found is not None:
                self._cache.add_difference(first, second, found)
        if found is not None:
            _make_room(self._differences)
            self._differences[first, second] = found
        return found

    def pixels(self, reference: str) -> Picture | None:
        """The whole picture; None unless it is readable."""
        facts = self.facts(reference, thumbnail=False)
        return self._pixels_of(reference, facts) if facts.state == "ok" else None

    def _compared(self, one: str, other: str, a: Facts, b: Facts) -> float | None:
        width, height = a.width or 0, a.height or 0
        if has_small_copy(width, height):
            small, smaller = self._small_of(one, a), self._small_of(other, b)
            if small is None or smaller is None:
                return None
            least = difference_at_least(small, smaller, width, height)
            if least >= UNCHANGED_MSE:
                return least
        first, second = self._pixels_of(one, a), self._pixels_of(other, b)
        return None if first is None or second is None else mean_squared_difference(first, second)

    def _read(self, reference: str, thumbnail: bool) -> Facts:
        data = self._bytes_of(reference)
        if data is None:
            return Facts("missing")
        digest = hashlib.sha256(data).hexdigest()
        known = self._by_content.get(digest) or self._cache.facts(digest)
        if known is None or _lacks(known, thumbnail):
            known = self._examine(digest, data) or Facts("unreadable", digest)
            self._cache.add_facts(known)
        self._by_content[digest] = known
        if len(self._by_content) > PICTURE_FACTS_KEPT:
            self._by_content.popitem(last=False)
        return known

    def _examine(self, digest: str, data: bytes) -> Facts | None:
        """Decode a picture and find its facts; None for what cannot be decoded."""
        header = sound_header(data)
        if header is None:
            return None
        small = self._decode_small(digest, data, header) if _is_plain_jpeg(header) else None
        if small is not None:
            white = white_share_at_most(small, header.width, header.height)
            if white <= BLANK_SHARE:
                return _facts(digest, header.width, header.height, white, small)
        picture = self._decode(digest, data)
        if picture is None:
            return None
        height, width = picture.shape[:2]
        if small is None:
            small = small_copy(picture)
            self._smalls.put(digest, small)
        white = white_share_at_most(small, width, height) if has_small_copy(width, height) else 1.0
        return _facts(digest, width, height, white_share(picture) if white > BLANK_SHARE else white, small)

    def _bytes_of(self, reference: str) -> bytes | None:
        try:
            return self.media.read(reference)
        except (PathError, OSError):
            return None

    def _small_of(self, reference: str, facts: Facts) -> Picture | None:
        digest = facts.sha256 or ""
        found = self._smalls.get(digest)
        if found is None and (data := self._bytes_of(reference)) is not None:  # else taken away since
            header = sound_header(data)
            if header is not None and _is_plain_jpeg(header):
                return self._decode_small(digest, data, header)
            picture = self._pixels_of(reference, facts)
            if picture is not None:
                found = small_copy(picture)
                self._smalls.put(digest, found)
        return found

    def _pixels_of(self, reference: str, facts: Facts) -> Picture | None:
        digest = facts.sha256 or ""
        found = self._pixels.get(digest)
        if found is None and (data := self._bytes_of(reference)) is not None:
            return self._decode(digest, data)
        return found

    def _decode(self, digest: str, data: bytes) -> Picture | None:
        self.decodings += 1
        picture = read_rgb(data)
        if picture is not None:
            self._pixels.put(digest, picture)
        return picture

    def _decode_small(self, digest: str, data: bytes, header: Header) -> Picture | None:
        self.small_decodings += 1
        small = decode_small_jpeg(data, header.width, header.height)
        if small is not None:
            self._smalls.put(digest, small)
        return small


def _make_room(known: dict[Any, Any]) -> None:
    """What was found by reference and by pair is asked for once more, soon: nothing is lost but a look-up."""
    if len(known) >= PICTURE_FACTS_KEPT:
        known.clear()


def _lacks(facts: Facts, thumbnail: bool) -> bool:
    return thumbnail and facts.state == "ok" and facts.thumbnail is None


def _is_plain_jpeg(header: Header) -> bool:
    return header.kind == "JPEG" and not header.turned and has_small_copy(header.width, header.height)


def _facts(digest: str, width: int, height: int, white: float, small: Picture) -> Facts:
    return Facts("ok", digest, width, height, white, difference_hash(small), thumbnail(small))
