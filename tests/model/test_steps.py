"""Columns of steps say of each step what the step says."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.actions import POINTED, Terminate
from curate.model.steps import KINDS, Steps, fields_together, is_kind
from curate.model.trajectory import Element, Step
from tests.factories import make_trajectory
from tests.model import strategies

some_steps = st.lists(
    st.builds(
        Step,
        index=st.integers(0, 9),
        actions=strategies.some_actions,
        action=st.sampled_from([None, "", "Click it"]),
        element=st.none() | st.builds(Element, name=st.sampled_from([None, "", "Save"])),
        correct=st.sampled_from([None, True, False]),
        flags=st.lists(st.just("edge"), max_size=1),
    ),
    max_size=4,
)


@settings(max_examples=100)
@given(st.lists(some_steps, max_size=4))
def test_columns_are_the_fields_of_all_steps(runs: list[list[Step]]) -> None:
    records = [make_trajectory(f"r{number}", steps=steps) for number, steps in enumerate(runs)]
    steps, flat = Steps(records), [step for run in runs for step in run]
    assert len(steps) == len(flat) and steps.all == flat
    for name in Step.__struct_fields__:
        assert all(one is getattr(step, name) for one, step in zip(steps.of(name), flat, strict=True))
    assert [steps.all[first:last] for first, last in steps.bounds] == runs
    assert steps.parts(steps.of("index")) == [[step.index for step in run] for run in runs]
    assert steps.element_names == [step.element.name if step.element else None for step in flat]
    assert steps.holding("action").tolist() == [bool(step.action) for step in flat]
    for value in (None, True, False):
        told = steps.where("correct", value)
        assert told.tolist() == [step.correct is value for step in flat]
        assert steps.counted(told) == [sum(step.correct is value for step in run) for run in runs]
    assert steps.has_flags == any(step.flags for step in flat)


@settings(max_examples=100)
@given(st.lists(some_steps, max_size=4))
def test_actions_know_their_step_and_kind(runs: list[list[Step]]) -> None:
    steps = Steps([make_trajectory(f"r{number}", steps=made) for number, made in enumerate(runs)])
    flat = [(at, action) for at, step in enumerate(steps.all) for action in step.actions]
    assert steps.acted.tolist() == [at for at, _ in flat] and steps.actions == [action for _, action in flat]
    assert [KINDS[kind] for kind in steps.kinds] == [type(action) for _, action in flat]
    ends = [isinstance(action, Terminate) for _, action in flat]
    assert is_kind(Terminate)[steps.kinds].tolist() == ends
    pointed = [place for place, (_, action) in enumerate(flat) if isinstance(action, POINTED)]
    assert steps.pointed_at.tolist() == pointed and steps.pointed == [steps.actions[place] for place in pointed]
    for values, name in zip(steps.points, ("x", "y"), strict=True):
        given_values = [getattr(one, name) for one in steps.pointed]
        assert np.isnan(values).tolist() == [value is None for value in given_values]
        assert values[~np.isnan(values)].tolist() == [value for value in given_values if value is not None]


def test_fields_come_together_however_many_there_are() -> None:
    made = [Step(index=number, actions=[]) for number in range(600)]
    assert fields_together(Step, made)["index"] == list(range(600))
    assert fields_together(Step, []) == {name: [] for name in Step.__struct_fields__}
    assert len(KINDS) == len(set(KINDS)) and set(POINTED) <= set(KINDS)
