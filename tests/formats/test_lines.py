"""Rows are written as JSON straight away: what stands there is a row of the format's type, in the type's own JSON, and
bodies made beforehand are those made at the end."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curate.formats.base import (
    NO_ROW,
    FormatOptions,
    Head,
    escape_text,
    format_named,
    formats,
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

ONLY_TRAINED = ("aguvis", "llamafactory", "scalecua", "trl")
"""Formats whose trainers train on every row: they have none for a step that is no target."""

texts = st.text(max_size=12) | st.sampled_from(
    ["<image>", '"\\', "\n\x00\x1f", "é👩‍👩‍👧", "<|im_end|>", " < ", '",', ",", '"']
)
steps = st.builds(
    Step,
    index=st.just(0),
    image=st.none() | st.sampled_from(PICTURES),
    image_size=st.none() | st.tuples(st.integers(1, 4000), st.integers(1, 4000)),
    observation=st.none() | texts,
    thought=st.none() | texts,
    action=st.none() | texts,
    actions=strategies.some_actions.filter(lambda actions: not re.search(r"\\ud[89a-f]", ascii(actions))),
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
    coordinates=st.sampled_from([None, "relative", "absolute"]),
    max_pixels=st.none() | st.integers(1000, 3_000_000),
    system_prompt=st.none() | texts,
    split=st.sampled_from(["train", "test"]) | texts,
)


BY_STEP = [name for name, form in formats().items() if not form.by_run]


@pytest.mark.parametrize("name", BY_STEP)
@settings(max_examples=100)
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
    refused = {step.index for step, why in zip(made, form.why_not(record, told), strict=True) if why is not None}
    wanted = [step.index for step in made if told.untrained == "keep" or step.index in targets]
    if name not in ONLY_TRAINED:
        assert len(written) == len([index for index in wanted if index not in refused])
    else:
        assert len(written) == len([index for index in targets if index not in refused])
    assert bool(refused) <= (not form.writes_all)
    for line in written:
        row: Any = msgspec.json.decode(line, type=form.row)
        assert msgspec.json.encode(row) == line and b"\n" not in line
        assert (row.id, row.trajectory, row.split) == (f"{id}/{row.step}", id, told.split)


@given(made=st.lists(steps, max_size=5), told=options, weight=st.floats(0, 3))
def test_bodies_hang_on_the_record_alone(made: list[Step], told: FormatOptions, weight: float) -> None:
    """Whatever is decided about a run later, its split, weight and id, the bodies stay."""
    for name in BY_STEP:
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
        finished = [form.line(head, body) for head, body in zip(heads, before, strict=True) if body != NO_ROW]
        assert finished == list(lines(form, record, targets, told))


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
