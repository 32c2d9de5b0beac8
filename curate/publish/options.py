"""What a person says when a run is published, and what the run's recipe allows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.publish_limits import PublishLimits
from curate.engine.recipe import with_settings
from curate.model.errors import InputError

__all__ = ["PublishLimits", "PublishOptions", "limits_of"]


class PublishOptions(msgspec.Struct, kw_only=True, frozen=True):
    """One publication.

    `repo`: `user/name` on the Hub. `license`: an identifier that the Hub knows (`mit`, `cc-by-4.0`), or `other` with
    `license_name` and `license_link`. `traces`: also write sessions for the Hub's trace view. `title`, `citation`:
    stand in the card as given; without them it says what is known. `version`: of the content, such as `1.0.0`.
    `audit`: files of audit labels. `costs`: a file of prices (`engine.planning.costs`). `accept`: codes of findings of
    the gate that a person accepts by name; they stand in the card. `sets`: `publish.option=value`."""

    repo: str
    license: str
    license_name: str | None = None
    license_link: str | None = None
    public: bool = False
    traces: bool = False
    title: str | None = None
    citation: str | None = None
    version: str | None = None
    audit: tuple[Path, ...] = ()
    costs: Path | None = None
    accept: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


def limits_of(run_json: Mapping[str, Any], options: PublishOptions) -> PublishLimits:
    """What the recipe of a run (its run.json) allows, with the settings of the command line on top. Raises
    UsageError for a setting that is none, InputError for a section that no recipe has."""
    section = (run_json.get("recipe") or {}).get("publish") or {}
    try:
        limits = with_settings(msgspec.convert(section, PublishLimits), "publish", options.sets)
        return msgspec.convert(msgspec.to_builtins(limits), PublishLimits)
    except msgspec.ValidationError as error:
        raise InputError(f"run.json: the recipe's section publish cannot be read: {error}.") from error
