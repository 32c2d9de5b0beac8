"""Rows are written as JSON straight away: what stands there is a row of the format's type, in the type's own JSON, and
bodies made beforehand are those made at the end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curate.formats.base import (
    FormatOptions,
    Head,
    escape_text,
    format_named,
    json_inside,
    json_inside_all,
    lines,
    pick,
    weight_of,
)
from curate.model.trajectory import Step, Weight
from tests.factories import make_trajectory
from tests.formats.records import PICTURES
from tests.model import strategies

texts = st.text(max_size=12) | st.sampled_from(
    ["<image>", '"\\', "\n\x00\x1f", "é👩‍👩‍👧", "<|im_end|>", " < ", '",', ",", '"']
)
steps = st.builds(
    Step,
    index=st.just(0),
    image=st.none() | st.sampled_from(PICTURES),
    observation=st.none() | texts,
    thought=st.none() | texts,
    action=st.none() | texts,
    actions=strategies.some_actions.filter(lambda actions: "\\ud800" not in ascii(actions)),
    correct=st.sampled_from([True, False, None]),
    redundant=st.sampled_from([True, False, None]),
    reflection=st.none() | texts,
    weight=st.none() | st.floats(0, 2),
)
options = st.builds(
    FormatOptions,
    history=st.none() | st.integers(-1, 5),
    images=st.none() | st.integers(1, 4),
    untrained=st.sampled_from(["omit", "keep"]),
    level=st.sampled_from(["L1", "L2", "L3"]),
    colon=st.booleans(),
    system_prompt=st.none() | texts,
    split=st.sampled_from(["train", "test"]) | texts,
)


@pytest.mark.parametrize("name", ["lesson", "messages", "opencua"])
@settings(max_examples=150)
@given(made=st.lists(steps, max_size=6), told=options, instruction=texts, id=texts, weight=st.floats(0, 3))
def test_a_line_is_a_row_in_its_types_own_json(
    name: str, made: list[Step], told: FormatOptions, instruction: str, id: str, weight: float
) -> None:
    form = format_named(name)
    record = make_trajectory(id, instruction=instruction, weight=Weight(value=weight, by="test"))
    for index, step in enumerate(made):
        step.index = 3 * index
    record.steps = made
    targets = [step.index for step in made[::2]]
    written = list(lines(form, record, targets, told))
    assert len(written) == len(made if told.untrained == "keep" else targets)
    for line in written:
        row: Any = msgspec.json.decode(line, type=form.row)
        assert msgspec.json.encode(row) == line and b"\n" not in line
        assert (row.id, row.trajectory, row.split) == (f"{id}/{row.step}", id, told.split)


@given(made=st.lists(steps, max_size=5), told=options, weight=st.floats(0, 3))
def test_bodies_hang_on_the_record_alone(made: list[Step], told: FormatOptions, weight: float) -> None:
    """Whatever is decided about a run later, its split, weight and id, the bodies stay."""
    for name in ("lesson", "messages", "opencua"):
        form = format_named(name)
        record = make_trajectory("before")
        for index, step in enumerate(made):
            step.index = index
        record.steps = made
        targets = [step.index for step in made]
        picked = pick(record, targets, told)
        before = list(form.bodies(record, picked, msgspec.structs.replace(told, split="x")))
        record.id, record.weight = "after", Weight(value=weight, by="test")
        heads = (
            Head("after", step.index, told.split, weight_of(weight, step.weight), record.source.name, True)
            for step in made
        )
        assert [form.line(head, body) for head, body in zip(heads, before, strict=True)] == list(
            lines(form, record, targets, told)
        )


@given(texts, texts)
def test_text_inside_a_string_is_joined_piece_by_piece(one: str, other: str) -> None:
    assert json_inside(one) + json_inside(other) == json_inside(one + other)
    assert escape_text(one) + "\n" + escape_text(other) == escape_text(f"{one}\n{other}")


@given(st.lists(texts, max_size=6))
@example(['a",', "b"])
@example([""])
def test_texts_made_at_once_are_those_made_one_by_one(some: list[str]) -> None:
    assert json_inside_all(some) == [json_inside(text) for text in some]
    assert json_inside_all(some, escape_text) == [json_inside(escape_text(text)) for text in some]
