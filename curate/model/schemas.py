"""JSON Schemas, made from the types (Draft 2020-12), and the sentence for what does not fit one.

`engine.schemas` collects the schemas of every layer; here are the tools and the record's own schema.
"""

from __future__ import annotations

import difflib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from curate.model.coordinates import is_fraction
from curate.model.trajectory import SCHEMA, Trajectory, decode

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_COORDINATES = ("x", "y", "to_x", "to_y")
_ERRORS_READ = 100  # of one record: a record that is wrong throughout has millions
_SHOWN_CHARS = 60


def schema_of(name: str, kind: Any, title: str, **more: Any) -> dict[str, Any]:
    """The JSON Schema of a type. `name` is its versioned name (`trajectory.v1`), which also makes its `$id`."""
    made = msgspec.json.schema(kind)
    head = {"$schema": DRAFT, "$id": f"urn:cua-curate:schema:{name}", "title": title}
    return {**head, **made, **more}


@cache
def trajectory_schema() -> dict[str, Any]:
    """The schema of a record."""
    return schema_of(SCHEMA, Trajectory, "One trajectory: an instruction, its steps, how it ended")


def file_name(name: str) -> str:
    return f"{name}.schema.json"


def to_text(schema: Mapping[str, Any]) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def write(folder: Path, schemas: Mapping[str, Mapping[str, Any]]) -> list[Path]:
    """Writes each schema to `folder` under its name; gives the files that changed."""
    changed = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas.items():
        path, text = folder / file_name(name), to_text(schema)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(path)
    return changed


# --- what is wrong with a record ------------------------------------------------------------------------------


def problem(line: bytes) -> tuple[str, str] | None:
    """Why a line is no record: a code of `model.reasons` and a sentence; None for a line that is one.

    A bad coordinate is `validate.coordinate_out_of_range` whatever else is wrong, also when it is the NaN or
    Infinity that Python writes into JSON; what is no JSON otherwise is `read.json`.
    """
    try:
        decode(line)
        return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        refused = error
    foreign: list[str] = []

    def foreign_number(name: str) -> float:
        foreign.append(name)
        return float(name)

    try:
        obj = json.loads(line, parse_constant=foreign_number)
    except UnicodeDecodeError as error:
        return "read.encoding", f"Byte {error.start + 1} of the line is not UTF-8; write the file as UTF-8."
    except RecursionError:
        return "read.json", "The line is nested too deeply to be a record."
    except json.JSONDecodeError as error:
        return "read.json", f"The line is not JSON: {str(error)[:200]}."
    except ValueError:  # all else that Python's reader refuses; its sentence names a setting of Python
        return "read.json", "The line holds a number of thousands of digits, which no field may."
    wrong = coordinate_problem(obj)
    if wrong is not None:
        return "validate.coordinate_out_of_range", wrong
    if "surrogate" in str(refused):  # Python reads them, no file or table can hold them
        return "read.json", f"The line is not JSON: it writes half of a character (\\ud800 to \\udfff): {refused}."
    if foreign:
        return "read.json", f"The line is not JSON: {foreign[0]} is no JSON value; write null for what is not known."
    return "validate.schema", explain(obj) or f"The record does not fit the schema: {str(refused)[:200]}."


def coordinate_problem(obj: object) -> str | None:
    """The sentence for the first coordinate of a record, in plain JSON types, that is no number from 0 to 1."""
    for path, value in _coordinates(obj):
        if not is_fraction(value):
            why = f"{path} is {_shown(value)}, which is no number from 0 to 1"
            return f"{why}; coordinates are fractions of the picture: divide pixels by its size, write null if unknown."
    return None


def _coordinates(obj: object) -> Iterator[tuple[str, object]]:
    """Every coordinate that is not null, with its JSON path."""
    for index, step in enumerate(_list(_get(obj, "steps"))):
        for number, action in enumerate(_list(_get(step, "actions"))):
            for name in _COORDINATES:
                value = _get(action, name)
                if value is not None:
                    yield f"$.steps[{index}].actions[{number}].{name}", value
        for number, value in enumerate(_list(_get(_get(step, "element"), "box"))):
            yield f"$.steps[{index}].element.box[{number}]", value


def _get(obj: object, name: str) -> Any:
    return obj.get(name) if isinstance(obj, dict) else None


def _list(obj: object) -> list[Any]:
    return obj if isinstance(obj, list) else []


def explain(obj: object, schema: Mapping[str, Any] | None = None) -> str | None:
    """The sentence for what in `obj` (plain JSON types) does not fit a schema, by default the record's: what, where
    as a JSON path, and how to put it right; None when it fits."""
    from jsonschema.exceptions import relevance

    validator = _record_validator() if schema is None else _validator(to_text(schema))
    try:
        errors = list(itertools.islice(validator.iter_errors(obj), _ERRORS_READ))
        if not errors:
            return None
        return _sentence(_deepest(max(errors, key=relevance)))
    except RecursionError:
        return "The value is nested too deeply to be read."


@cache
def _record_validator() -> Any:
    return _validator(to_text(trajectory_schema()))


@cache
def _validator(text: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(text))


def _deepest(error: Any) -> Any:
    """The error inside a choice that says most: of the branch that the value means to be."""
    while error.context:
        branches = error.validator_value
        mapping = _get(_get(error.schema, "discriminator"), "mapping")
        if mapping is not None:
            tag = _get(error.schema, "discriminator")["propertyName"]
            target = mapping.get(_get(error.instance, tag)) if isinstance(_get(error.instance, tag), str) else None
            wanted = [number for number, branch in enumerate(branches) if branch.get("$ref") == target]
        else:
            wanted = [number for number, branch in enumerate(branches) if branch.get("type") != "null"]
        inside = [inner for inner in error.context if inner.schema_path[0] in wanted]
        if not inside or (mapping is None and len(wanted) != 1):
            return error
        error = min(inside, key=lambda inner: (len(inner.path), inner.validator != "additionalProperties"))
    return error


def _sentence(error: Any) -> str:
    """One sentence for one error of jsonschema."""
    place, value, kind, rule = error.json_path[:200], error.instance, error.validator, error.validator_value
    if kind == "additionalProperties" and isinstance(value, dict):
        known = sorted(error.schema.get("properties", {}))
        extra = next(name for name in value if name not in known)
        return f"{place} has the unknown field {_shown(extra)}; {_hint(extra, known, 'its fields are')}."
    if kind == "required":
        missing = next(name for name in rule if name not in value)
        return f"{place} lacks {missing!r}; add it."
    if kind == "enum":
        return f"{place} is {_shown(value)}; {_hint(value, rule, 'allowed are')}."
    if kind == "type":
        kinds = rule if isinstance(rule, list) else [rule]
        return f"{place} is {_shown(value)}; it must be {' or '.join(map(_a, kinds))}."
    if kind == "anyOf":
        return _choice_sentence(error, place)
    limits = {"minimum": "at least", "maximum": "at most", "minLength": "of at least", "minItems": "of at least"}
    if kind in limits:
        unit = {"minLength": " characters", "minItems": " items"}.get(kind, "")
        return f"{place} is {_shown(value)}; it must be {limits[kind]} {rule}{unit}."
    return f"{place} is {_shown(value)}, which does not fit ({kind}: {_shown(rule)})."


def _choice_sentence(error: Any, place: str) -> str:
    discriminator = _get(error.schema, "discriminator")
    if discriminator is not None:
        tag = discriminator["propertyName"]
        if not isinstance(error.instance, dict):
            return f"{place} is {_shown(error.instance)}; it must be an object with a {tag!r}."
        if tag not in error.instance:
            return f"{place} lacks {tag!r}; add it."
        known = list(discriminator["mapping"])
        given = error.instance[tag]
        return f"{place}.{tag} is {_shown(given)}, which is not known; {_hint(given, known, 'known are')}."
    kinds = [_a(branch["type"]) for branch in error.validator_value if isinstance(branch.get("type"), str)]
    return f"{place} is {_shown(error.instance)}; it must be {' or '.join(kinds) or 'something else'}."


def _hint(given: object, known: Sequence[Any], otherwise: str) -> str:
    near = difflib.get_close_matches(str(given)[:_SHOWN_CHARS], [str(name) for name in known], n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(map(str, known)) or 'none'}"


def _a(kind: str) -> str:
    return {"null": "null", "integer": "a whole number", "array": "a list", "string": "text",
            "boolean": "true or false", "object": "an object"}.get(kind, f"a {kind}")  # fmt: skip


def _shown(value: object) -> str:
    """A value as JSON, cut short: what is wrong may be huge."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    text = json.dumps(value) if isinstance(value, str) else str(value)
    if value is None or isinstance(value, bool):
        text = json.dumps(value)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
