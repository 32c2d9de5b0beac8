"""Recipes: what a run does, as YAML. Every key is a section (`reduce`, `keyframes`, the stages), `order` or `seed`;
every option of a section is a field of that section's options, which also holds its default. Nothing else is
accepted: an unknown name is answered with the nearest known one, a wrong value with what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from curate.engine.allowed import allowed, takes_none, takes_text
from curate.engine.publish_limits import PublishLimits
from curate.engine.strict_yaml import load_strictly
from curate.formats.base import format_named
from curate.formats.prompts import read_prompts
from curate.model import data
from curate.model.constants import SEED
from curate.model.errors import UsageError
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.common.facts import ImportOptions
from curate.stages import registry
from curate.store.pack_folder import found_pack

_PLAIN_KEYS = ("about", "order", "seed")

FILE_OPTIONS = {"leaks": ("tests",), "redact": ("secrets",)}
"""Options that name a file."""
READING: dict[str, type[msgspec.Struct]] = {
    "reduce": ReduceOptions,
    "keyframes": KeyframeOptions,
    "import": ImportOptions,
}
"""Sections that say how inputs are read: raw recordings, and what the user states about other people's data."""
PUBLISHING: dict[str, type[msgspec.Struct]] = {"publish": PublishLimits}
"""Sections that change nothing of a run, but what `curate publish` lets through."""


class Recipe(msgspec.Struct, kw_only=True, frozen=True):
    """A resolved recipe: every option of every section has its value. `order`: stages in the order they decide, a
    stage may have several places. `options`: by section, the section's options struct. Options that name files hold
    paths that can be opened from here; a recipe file's own are relative to it."""

    name: str
    order: tuple[str, ...]
    seed: int
    options: dict[str, Any]

    def places(self) -> list[tuple[str, str]]:
        """(place, stage) in order; the second place of a stage is named `leaks_2`."""
        seen: dict[str, int] = {}
        found = []
        for stage in self.order:
            seen[stage] = seen.get(stage, 0) + 1
            found.append((stage if seen[stage] == 1 else f"{stage}_{seen[stage]}", stage))
        return found

    def section(self, name: str) -> dict[str, Any]:
        """The options of a section in plain types. Files show as their names: whose disk they lie on is nobody's
        business, and what they hold counts by hash."""
        plain: dict[str, Any] = msgspec.to_builtins(self.options[name])
        for option in FILE_OPTIONS.get(name, ()):
            if plain.get(option):
                named = plain[option]
                plain[option] = [Path(one).name for one in named] if isinstance(named, list) else Path(named).name
        return plain

    def plain(self) -> dict[str, Any]:
        """The recipe as it stands in run.json: itself a recipe, with nothing left to defaults."""
        return {"order": list(self.order), "seed": self.seed, **{name: self.section(name) for name in self.options}}


def sections() -> dict[str, type[msgspec.Struct]]:
    """Every section with the struct of its options: how recordings are read, the stages by name, publishing."""
    return {**READING, **{name: stage.options for name, stage in registry.stages().items()}, **PUBLISHING}


def load_recipe(name_or_file: str, sets: Iterable[str] = ()) -> Recipe:
    """The recipe of a name (`desktop`) or of a YAML file, with `section.option=value` settings on top.

    Raises UsageError for a recipe that is not there, and for any name or value in it that is not allowed."""
    file = _find(name_or_file)
    given = _read_yaml(file)
    recipe = _with_files(resolve(given, file.stem, f"Recipe {file.name}"), file.parent)
    for setting in sets:
        recipe = _set(recipe, setting)
    return _with_prompts(_with_clusters(_with_redact(_with_packs(recipe))), file.parent)


def read_settings(sets: Iterable[str], names: Sequence[str] = tuple(READING)) -> dict[str, dict[str, Any]]:
    """The sections `names` of READING, in plain types, with settings of the command line: what reading without a run
    depends on. Raises UsageError."""
    given = list(sets)
    for setting in given:
        if setting.split(".", 1)[0] not in names:
            *others, last = names
            listed = f"{', '.join(others)} and {last}" if others else last
            raise UsageError(f"--set {setting}: here only options of {listed} count.")
    recipe = load_recipe("desktop", given)
    return {name: msgspec.to_builtins(recipe.options[name]) for name in names}


def _with_clusters(recipe: Recipe) -> Recipe:
    """Clusters of near-copies are measured where something reads them: leaks spread over them, a split keeps them
    together."""
    options = recipe.options["nearcopies"]
    if options.clusters is None:
        spread = "leaks" in recipe.order and recipe.options["leaks"].spread
        options = msgspec.structs.replace(options, clusters=spread or "split" in recipe.order)
        recipe = msgspec.structs.replace(recipe, options={**recipe.options, "nearcopies": options})
    return recipe


def _with_prompts(recipe: Recipe, folder: Path) -> Recipe:
    """A file of prompts is read here, so that its texts count and stand in run.json: a model is trained with them."""
    options = recipe.options["unroll"]
    if not isinstance(options.prompts, str):
        return recipe
    path = folder / options.prompts
    texts = read_prompts(path if path.is_file() else Path(options.prompts), format_named(options.format))
    options = msgspec.structs.replace(options, prompts=texts)
    return msgspec.structs.replace(recipe, options={**recipe.options, "unroll": options})


def _with_redact(recipe: Recipe) -> Recipe:
    """Secrets are taken out where a recipe names them: before anything looks at pictures, unless its order says where.
    Raises UsageError for an order that takes out what nobody named."""
    named = recipe.options["redact"].secrets is not None
    if "redact" in recipe.order and not named:
        raise UsageError("The order has redact, but redact.secrets names no file: name it, or leave redact out.")
    if not named or "redact" in recipe.order:
        return recipe
    at = recipe.order.index("images") if "images" in recipe.order else 0
    return msgspec.structs.replace(recipe, order=(*recipe.order[:at], "redact", *recipe.order[at:]))


def _with_files(recipe: Recipe, folder: Path) -> Recipe:
    """Relative files of a recipe lie beside it, or else where the command is given."""
    options = dict(recipe.options)
    for section, names in FILE_OPTIONS.items():
        for name in names:
            given = getattr(options.get(section), name, None)
            if given:
                options[section] = msgspec.structs.replace(options[section], **{name: _beside(folder, given)})
    return msgspec.structs.replace(recipe, options=options)


def _beside(folder: Path, given: str | list[str]) -> str | list[str]:
    if isinstance(given, list):
        return [str(_beside(folder, one)) for one in given]
    return str(folder / given) if (folder / given).is_file() else given


def _with_packs(recipe: Recipe) -> Recipe:
    """Names of packs of test tasks become their files; a file of that name goes before. What is neither is told when
    the run is planned."""
    options = recipe.options["leaks"]
    if options.tests is None:
        return recipe
    given = [options.tests] if isinstance(options.tests, str) else options.tests
    files = [one if Path(one).is_file() else str(found_pack(one) or one) for one in given]
    options = msgspec.structs.replace(options, tests=files[0] if isinstance(options.tests, str) else files)
    return msgspec.structs.replace(recipe, options={**recipe.options, "leaks": options})


def with_settings(options: msgspec.Struct, section: str, sets: Iterable[str]) -> msgspec.Struct:
    """The options of a section that is no recipe's, with `section.option=value` settings. Raises UsageError."""
    for setting in sets:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip().startswith(f"{section}."):
            raise UsageError(f"--set {setting}: write {section}.option=value.")
        try:
            value = load_strictly(text) if text.strip() else None
        except yaml.YAMLError as error:
            raise UsageError(f"--set {setting}: the value is no YAML ({_one_line(error)}).") from error
        options = _with_option(options, section, name.strip().partition(".")[2], value, "--set")
    return options


def recipe_names() -> list[str]:
    """The recipes that come with the package."""
    return sorted(path.stem for path in data.folder("pipelines").glob("*.yaml"))


def resolve(given: Mapping[str, Any], name: str, where: str) -> Recipe:
    """A recipe from plain data: defaults filled in, everything checked. `where` begins the error sentences."""
    known = sections()
    options: dict[str, Any] = {section: kind() for section, kind in known.items()}
    for key, value in given.items():
        if key in known:
            options[key] = _section(options[key], key, value, where)
        elif key not in _PLAIN_KEYS:
            raise UsageError(
                f"{where}: there is no section {_quoted(key)}{_did_you_mean(key, [*known, *_PLAIN_KEYS])}."
            )
    seed = given.get("seed", SEED)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise UsageError(f"{where}: seed is {_quoted(seed)}; allowed is a whole number from 0.")
    order = _order(given.get("order", list(registry.DEFAULT_ORDER)), where)
    return Recipe(name=name, order=order, seed=seed, options=options)


def _section(current: msgspec.Struct, section: str, given: Any, where: str) -> msgspec.Struct:
    if not isinstance(given, Mapping):
        raise UsageError(f"{where}: {section} must hold options, such as {section}: {{{_an_option(current)}}}.")
    for option, value in given.items():
        current = _with_option(current, section, option, value, where)
    return current


def _with_option(current: msgspec.Struct, section: str, option: Any, value: Any, where: str) -> msgspec.Struct:
    kinds = {field.encode_name: field for field in msgspec.structs.fields(current)}
    if option not in kinds:
        hint = _did_you_mean(option, kinds)
        raise UsageError(f"{where}: {section} has no option {_quoted(option)}{hint}; it has {', '.join(kinds)}.")
    field = kinds[option]
    if value is False and takes_none(field.type):
        value = None  # YAML reads `off` as false: an option that can be switched off is
    if isinstance(value, int | float) and not isinstance(value, bool) and takes_text(field.type):
        value = str(value)
    try:
        changed = msgspec.convert(value, field.type)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{where}: {section}.{option} is {_quoted(value)}; allowed is {allowed(field.type)}."
        ) from error
    return msgspec.structs.replace(current, **{field.name: changed})


def _order(given: Any, where: str) -> tuple[str, ...]:
    names = registry.stages()
    if not isinstance(given, list) or not given:
        raise UsageError(f"{where}: order must be a list of stages, of {', '.join(names)}.")
    for stage in given:
        if stage not in names:
            raise UsageError(f"{where}: order names {_quoted(stage)}, which is no stage{_did_you_mean(stage, names)}.")
    if given[-1] != "unroll" or given.count("unroll") != 1:
        raise UsageError(f"{where}: order must end with unroll, once: it makes the examples of what is left.")
    return tuple(given)


def _set(recipe: Recipe, setting: str) -> Recipe:
    """The recipe with one `section.option=value` of the command line."""
    name, equals, text = setting.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--set {setting}: write it as section.option=value, such as --set nearcopies.threshold=0.6.")
    where = "--set"
    try:
        value = load_strictly(text) if text.strip() else None
    except yaml.YAMLError as error:
        raise UsageError(
            f"--set {setting}: the value is no YAML ({_one_line(error)}); quote text with '...'."
        ) from error
    name = name.strip()
    if name == "seed" or name == "order":
        plain = {"order": list(recipe.order), "seed": recipe.seed, name: value}
        fresh = resolve(plain, recipe.name, where)
        return msgspec.structs.replace(recipe, order=fresh.order, seed=fresh.seed)
    section, _, option = name.partition(".")
    known = sections()
    if section not in known or not option:
        every = [f"{s}.{field.encode_name}" for s, kind in known.items() for field in msgspec.structs.fields(kind)]
        hint = _did_you_mean(name, [*every, "seed", "order"]) or f"; the sections are {', '.join(known)}"
        raise UsageError(f"{where}: there is no option {_quoted(name)}{hint}.")
    changed = _with_option(recipe.options[section], section, option, value, where)
    return msgspec.structs.replace(recipe, options={**recipe.options, section: changed})


def _find(name_or_file: str) -> Path:
    """The file of a recipe."""
    path = Path(name_or_file)
    named = data.folder("pipelines") / f"{name_or_file}.yaml"
    if path.suffix in (".yaml", ".yml"):
        if path.is_file():
            return path
        raise UsageError(f"There is no recipe file {name_or_file}; the recipes that come along are {_names()}.")
    if path.name == name_or_file and named.is_file():
        return named
    raise UsageError(
        f"There is no recipe {_quoted(name_or_file)}{_did_you_mean(name_or_file, recipe_names())}; "
        f"the recipes that come along are {_names()}, or give a .yaml file."
    )


def _names() -> str:
    return ", ".join(recipe_names())


def _read_yaml(file: Path) -> dict[str, Any]:
    try:
        given = load_strictly(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The recipe {file} cannot be read: {_one_line(error)}.") from error
    except (yaml.YAMLError, TypeError, ValueError) as error:  # TypeError: a key that is a list
        raise UsageError(f"The recipe {file} is no valid YAML: {_one_line(error)}.") from error
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise UsageError(f"The recipe {file} must be sections with options, such as `nearcopies: {{threshold: 0.5}}`.")
    return given


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _an_option(options: msgspec.Struct) -> str:
    first = next(iter(msgspec.structs.fields(options)), None)
    return f"{first.encode_name}: ..." if first else ""


def _quoted(value: Any) -> str:
    """A value as one line of a sentence: text in quotes, control characters as escapes."""
    if value is None or isinstance(value, bool):
        return {None: "empty", True: "true", False: "false"}[value]
    text = f'"{value}"' if isinstance(value, str) else str(value)
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _did_you_mean(given: Any, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(given), list(names), n=1)
    return f' (did you mean "{near[0]}"?)' if near else ""
