"""Pictures in another size: how large, and made from the bytes of a file. The same bytes and options give the same
bytes, whoever makes them (with the same version of OpenCV)."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import JPEG_KEPT_QUALITY
from curate.model.smart_resize import AspectError, smart_resize
from curate.store.late import cv2
from curate.store.media import read_rgb
from curate.store.picture_files import Header, decode_reduced_jpeg, sound_header

_JPEG = ("jpg", "jpeg")


class SizeOptions(msgspec.Struct, kw_only=True, frozen=True):
    """`max_pixels`: width x height is no more. `size`: no wider and no higher than this; both keep the proportions and
    never enlarge. `multiple`: both sides are multiples of this, as a model's patches ask for (28 for Qwen2.5-VL and
    UI-TARS, 32 for Qwen3-VL: sides are rounded to the nearest as their own code does, which may enlarge by half of
    it). `min_pixels`: with a multiple, width x height is no less, as those models ask. `jpeg`: written as JPEG of this
    quality; None: a JPEG stays one, all else becomes PNG."""

    max_pixels: int | None = None
    min_pixels: int | None = None
    size: tuple[int, int] | None = None
    multiple: int = 1
    jpeg: int | None = None

    @property
    def any(self) -> bool:
        return self != SizeOptions()

    def __str__(self) -> str:
        """Short, for the name of a folder: equal for equal options only."""
        size = f"{self.size[0]}x{self.size[1]}" if self.size else ""
        most = f"max{self.max_pixels}" if self.max_pixels else ""
        least = f"min{self.min_pixels}" if self.min_pixels else ""
        multiple = f"m{self.multiple}" if self.multiple > 1 else ""
        return "-".join(part for part in (size, most, least, multiple, f"q{self.jpeg}" if self.jpeg else "") if part)


class Resized(msgspec.Struct, frozen=True):
    """The bytes of the new file, and its size in pixels."""

    data: bytes
    width: int
    height: int


def target_size(width: int, height: int, options: SizeOptions) -> tuple[int, int]:
    """Width and height that a picture gets, at least one multiple each. Raises AspectError for one that a model with a
    multiple does not take."""
    if options.size is not None:
        scale = min(1.0, options.size[0] / width, options.size[1] / height)
        boxed = max(1, round(width * scale)), max(1, round(height * scale))
    else:
        boxed = width, height
    fitted = _within_pixels(*boxed, options)
    if options.size is not None and options.multiple > 1:  # rounding may not leave the box
        most = (max(options.multiple, side // options.multiple * options.multiple) for side in options.size)
        return min(fitted[0], next(most)), min(fitted[1], next(most))
    return fitted


def _within_pixels(width: int, height: int, options: SizeOptions) -> tuple[int, int]:
    """With a multiple this is the models' own rule; without, sides are only cut."""
    if options.multiple > 1:
        return smart_resize(width, height, options.multiple, options.min_pixels, options.max_pixels)
    if options.max_pixels is None or width * height <= options.max_pixels:
        return width, height
    shrink = math.sqrt(width * height / options.max_pixels)
    return max(1, math.floor(width / shrink)), max(1, math.floor(height / shrink))


def extension_of(extension: str, options: SizeOptions) -> str:
    """The extension of what a file with this extension becomes."""
    return "jpg" if options.jpeg is not None or extension in _JPEG else "png"


def resize_picture(data: bytes, extension: str, options: SizeOptions) -> Resized | None:
    """The picture as the options ask; None for what is no sound picture, or too long and thin for them. One that needs
    no change stays as it is, byte for byte. `extension`: as `extension_of` gave it."""
    header = sound_header(data)
    try:
        return None if header is None else _resized(data, header, extension, options)
    except AspectError:
        return None


def _resized(data: bytes, header: Header, extension: str, options: SizeOptions) -> Resized | None:
    wanted = target_size(header.width, header.height, options)
    is_jpeg = header.kind == "JPEG"
    same_kind = is_jpeg if extension == "jpg" else header.kind == "PNG"
    if wanted == (header.width, header.height) and same_kind and not header.turned:
        return Resized(data, *wanted)
    pixels = _decode(data, header, wanted)
    if pixels is None:
        return None
    if header.turned:  # now it is known how it is shown
        wanted = target_size(pixels.shape[1], pixels.shape[0], options)
    encoded = _encode(_scaled(pixels, wanted), extension, options)
    return None if encoded is None else Resized(encoded, *wanted)


def _decode(data: bytes, header: Header, wanted: tuple[int, int]) -> NDArray[Any] | None:
    """BGR or RGB pixels, at least as many as are wanted: a JPEG that becomes half as large is decoded at that size."""
    if header.kind == "JPEG" and not header.turned:
        for scale in (8, 4, 2):
            if -(-header.width // scale) >= wanted[0] and -(-header.height // scale) >= wanted[1]:
                return decode_reduced_jpeg(data, scale)
    picture = read_rgb(data)
    return None if picture is None else cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)


def _scaled(pixels: NDArray[Any], wanted: tuple[int, int]) -> NDArray[Any]:
    height, width = pixels.shape[:2]
    if (width, height) == wanted:
        return pixels
    smaller = wanted[0] <= width and wanted[1] <= height
    return cv2.resize(pixels, wanted, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)


def _encode(pixels: NDArray[Any], extension: str, options: SizeOptions) -> bytes | None:
    quality = JPEG_KEPT_QUALITY if options.jpeg is None else options.jpeg
    # Measured on resized screens, drawn and real: without a filter level 1 is the fastest, and smaller than with any
    # filter; level 3 saves 4 % and takes a sixth longer.
    png = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE]
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality] if extension == "jpg" else png
    try:
        ok, encoded = cv2.imencode(f".{extension}", np.ascontiguousarray(pixels), settings)
    except cv2.error:  # a side too long for a JPEG
        return None
    return bytes(encoded) if ok else None
