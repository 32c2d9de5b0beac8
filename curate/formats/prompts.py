"""The prompt texts of formats. Ours are template files of our own wording (`templates/<format>.<slot>.txt`). Who
fine-tunes a released model trains with the words that it knows: `read_prompts` takes them out of that model's own
prompt file, as its repository has it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from curate.formats.base import Format, FormatOptions
from curate.model.constants import PROMPT_FILE_BYTES
from curate.model.errors import UsageError
from curate.model.near import did_you_mean

_EVERY = "*"  # the slot of a file that is one text


def prompt(options: FormatOptions, name: str, slot: str) -> str:
    """The text of a format's slot: what the options say, else our own template."""
    given = given_prompt(options, slot)
    return template(name, slot) if given is None else given


def given_prompt(options: FormatOptions, slot: str) -> str | None:
    """The text that the options give for a slot, if they do."""
    if options.system_prompt is not None:
        return options.system_prompt
    given = options.prompts or {}
    return given.get(slot, given.get(_EVERY))


@cache
def template(name: str, slot: str) -> str:
    """Our own text of a format's slot."""
    return (Path(__file__).parent / "templates" / f"{name}.{slot}.txt").read_text(encoding="utf-8").rstrip("\n")


def read_prompts(path: Path, form: Format) -> dict[str, str]:
    """The texts of a prompt file by the format's slots: of a `.py` file its string constants (it is parsed, never
    run), of a `.json` or `.yaml` file its members, found by the name they have there; any other file is one text for
    every slot. Raises UsageError for a file that holds none of them."""
    if not form.prompts:
        raise UsageError(f"The format {form.name} has no prompts of its own: leave --prompts out.")
    text = _read(path)
    if path.suffix not in _READERS:
        return _usable({_EVERY: text.removesuffix("\n")}, path)
    try:
        found = {name: value for name, value in _READERS[path.suffix](text).items() if isinstance(value, str)}
    except (ValueError, SyntaxError, RecursionError, MemoryError, yaml.YAMLError) as error:
        line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"The prompt file {path} cannot be read as {path.suffix} ({line}).") from error
    named = {slot: [name for name in (slot, *names) if name in found] for slot, names in form.prompts.items()}
    texts = {slot: found[names[0]] for slot, names in named.items() if names}
    if not texts:
        wanted = sorted({name for slot, names in form.prompts.items() for name in (slot, *names)})
        hint = next((hint for name in sorted(found) if (hint := did_you_mean(name, wanted))), "")
        python = " Of a .py file plain string constants are read: print what code puts together into a text file."
        more = hint or (python if path.suffix == ".py" else "")
        raise UsageError(f"The prompt file {path} has no text named {', '.join(wanted)}.{more}")
    return _usable(texts, path)


def kept_slots(texts: Mapping[str, str], form: Format) -> list[str]:
    """The format's slots that keep our own text beside these, which were read from a file."""
    return [] if _EVERY in texts else [slot for slot in form.prompts if slot not in texts]


def _usable(texts: dict[str, str], path: Path) -> dict[str, str]:
    for slot, text in texts.items():
        why = "is empty" if not text or text.isspace() else "holds a null character" if "\0" in text else None
        if why is not None:
            named = "Its text" if slot == _EVERY else f"Its text {slot}"
            raise UsageError(f"The prompt file {path} is no prompt: {named[0].lower()}{named[1:]} {why}.")
    return texts


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > PROMPT_FILE_BYTES:
            raise UsageError(
                f"The prompt file {path} is larger than {PROMPT_FILE_BYTES:,} bytes: it is no prompt file."
            )
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The prompt file {path} cannot be read: {error}.") from error


def _python(text: str) -> dict[str, Any]:
    """The string constants that a module assigns to names, at whatever depth; of a name's several values the last."""
    found: dict[str, Any] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found |= {target.id: value.value for target in targets if isinstance(target, ast.Name)}
    return found


def _mapping(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise ValueError("it must hold texts by name")
    return given


_READERS: dict[str, Callable[[str], Mapping[str, Any]]] = {
    ".py": _python,
    ".json": lambda text: _mapping(json.loads(text)),
    ".yaml": lambda text: _mapping(yaml.safe_load(text)),
    ".yml": lambda text: _mapping(yaml.safe_load(text)),
}
