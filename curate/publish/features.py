"""What the Hub and `datasets` are told of a table's columns: features, which `datasets` itself makes of the schema."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from curate.publish.json_columns import NESTED
from curate.store.published import STEP_PICTURES, STEPS, TRAJECTORIES


def features_of(schema: pa.Schema, pictures: tuple[str, ...] = ()) -> Any:
    """`datasets.Features` of a schema; `pictures`: columns of bytes and a name that are shown as pictures."""
    from datasets import Features, Image

    features = Features.from_arrow_schema(schema)
    for name in pictures:
        features[name] = Image()
    return features


def trajectory_features() -> Any:
    """Features of the config `trajectories`."""
    return features_of(TRAJECTORIES)


def step_features() -> Any:
    """Features of the config `steps`."""
    return features_of(STEPS, STEP_PICTURES)


def json_features(columns: dict[str, str]) -> Any:
    """Features of JSONL whose columns hold these types (`json_columns.columns_of`)."""
    from datasets import Features, Value
    from datasets.features import Json

    return Features({name: Json() if kind == NESTED else Value(kind) for name, kind in columns.items()})


def described(features: Any) -> list[dict[str, Any]]:
    """The features as they stand in a card's `dataset_info`."""
    from datasets import DatasetInfo

    plain: list[dict[str, Any]] = DatasetInfo(features=features)._to_yaml_dict()["features"]
    return plain
