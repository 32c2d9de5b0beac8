"""Fields of a Croissant record set, made of a config's features as they stand in the card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curate.publish.configs import Config

_TYPES = {
    "string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean", "binary": "sc:Text",
    "json": "sc:Text", "image": "sc:ImageObject",
}  # fmt: skip


def fields(config: Config, described: Mapping[str, str]) -> list[dict[str, Any]]:
    """One field a column; `described`: what each holds."""
    return [_column(config.name, feature, described.get(feature["name"])) for feature in config.features]


def _column(name: str, feature: dict[str, Any], about: str | None) -> dict[str, Any]:
    column = feature["name"]
    source: dict[str, Any] = {"fileSet": {"@id": f"files-{name}"}, "extract": {"column": column}}
    if feature.get("dtype") == "image":
        source["transform"] = {"jsonPath": "bytes"}
    return {**_field(f"{name}/{column}", feature, source), "description": about or f"The column {column}."}


def _field(identity: str, feature: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    """A field. Structs have sub-fields, and so have lists of structs, of which those that are structs themselves are
    left out: the format's own reader finds nothing in them. Other lists are arrays of unknown length."""
    found: dict[str, Any] = {"@type": "cr:Field", "@id": identity, "name": identity}
    inner = feature
    if "list" in feature:
        found |= {"isArray": True, "arrayShape": "-1"}
        inner = _item(feature["list"])
        if "struct" in inner:
            inner = {"struct": [one for one in inner["struct"] if not _structured(one)]}
    if "struct" in inner:
        found["subField"] = [
            _field(f"{identity}/{one['name']}", one, _below(source, one["name"])) for one in inner["struct"]
        ]
        return found
    return {**found, "dataType": _TYPES[inner.get("dtype", "string")], "source": source}


def _structured(feature: dict[str, Any]) -> bool:
    """Whether a feature is a struct, or a list of some."""
    return "struct" in feature or ("list" in feature and "struct" in _item(feature["list"]))


def _item(inner: Any) -> dict[str, Any]:
    """The feature of a list's items, which stands there as a type's name, a feature, or the fields of a struct."""
    if isinstance(inner, list):
        return {"struct": inner}
    return inner if isinstance(inner, dict) else {"dtype": inner}


def _below(source: dict[str, Any], name: str) -> dict[str, Any]:
    path = source.get("transform", {}).get("jsonPath")
    return {**source, "transform": {"jsonPath": f"{path}.{name}" if path else name}}
