"""How a run was made, for its report: the command that makes it again, the recipe, versions and inputs. Nothing of
the clock or of how many workers there were is here, so the page of the same run is always the same."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from curate.store.run_folder import RunFolder


class InputFile(msgspec.Struct, frozen=True):
    """A file that was read, by its name as shown in outputs."""

    path: str = "?"
    bytes: int = 0
    sha256: str | None = None


class Making(msgspec.Struct, frozen=True):
    """Empty where run.json says nothing. `tests`: the names of the files of test tasks that leaks were looked for in;
    `not_recognised`: files among the inputs that no source reads."""

    command: str
    tests: str | None
    recipe: str
    versions: list[tuple[str, str]]
    inputs: list[InputFile]
    not_recognised: list[str]


def making(run: RunFolder) -> Making:
    """Read from run.json. Raises InputError for one that cannot be read."""
    said = run.read_run() if run.run_json.is_file() else {}
    recipe, versions = _object(said.get("recipe")), _object(said.get("versions"))
    return Making(
        command=_command(said),
        tests=_names(_object(recipe.get("leaks")).get("tests")),
        recipe=yaml.safe_dump(recipe, sort_keys=False, allow_unicode=True) if recipe else "",
        versions=sorted((str(name), str(value)) for name, value in versions.items()),
        inputs=_inputs(said.get("inputs")),
        not_recognised=[str(name) for name in said.get("not_recognised") or []],
    )


def _names(given: Any) -> str | None:
    named = given if isinstance(given, list) else [given]
    return ", ".join(str(one) for one in named if one) or None


def _object(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


def _inputs(given: Any) -> list[InputFile]:
    try:
        return msgspec.convert(given or [], list[InputFile])
    except msgspec.ValidationError:
        return []


def _command(said: dict[str, Any]) -> str:
    """run.json holds the recipe with nothing left to defaults. Inputs have no names here that could tell whose they
    are; their hashes are in run.json."""
    limit = f" --limit {said['limit']}" if said.get("limit") else ""
    return f"curate run INPUT... --recipe recipe.yaml{limit} --out RUN"
