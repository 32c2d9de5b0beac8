"""The record's schema accepts what the types accept, and says what is wrong with the rest."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from curate.model.actions import Action
from curate.model.schemas import explain, problem, trajectory_schema
from curate.model.trajectory import Element, Origin, Step, Trajectory, convert, encode
from tests.model import strategies

RECORD: dict[str, Any] = json.loads(
    encode(
        Trajectory(
            id="a",
            source=Origin(name="test"),
            instruction="Do it",
            steps=[
                Step(
                    index=0,
                    actions=msgspec.convert([{"type": "click", "x": 0.5, "y": 0.5}], list[Action]),
                    element=Element(role="edit", box=(0.1, 0.1, 0.2, 0.2)),
                )
            ],
        )
    )
)


def _with(path: str, value: object) -> dict[str, Any]:
    """The record with the value at a path such as `steps.0.actions.0.x`."""
    record = copy.deepcopy(RECORD)
    at: Any = record
    *way, last = path.split(".")
    for part in way:
        at = at[int(part)] if isinstance(at, list) else at[part]
    at[int(last) if isinstance(at, list) else last] = value
    return record


def test_schema_is_valid_and_fits_a_record() -> None:
    Draft202012Validator.check_schema(trajectory_schema())
    assert explain(RECORD) is None
    assert problem(json.dumps(RECORD).encode()) is None


@settings(max_examples=50)
@given(strategies.some_actions)
def test_every_encoded_record_fits(actions: list[Action]) -> None:
    record = Trajectory(
        id="a", source=Origin(name="test"), instruction="x", steps=[Step(index=0, actions=_no_surrogates(actions))]
    )
    assert explain(json.loads(encode(record))) is None


def _no_surrogates(actions: list[Action]) -> list[Action]:
    kept = []
    for action in actions:
        try:
            msgspec.json.encode(action)
        except UnicodeEncodeError:
            continue
        kept.append(action)
    return kept


@pytest.mark.parametrize("value", ["1.0001", "-0.0001", "301", "NaN", "Infinity", "-Infinity", "true", '"0.5"', "[]"])
@pytest.mark.parametrize("path", ["steps.0.actions.0.x", "steps.0.actions.0.y", "steps.0.element.box.3"])
def test_bad_coordinates_have_their_own_reason(path: str, value: str) -> None:
    line = json.dumps(_with(path, "@")).replace('"@"', value).encode()
    found = problem(line)
    assert found is not None
    reason, sentence = found
    assert reason == "validate.coordinate_out_of_range"
    assert path.rsplit(".", 1)[-1] in sentence and "0 to 1" in sentence and "$.steps[0]" in sentence


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("instrction", "x", ["'instrction'", "did you mean 'instruction'"]),
        ("steps.0.actons", [], ["$.steps[0]", "did you mean 'actions'"]),
        ("steps.0.actions.0.colour", 1, ["$.steps[0].actions[0]", "colour", "modifiers"]),
        ("steps.0.actions.0.type", "clik", ["$.steps[0].actions[0].type", "did you mean 'click'"]),
        ("steps.0.actions.0", {"type": "write"}, ["lacks 'text'"]),
        ("steps.0.actions.0", {"x": 0.1}, ["lacks 'type'"]),
        ("steps.0.actions.0", "click", ["an object with a 'type'"]),
        ("steps.0.actions.0.modifiers", ["crtl"], ["$.steps[0].actions[0].modifiers[0]", "did you mean 'ctrl'"]),
        ("steps.0.correct", "yes", ["$.steps[0].correct", "true or false"]),
        ("steps.0.index", -1, ["$.steps[0].index", "at least 0"]),
        ("steps.0.element.box", [0.1, 0.2], ["$.steps[0].element.box"]),
        ("steps", None, ["$.steps", "a list"]),
        ("platform", "window", ["$.platform", "did you mean 'windows'"]),
        ("schema", "trajectory.v2", ["$.schema", "trajectory.v1"]),
    ],
)
def test_sentences_say_what_where_and_how_to_fix(path: str, value: object, says: list[str]) -> None:
    found = problem(json.dumps(_with(path, value)).encode())
    assert found is not None and found[0] == "validate.schema"
    for part in says:
        assert part.strip("'") in found[1].replace('"', "").replace("'", "") or part in found[1], found[1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "read.json"),
        (b"", "read.json"),
        (b"hello", "read.json"),
        (b'{"id": "\xff"}', "read.encoding"),
        (b"[" * 100_000, "read.json"),
        (json.dumps(RECORD).replace('"index": 0', '"index": 0, "weight": NaN').encode(), "read.json"),
        (b"[]", "validate.schema"),
        (b"null", "validate.schema"),
        (b'{"a": ' * 5000 + b"1" + b"}" * 5000, "read.json"),
    ],
)
def test_what_is_no_record_at_all(line: bytes, reason: str) -> None:
    found = problem(line)
    assert found is not None and found[0] == reason, found
    assert len(found[1]) < 600


_values = st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.floats(), max_size=3)


@settings(max_examples=200)
@given(
    st.sampled_from(["steps.0.actions.0.x", "steps.0.index", "steps.0.weight", "id", "steps", "weight.value"]), _values
)
def test_reason_agrees_with_the_types(path: str, value: object) -> None:
    line = json.dumps(_with(path, value)).encode()
    found = problem(line)
    try:
        convert(json.loads(line))
        fits = b"NaN" not in line and b"Infinity" not in line
    except msgspec.ValidationError:
        fits = False
    assert (found is None) == fits


@pytest.mark.parametrize("size", [[0, 5], [-1, -1], [2**62, 2**62]])
def test_a_picture_has_a_size_that_pictures_have(size: list[int]) -> None:
    line = json.dumps(_with("steps.0.image_size", size)).encode()
    reason, sentence = problem(line) or ("", "")
    assert reason == "validate.schema" and "image_size" in sentence


def test_half_a_character_is_no_json() -> None:
    line = json.dumps(RECORD).encode().replace(b'"instruction": "', b'"instruction": "\\ud800 ')
    reason, sentence = problem(line) or ("", "")
    assert reason == "read.json" and "half of a character" in sentence
