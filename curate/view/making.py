"""How a run was made, for its report: the command that makes it again, the recipe, versions and inputs. Nothing of
the clock or of how many workers there were is here, so the page of the same run is always the same."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec
import yaml

from curate.store.run_folder import RunFolder


class Making(msgspec.Struct, frozen=True):
    """`inputs`: (name, files, bytes, SHA-256 where it is one file). Empty where run.json says nothing."""

    command: str
    recipe: str
    versions: list[tuple[str, str]]
    inputs: list[dict[str, Any]]


def making(run: RunFolder) -> Making:
    """Read from run.json; an older or foreign one gives what it has."""
    said = run.read_run() if run.run_json.is_file() else {}
    recipe = said.get("recipe")
    found = said.get("versions")
    versions = found if isinstance(found, dict) else {}
    inputs = [given for given in said.get("inputs") or [] if isinstance(given, dict)]
    return Making(
        command=_command(said, inputs),
        recipe=yaml.safe_dump(recipe, sort_keys=False, allow_unicode=True) if isinstance(recipe, dict) else "",
        versions=sorted((str(name), str(value)) for name, value in versions.items()),
        inputs=inputs,
    )


def _command(said: dict[str, Any], inputs: list[dict[str, Any]]) -> str:
    names = [str(given.get("shown") or given.get("path") or "?") for given in inputs]
    recipe = said.get("recipe")
    name = said.get("recipe_name") or (recipe.get("name") if isinstance(recipe, dict) else None) or "desktop"
    sets = [f"--set {shlex.quote(str(setting))}" for setting in said.get("sets") or []]
    return " ".join(["curate run", *map(shlex.quote, names), "--recipe", shlex.quote(str(name)), *sets, "--out RUN"])
