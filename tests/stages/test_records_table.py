"""Records as a table whose columns are made when asked: the columns are those of the table that is made whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.arrow import SCHEMA, to_table, too_wide
from curate.model.trajectory import Origin, Score, Step, Trajectory, encode
from curate.stages.arrays import one_array
from curate.stages.records_table import RecordsTable, may_hold, of_steps
from tests.factories import make_trajectory

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
maybe = st.none() | texts
steps = st.lists(
    st.builds(Step, index=st.integers(0, 9), actions=st.just([]), app=maybe, url=maybe, thought=maybe), max_size=4
)
records = st.lists(
    st.builds(
        Trajectory,
        id=texts,
        source=st.builds(Origin, name=texts, file=maybe, line=st.none() | st.integers(1, 9)),
        instruction=texts,
        wordings=st.dictionaries(texts, texts, max_size=2),
        template=maybe,
        apps=st.lists(texts, max_size=2),
        scores=st.lists(st.just(Score(name="s", value=1.0, min=0.0, max=1.0, higher_is_better=True)), max_size=2),
        steps=steps,
    ),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(records)
def test_columns_are_those_of_the_whole_table(made: list[Trajectory]) -> None:
    lines = [encode(record) for record in made]
    whole, lazy = to_table(made), RecordsTable(made, lines)
    assert whole.equals(RecordsTable(made).whole())
    for name in SCHEMA.names:
        assert one_array(whole[name]).to_pylist() == one_array(lazy[name]).to_pylist()
        assert whole[name].type == lazy[name].type
    for name in ("app", "url"):
        assert of_steps(whole, name).to_pylist() == of_steps(lazy, name).to_pylist()
    for row in range(len(made)):
        assert of_steps(whole.slice(row, 1), "app").to_pylist() == of_steps(lazy.slice(row, 1), "app").to_pylist()


@given(records, texts.filter(bool))
def test_what_no_line_holds_no_record_holds(made: list[Trajectory], text: str) -> None:
    held = any(text in str(encode(record), "utf-8") or text in record.instruction for record in made)
    lazy = RecordsTable(made, [encode(record) for record in made])
    said = [record.instruction for record in made] + [step.thought or "" for record in made for step in record.steps]
    assert may_hold(lazy, [text.encode()]) or not any(text in one for one in said)
    assert may_hold(lazy, [text.encode()]) <= held or not held


@pytest.mark.parametrize("where", ["index", "line", "events", "presses"])
@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**70])
def test_a_number_beyond_64_bits_is_seen_before_a_table_is_made(where: str, number: int) -> None:
    from curate.model.actions import Press

    record = make_trajectory()
    step = record.steps[0]
    match where:
        case "index":
            step.index = number
        case "line":
            record.source.line = number
        case "events":
            step.events = [0, number]
        case _:
            step.actions = [Press("a", number)]
    assert too_wide(record) == (number >= 2**63)
    if not too_wide(record):
        assert to_table([record]).num_rows == 1
    else:
        with pytest.raises(Exception, match=r"."):
            to_table([record])
