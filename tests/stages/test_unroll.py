"""Which steps are targets, and why the others are not."""

from __future__ import annotations

import pytest

from curate.model.actions import Click, Swipe, Terminate
from curate.stages.unroll import STAGE, UnrollOptions
from curate.stages.verdicts import Verdicts
from tests.stages.factories import buttons, decided, kept, press_button, reasons, run, said, step


def left_out(record, options=None, **kwargs):
    return {
        row["step"]: row["reason"] for row in decided(STAGE, [record], options, **kwargs) if row["step"] is not None
    }


def test_wrong_and_redundant_are_no_targets_and_unknown_is():
    steps = [
        press_button(0, "a", correct=True, redundant=False),
        press_button(1, "b", correct=False),
        press_button(2, "c", correct=True, redundant=True),
        press_button(3, "d"),  # nobody judged it
    ]
    assert left_out(run("r", steps)) == {1: "unroll.wrong_step", 2: "unroll.redundant_step"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (step(1, Terminate(status=None)), "unroll.unknown_end"),
        (step(1), "unroll.no_action"),
        (said(1, "tap Sound"), "unroll.no_action"),
        (step(1, Click(raw_point=(640.0, 900.0)), flags=["off_screen"]), "unroll.off_screen"),
        (step(1, Click(raw_point=(640.0, 900.0))), "unroll.off_screen"),
        (step(1, Swipe(x=None, y=None, to_x=0.5, to_y=0.5)), "unroll.off_screen"),
        (step(1, flags=["unsupported_button"]), "unroll.unsupported_button"),
        (press_button(1, "x", flags=["text_unverified"]), "unroll.text_unverified"),
    ],
)
def test_what_cannot_be_a_target(bad, reason):
    assert left_out(run("r", [press_button(0, "ok"), bad])) == {1: reason}


def test_an_element_id_stands_for_a_point():
    assert left_out(run("r", [step(0, Click(element_id="119"), tree="media/aa/aa.json.zst")])) == {}


def test_ends_whose_status_is_known_are_targets():
    steps = [step(i, Terminate(status=status)) for i, status in enumerate(["success", "failure", "impossible"])]
    assert left_out(run("r", steps)) == {}


def test_words_are_a_target_only_where_the_format_writes_words():
    record = run("r", [said(0, "tap Settings"), step(1)])
    assert left_out(record, UnrollOptions(format="lesson")) == {1: "unroll.no_action"}
    assert left_out(record, UnrollOptions(format="opencua")) == {}  # no target left: the run is dropped whole
    assert left_out(record) == {}  # messages, the default, ask for code too


def test_a_run_without_a_target_is_dropped_and_says_why():
    rows = decided(STAGE, [run("r", [press_button(0, "x", correct=False), step(1, Terminate())]), buttons("k", ["x"])])
    assert reasons(rows) == {"r": "unroll.no_target_left"}
    assert rows[0]["detail"] == "unroll.unknown_end 1, unroll.wrong_step 1"
    assert kept(rows) == ["k"]
    assert all(row["id"] == "k" for row in rows[1:])  # the steps of a run that is out are not listed one by one


def test_steps_that_earlier_stages_left_out_are_counted_once():
    before = Verdicts(["r"])
    before.leave_out("r", 0, "images.blank")
    record = run("r", [press_button(0, "x", correct=False), press_button(1, "y")])
    assert left_out(record, verdicts={"images": before.table()}) == {}
    alone = run("r", [press_button(0, "x")])
    assert reasons(decided(STAGE, [alone], verdicts={"images": before.table()})) == {"r": "unroll.no_target_left"}


def test_what_follows_a_hole_is_a_target_unless_the_recipe_says_otherwise():
    steps = [press_button(0, "a"), press_button(1, "b", flags=["hidden_before"]), press_button(2, "c")]
    assert left_out(run("r", steps)) == {}
    assert left_out(run("r", steps), UnrollOptions(hidden_before="drop_target")) == {1: "unroll.hidden_before"}
    unsure = press_button(0, "a", flags=["hidden_before", "text_unverified"])
    dropping = UnrollOptions(hidden_before="drop_target")
    assert left_out(run("r", [unsure, press_button(1, "b")]), dropping) == {0: "unroll.text_unverified"}


def test_an_end_that_a_hole_reaches_is_never_a_target():
    steps = [press_button(0, "a"), step(1, Terminate(status=None), flags=["hidden_before"])]
    assert left_out(run("r", steps)) == {1: "unroll.unknown_end"}
