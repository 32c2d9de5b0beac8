"""A mixture as one file that can be kept: what `curate mix --recipe FILE` reads, YAML of the keys of `MixRecipe`.

Folders and packs are looked for beside the file, then from where the command is given. What is not known or not allowed
is answered with its line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import Meta

from curate.engine.allowed import allowed
from curate.engine.mixing.columns import KEYS
from curate.engine.mixing.mix import By, MixOptions, checks_of
from curate.engine.strict_yaml import StrictLoader
from curate.model.constants import SEED
from curate.model.errors import UsageError
from curate.model.near import did_you_mean

SCHEMA = "mix-recipe.v1"
Share = Annotated[float, Meta(ge=0)]


class Groups(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Shares of one key over all parts, by its values: one of the three."""

    source: dict[str, Share] = {}
    platform: dict[str, Share] = {}
    actor: dict[str, Share] = {}


class Floor(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The least share of people's data."""

    human: Annotated[float, Meta(ge=0, le=1)]


class MixRecipe(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A mixture. `parts`: dataset and run folders, in the order in which near-copies are looked for: by name with their
    shares (ratios), or a list without. `by`: what shares and `size` are of. `share`: or of one key over all parts.
    `floor`: the least share of people's data. `seed`: which records are drawn. `tests`: packs of test tasks, or their
    files. `nearcopies`, `leaks`: options of those stages. `about`: a sentence for people."""

    parts: dict[str, Share] | list[str]
    about: str = ""
    by: By = "trajectories"
    share: Groups = Groups()
    floor: Floor = Floor(human=0.0)
    size: Annotated[float, Meta(gt=0)] | None = None
    seed: Annotated[int, Meta(ge=0)] = SEED
    tests: list[str] = []
    nearcopies: dict[str, Any] = {}
    leaks: dict[str, Any] = {}


_STAGES: tuple[Literal["nearcopies", "leaks"], ...] = ("nearcopies", "leaks")


def read_mix_recipe(file: Path) -> tuple[list[Path], MixOptions]:
    """The folders and how they are mixed. Raises UsageError for a file that cannot be read, and for any name or value
    in it that is not allowed, with its line."""
    recipe, lines = _read(file)

    def wrong(key: str, why: str) -> UsageError:
        return UsageError(f"{file}, line {lines[key]}: {why}")

    if not recipe.parts:
        raise wrong("parts", "parts names no folder.")
    shares = list(recipe.parts.values()) if isinstance(recipe.parts, dict) else []
    key, groups = _groups(recipe.share, wrong)
    if shares and key is not None:
        raise wrong("share", "shares are of the parts or of a key (share), not of both: make parts a list.")
    if any(math.isinf(share) for share in (*shares, *groups.values())):
        raise wrong("parts" if shares else "share", "a share is a number that ends.")
    if shares and not sum(shares):
        raise wrong("parts", "the shares come to nothing.")
    sets = []
    for stage in _STAGES:
        mine = [f"{stage}.{name}={json.dumps(value)}" for name, value in getattr(recipe, stage).items()]
        try:
            checks_of(MixOptions(sets=mine), [])
        except UsageError as error:
            raise wrong(stage, str(error).removeprefix("--set: ")) from error
        sets += mine
    options = MixOptions(
        by=recipe.by, shares=shares, key=key, groups=groups, size=recipe.size, floor=recipe.floor.human,
        seed=recipe.seed, tests=[_beside(file, name) for name in recipe.tests], sets=sets,
    )  # fmt: skip
    return [Path(_beside(file, name)) for name in recipe.parts], options


def _groups(share: Groups, wrong: Any) -> tuple[str | None, dict[str, float]]:
    given = {key: getattr(share, key) for key in KEYS if getattr(share, key)}
    if len(given) > 1:
        raise wrong("share", f"shares are of one key, not of {' and '.join(given)}.")
    return next(iter(given.items()), (None, {}))


def _beside(file: Path, name: str) -> str:
    """A folder or file that lies beside the recipe; else the name as it is (a pack, or from here)."""
    return str(file.parent / name) if (file.parent / name).exists() else name


def _read(file: Path) -> tuple[MixRecipe, Mapping[str, int]]:
    """The recipe, and the line of each of its keys."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(MixRecipe)}
    lines, given = dict.fromkeys(kinds, 1), {}
    for name, line, value in _members(file):
        where = f"{file}, line {line}"
        if name not in kinds:
            raise UsageError(f"{where}: there is no key {name!r}.{did_you_mean(str(name), kinds)} {_known(kinds)}")
        if name in given:
            raise UsageError(f"{where}: {name} is given twice.")
        try:
            given[name], lines[name] = msgspec.convert(value, kinds[name]), line
        except msgspec.ValidationError as error:
            raise UsageError(f"{where}: {name} must be {_SAID.get(name) or allowed(kinds[name])} ({error}).") from error
    if "parts" not in given:
        raise UsageError(f"{file}: it names no parts; write `parts: {{FOLDER: SHARE, ...}}`, or a list of folders.")
    return MixRecipe(**given), lines


_SAID = {
    "parts": "folders with their shares ({people: 0.6, programs: 0.4}), or a list of folders",
    "share": "shares by the values of a key ({source: {agentnet: 0.5}})",
    "floor": "{human: SHARE}, such as {human: 0.1}",
    "nearcopies": "options of nearcopies by name", "leaks": "options of leaks by name",
}  # fmt: skip


def _known(kinds: Mapping[str, Any]) -> str:
    return f"The keys are {', '.join(kinds)}."


def _members(file: Path) -> list[tuple[Any, int, Any]]:
    """The file's keys, each with its line and its value in plain types."""
    try:
        loader = StrictLoader(file.read_text("utf-8"))
        try:
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise UsageError(f"{file} is no recipe of a mixture: it must hold keys, {_SAID['parts']} behind parts.")
            return [
                (loader.construct_object(key, deep=True), key.start_mark.line + 1,
                 loader.construct_object(value, deep=True))
                for key, value in node.value
            ]  # fmt: skip
        finally:
            loader.dispose()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The recipe {file} cannot be read: {' '.join(str(error).split())}.") from error
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"The recipe {file} is no valid YAML: {' '.join(str(error).split())}.") from error
