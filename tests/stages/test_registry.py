"""Stages are found by their files, and all of them keep the promises of stages.base."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages import registry
from curate.stages.base import VERDICTS, DecisionInput, ReadsFiles, Rewrites, Stage, TakesOut
from tests.stages.factories import buttons, measured

ALL = sorted(registry.stages())


def test_every_stage_of_the_default_order_is_there():
    assert set(registry.DEFAULT_ORDER) <= set(ALL)
    with pytest.raises(KeyError):
        registry.stage("none")


@pytest.mark.parametrize("name", ALL)
def test_a_stage_that_does_more_is_known_to_do_it(name):
    """A method of one of these names on something that is no whole stage would never be called."""
    stage = registry.stage(name)
    assert isinstance(stage, Stage)
    for method, kind in {"files": ReadsFiles, "rewrite": Rewrites, "open_input": TakesOut, "mask": TakesOut}.items():
        assert hasattr(stage, method) == isinstance(stage, kind)


@pytest.mark.parametrize("name", ALL)
def test_options_are_frozen_documented_and_strict(name):
    stage = registry.stage(name)
    fields = stage.options.__struct_fields__
    assert stage.measure_options <= set(fields)
    assert all(f"`{field}`" in (stage.options.__doc__ or "") for field in fields)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"no_such_option": 1}, stage.options)
    stage.options()  # every option has a default
    with pytest.raises(AttributeError):
        setattr(stage.options(), fields[0] if fields else "x", None)


NAMES = st.lists(st.sampled_from(["a", "b", "c", "scroll", "end"]), max_size=7)
ENDED, KIND = st.sampled_from([True, False, None]), st.sampled_from(["human", "model", None])
RUN = st.tuples(NAMES, st.sampled_from(["One two", "Do this now"]), ENDED, KIND)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=25, deadline=None)
@given(drawn=st.lists(RUN, max_size=7), out=st.sets(st.integers(0, 6)))
def test_every_decision_answers_for_every_run_in_order(name, drawn, out):
    """Conservation, at each stage: what goes in is kept, dropped or put aside, once, and steps are of kept runs."""
    stage = registry.stage(name)
    runs = [
        buttons(f"r{i}", names, text, completed=done, **({"kind": kind} if kind else {}))
        for i, (names, text, done, kind) in enumerate(drawn)
    ]
    measures = {each: measured(registry.stage(each), runs) for each in {name, "nearcopies", "images"} & set(ALL)}
    assert all(table.column_names[0] == "id" for table in measures.values())
    alive = [r.id for i, r in enumerate(runs) if i not in out]
    table = stage.decide(DecisionInput(alive=alive, measures=measures, verdicts={}), stage.options())
    assert all(table.schema.field(field.name) == field for field in VERDICTS)
    rows = table.to_pylist()
    assert [row["id"] for row in rows if row["step"] is None] == alive
    kept = {row["id"] for row in rows if row["step"] is None and row["verdict"] == "keep"}
    assert all((row["reason"] is None) == (row["verdict"] == "keep") for row in rows)
    steps = [(row["id"], row["step"]) for row in rows if row["step"] is not None]
    assert len(steps) == len(set(steps))
    assert all(id in kept for id, _ in steps)
    again = stage.decide(DecisionInput(alive=alive, measures=measures, verdicts={}), stage.options())
    assert again.equals(table)
