"""The configs of a publication: which files they are, by split, and what `datasets` is told of them. All are Parquet:
`datasets` reads every config of a repository as the kind of file that the first one is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from curate.publish.tables.examples import TABLE_FOLDER as EXAMPLES_FOLDER
from curate.store.published import STEPS_FOLDER, TRAJECTORIES_FOLDER

ABOUT = {
    "steps": "a step, its pictures inside",
    "trajectories": "a run with all its steps, without pictures",
    "examples": "a training example as the run wrote it; its pictures are named as in `steps`",
}
FOLDERS = {"steps": STEPS_FOLDER, "trajectories": TRAJECTORIES_FOLDER, "examples": EXAMPLES_FOLDER}
DEFAULT = "steps"


class Config(msgspec.Struct, kw_only=True, frozen=True):
    """`rows`: by file. `sizes`: of the rows of a file in memory, in bytes. `features`: as they stand in a card."""

    name: str
    rows: dict[str, int]
    sizes: dict[str, int]
    features: list[dict[str, Any]]

    @property
    def splits(self) -> dict[str, list[str]]:
        """The files of each split, splits in the order that they are shown in."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.rows):
            found.setdefault(split_of(path), []).append(path)
        return {split: found[split] for split in in_order(found)}


def in_order(splits: Iterable[str]) -> list[str]:
    """Splits as they are shown: train first, the test last."""
    return sorted(splits, key=lambda split: (split != "train", split == "test", split))


def split_of(path: str) -> str:
    """The split of a file, by its name (`data/steps/train-00000.parquet`)."""
    return path.rsplit("/", 1)[-1].rpartition("-")[0]


def pattern(config: str, split: str) -> str:
    """What finds the files of a split of a config."""
    return f"{FOLDERS[config]}/{split}-*.parquet"


def card_configs(configs: list[Config]) -> list[dict[str, Any]]:
    """`configs` of a card."""
    found = []
    for config in configs:
        files = [{"split": split, "path": pattern(config.name, split)} for split in config.splits]
        default = {"default": True} if config.name == DEFAULT else {}
        found.append({"config_name": config.name, "data_files": files, **default})
    return found


def card_infos(configs: list[Config], bytes_of: Mapping[str, int]) -> list[dict[str, Any]]:
    """`dataset_info` of a card: made anew each time, so that a later revision has no feature of an earlier one.
    `bytes_of`: every file's size."""
    found = []
    for config in configs:
        splits = [
            {
                "name": split,
                "num_bytes": sum(config.sizes[path] for path in paths),
                "num_examples": sum(config.rows[path] for path in paths),
            }
            for split, paths in config.splits.items()
        ]
        found.append({
            "config_name": config.name, "features": config.features, "splits": splits,
            "download_size": sum(bytes_of[path] for path in config.rows),
            "dataset_size": sum(config.sizes.values()),
        })  # fmt: skip
    return found
