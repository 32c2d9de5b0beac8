"""What a source reads of an input, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import ReadContext
from curate.sources.common.sightings import Sightings
from curate.store.media import MediaStore


class Taken(NamedTuple):
    """The records and what was refused, each in order, and the raw numbers that were noted for the detector."""

    records: list[Trajectory]
    refused: list[Rejected]
    seen: Sightings
    media: MediaStore


def taken(source: Any, path: Path, folder: Path, **stated: Any) -> Taken:
    """Everything of an input. `folder`: where its media go; `stated`: options of the section `import`."""
    media, seen = MediaStore(folder / "taken"), Sightings()
    context = ReadContext(media=media, options={"import": stated}, shown=path.name, sightings=seen)
    records, refused = [], []
    for item in source.read(path, context):
        if isinstance(item, Rejected):
            refused.append(item)
        else:
            records.append(item.trajectory)
    return Taken(records, refused, seen, media)
