"""Quick looks at a run tell what going through it step by step tells."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.actions import Click, Hotkey, Press, Scroll, Wait, Write
from curate.model.steps import Steps
from curate.model.trajectory import Element, Step
from curate.stages.measures.loops import find_loop, loop_key, loop_of, may_loop, rough_key
from curate.stages.measures.risk_words import SHOWN_KINDS, first_writings, may_show, mentions, shown_text, writes_state
from curate.stages.measures.run_lints import measure_runs
from tests.model import strategies
from tests.stages.factories import run

labels = st.none() | st.sampled_from(["Post", "Posts by", "  Send now", "Search", "Delete", "Log in", "checkout", ""])
words = st.none() | st.sampled_from(
    ['Click the "Post" button', " tap  Send", "type a password", "Press Delete", "git checkout", "Are you a robot"]
)
few = st.sampled_from(
    [Click(x=0.1, y=0.1), Click(x=0.101, y=0.1), Scroll(amount=-3.0), Scroll(amount=-3.001), Write("a"), Wait(1.0),
     Press("enter"), Hotkey(("ctrl", "s"))]
)  # fmt: skip
steps = st.lists(
    st.builds(
        Step,
        index=st.just(0),
        actions=st.lists(few, max_size=2) | strategies.some_actions,
        element=st.none() | st.builds(Element, name=labels),
        action=words,
    ),
    max_size=12,
)


@settings(max_examples=300)
@given(steps)
def test_loops_are_those_of_all_keys(made: list[Step]) -> None:
    found = find_loop([loop_key(step) for step in made])
    assert loop_of(made) == found
    three = [*made, *made, *made]  # as three runs: what goes on from one to the next is no loop
    rough, runs = [rough_key(step) for step in three], np.repeat([4, 5, 6], len(made))
    assert may_loop(rough, runs) >= ({4, 5, 6} if found else set())
    assert may_loop(rough, runs) == {
        number for number in (4, 5, 6) if find_loop([(key,) for key in rough[: len(made)]])
    }


@settings(max_examples=300)
@given(steps, st.sampled_from(["Do it", "Sign in and pay now"]))
def test_what_is_shown_and_written_is_that_of_each_step(made: list[Step], instruction: str) -> None:
    for index, step in enumerate(made):
        step.index = index
    other = run("other", [Step(index=0, actions=[Click(x=0.1, y=0.1)], element=Element(name="Send"))], "Do it")
    written = next(((step.index, label) for step in made if (label := writes_state(step))), None)
    columns = Steps([other, run("r", made, instruction)])
    assert first_writings(columns) == {0: (0, "Send")} | ({} if written is None else {1: written})
    row = measure_runs(columns)[1]
    assert row[-1] == (None if written is None else {"step": written[0], "words": written[1]})
    shows = may_show(columns)
    for step in columns.all[1:]:
        assert step in shows.get(1, []) or not any(mentions(kind, shown_text(step)) for kind in SHOWN_KINDS)
    assert 1 in shows or not any(mentions(kind, instruction) for kind in SHOWN_KINDS)
    first = [next((step.index for step in made if mentions(kind, shown_text(step))), None) for kind in SHOWN_KINDS]
    assert [found and found["step"] for found in row[-4:-1]] == first
