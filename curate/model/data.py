"""Finds the folders that ship with the package: in a wheel under `curate/_data`, in a checkout beside `curate`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

ShippedName = Literal["schemas", "pipelines", "dump"]

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: ShippedName) -> Path:
    """The shipped folder of that name. Raises FileNotFoundError when the installation lacks it."""
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"The folder {name!r} that ships with curate is missing ({' and '.join(map(str, places))} are not there); "
        "install the package again."
    )
