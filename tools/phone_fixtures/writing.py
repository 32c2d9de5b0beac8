"""What the makers share: drawn screens, files, TFRecord."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import crc32c
from PIL import Image, ImageDraw
from tfrecord.example_pb2 import Example

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "sources" / "fixtures"


def screen(
    number: int, size: tuple[int, int] = (90, 160), kind: str = "PNG", target: tuple[float, float] | None = None
) -> bytes:
    """A drawn phone screen: a title bar, a button whose place hangs on the number, a bar below. `target`: where in
    pixels a green dot lies, for an action to meet it."""
    width, height = size
    picture = Image.new("RGB", size, (235, 240 - number, 245))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width, height // 10), fill=(40, 70, 130 + number))
    top = height // 5 + (number * 13) % (height // 2)
    draw.rectangle((width // 5, top, 4 * width // 5, top + height // 12), fill=(210, 90, 60))
    draw.text((width // 4, top), str(number), fill=(255, 255, 255))
    draw.rectangle((0, height - height // 16, width, height), fill=(90, 90, 90))
    if target is not None:
        x, y = target
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(20, 190, 60))
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).convert("RGB").tobytes()


def fresh(case: str) -> Path:
    folder = FIXTURES / case / "raw"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def put(path: Path, content: bytes | str | Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)).encode()
    path.write_bytes(content)


def tfrecord(path: Path, rows: list[dict[str, Any]]) -> None:
    """A GZIP TFRecord of examples, as TensorFlow writes it; without a time stamp, so that it is the same every time."""

    def masked(data: bytes) -> bytes:
        value = crc32c.crc32c(data)
        return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)

    out = b""
    for row in rows:
        example = Example()
        for name, value in row.items():
            values = value if isinstance(value, list) else [value]
            feature = example.features.feature[name]
            if values and isinstance(values[0], float):
                feature.float_list.value.extend(values)
            elif values and isinstance(values[0], int):
                feature.int64_list.value.extend(values)
            else:
                feature.bytes_list.value.extend(v.encode() if isinstance(v, str) else v for v in values)
        data = example.SerializeToString(deterministic=True)
        length = struct.pack("<Q", len(data))
        out += length + masked(length) + data + masked(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(out, mtime=0))
