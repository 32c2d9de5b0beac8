"""The shipped recordings, reduced: for tests of what becomes of damaged copies of them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from curate.model.trajectory import Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.media import MediaStore

DUMP = Path(str(resources.files("curate"))) / "_data" / "dump"
SHOP, MAIL = DUMP / "shop-sencha", DUMP / "mail-reading-group"


def reduced(folder: Path, store: Path) -> Trajectory:
    return reduce_recording(open_recording(folder), MediaStore(store), ReduceOptions(), KeyframeOptions())[0]


@cache
def whole(folder: Path, store: Path) -> Trajectory:
    """The undamaged one: what a copy is held against."""
    return reduced(folder, store)
