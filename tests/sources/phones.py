"""What the tests of phone sources share: stand-ins for pictures that a public sample names and does not bring."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from curate.store.media import encode_png


def picture(size: tuple[int, int], shade: int = 0) -> bytes:
    """A plain picture of a size, width and height."""
    return encode_png(np.full((size[1], size[0], 3), shade % 256, np.uint8))


def sample(file: Path, folder: Path, pictures: Iterable[str] = (), size: tuple[int, int] = (108, 240)) -> Path:
    """A copy of a public file in a folder, with stand-ins under the names given."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / file.name
    shutil.copyfile(file, copy)
    for number, name in enumerate(pictures):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(size, number))
    return copy


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
