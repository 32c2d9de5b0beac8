"""The config `trajectories`: one row a record, nested, without pictures."""

from __future__ import annotations

from pathlib import Path

from curate.model.constants import PUBLISH_GROUP_BYTES, PUBLISH_TEXT_GROUP_ROWS
from curate.publish.features import trajectory_features
from curate.publish.kept import Kept
from curate.publish.tables.shards import Groups, Shards
from curate.store.published import TRAJECTORIES, TRAJECTORIES_FOLDER, trajectories_table


def trajectory_shards(root: Path, split: str) -> Shards:
    """Where the records of a split go."""
    schema = TRAJECTORIES.with_metadata(trajectory_features().arrow_schema.metadata)
    groups = Groups(rows=PUBLISH_TEXT_GROUP_ROWS, bytes=PUBLISH_GROUP_BYTES)
    return Shards(root, TRAJECTORIES_FOLDER, split, schema, groups)


def add_trajectories(shards: Shards, kept: list[Kept]) -> None:
    """Add records of one split."""
    table = trajectories_table(
        [one.record for one in kept], kept[0].split, [one.position for one in kept], [one.targets for one in kept]
    )
    shards.add(table, [table.nbytes // len(kept)] * len(kept))
