"""Libraries that many runs never need (pictures, JSON documents of any size): loaded when something of theirs is first
asked for, which saves a run without pictures a tenth of a second and 40 MB in each of its processes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class Late:
    """A module by name, loaded at the first look at it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


if TYPE_CHECKING:
    import cv2 as cv2
    import ijson as ijson
    from PIL import Image as Image
else:
    cv2, ijson, Image = Late("cv2"), Late("ijson"), Late("PIL.Image")
