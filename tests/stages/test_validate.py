"""Lints: what each one sees, that only two of them drop by default, and cuts."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.actions import Click, HScroll, Scroll, Terminate, Write
from curate.stages.measures.dates import named_dates
from curate.stages.measures.loops import find_loop
from curate.stages.measures.risk_words import mentions
from curate.stages.measures.run_lints import count_words
from curate.stages.validate import STAGE, ValidateOptions
from tests.stages.factories import buttons, decided, kept, press_button, reasons, run, said, step


def flags_of(record, options=None):
    (row,) = [row for row in decided(STAGE, [record], options) if row["step"] is None]
    return row["flags"] or []


def test_min_steps_is_the_recipes():
    four = buttons("a", ["w", "x", "y", "end"])
    assert kept(decided(STAGE, [four])) == ["a"]
    assert reasons(decided(STAGE, [four], ValidateOptions(min_steps=5))) == {"a": "validate.too_few_steps"}
    assert reasons(decided(STAGE, [buttons("none", [])])) == {"none": "validate.no_steps"}


@pytest.mark.parametrize(("scrolls", "stays"), [(2, True), (3, False)])
def test_two_scrolls_stay_and_three_go(scrolls, stays):
    steps = [step(i, Scroll(amount=-1) if i % 2 else HScroll(amount=1)) for i in range(scrolls)]
    rows = decided(STAGE, [run("a", steps)], ValidateOptions(max_scrolls=2))
    assert kept(rows) == (["a"] if stays else [])
    assert kept(decided(STAGE, [run("a", steps)])) == ["a"]  # off unless asked for


@pytest.mark.parametrize(
    ("keys", "loop"),
    [
        ("aaa", (0, 1)), ("ababab", (0, 2)), ("aab", None), ("aaba", None), ("xabcabcabc", (1, 3)), ("", None),
        ("ababa", None), ([None, None, None], None),
    ],
)  # fmt: skip
def test_a_loop_is_three_rounds_without_a_break(keys, loop):
    assert find_loop(list(keys)) == loop


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", None]), max_size=14))
def test_the_first_loop_is_the_one_that_trying_every_place_finds(keys):
    def tried():
        for start in range(len(keys)):
            for period in range(1, 6):
                window = keys[start : start + 3 * period]
                if len(window) == 3 * period and None not in window and window == window[:period] * 3:
                    return start, period
        return None

    assert find_loop(keys) == tried()


def test_loops_flag_and_drop_only_when_asked():
    looping = run("a", [step(i, Click(x=0.5001 + i / 10000, y=0.2)) for i in range(3)])  # the same spot, a shaky hand
    assert "validate.loop" in flags_of(looping)
    assert reasons(decided(STAGE, [looping], ValidateOptions(loops="drop"))) == {"a": "validate.loop"}
    apart = run("b", [step(i, Click(x=0.1 + i / 10, y=0.2)) for i in range(3)])
    assert "validate.loop" not in flags_of(apart)
    assert "validate.loop" not in flags_of(run("c", [step(i) for i in range(3)]))  # nothing known of any step


def test_clicks_off_the_picture_are_one_only_if_their_pixels_are():
    def off(*points):
        return run("a", [step(i, Click(raw_point=p) if p else Click()) for i, p in enumerate(points)])

    assert "validate.loop" not in flags_of(off((827.0, 843.0), (835.0, 872.0), (435.0, 790.0)))
    assert "validate.loop" in flags_of(off((827.0, 843.0), (828.0, 843.0), (826.0, 842.0)))
    assert "validate.loop" not in flags_of(off(None, None, None))  # nobody knows where they were


def test_a_coordinate_out_of_range_puts_the_run_aside():
    for bad in (1.0001, -0.0001, float("nan"), float("inf")):
        rows = decided(STAGE, [run("a", [step(0, Click(x=bad, y=0.5))]), buttons("b", ["x"])])
        assert reasons(rows) == {"a": "validate.coordinate_out_of_range"}
        assert rows[0]["verdict"] == "quarantine"
        assert kept(rows) == ["b"]


def test_gaps_are_flagged_and_indices_out_of_order_cannot_be_trusted():
    assert "validate.step_gap" in flags_of(run("a", [press_button(0, "x"), press_button(2, "y")]))
    rows = decided(STAGE, [run("a", [press_button(1, "x"), press_button(1, "y")])])
    assert reasons(rows) == {"a": "validate.schema"}


def test_captcha_cuts_the_run_there():
    steps = [press_button(0, "Search"), press_button(1, "I'm not a robot"), press_button(2, "Go")]
    rows = decided(STAGE, [run("a", steps)], ValidateOptions(captcha="cut"))
    assert [(row["step"], row["reason"]) for row in rows if row["step"] is not None] == [
        (1, "validate.captcha"), (2, "validate.captcha")]  # fmt: skip
    assert kept(rows) == ["a"]
    assert reasons(decided(STAGE, [run("a", steps)], ValidateOptions(captcha="drop"))) == {"a": "validate.captcha"}
    assert flags_of(run("a", steps)) == ["validate.no_terminate", "validate.captcha"]


def test_two_cuts_leave_each_step_out_once():
    steps = [press_button(0, "Log in"), press_button(1, "Checkout"), press_button(2, "Done")]
    rows = decided(STAGE, [run("a", steps)], ValidateOptions(login="cut", payment="cut"))
    assert [row["step"] for row in rows if row["step"] is not None] == [0, 1, 2]


def test_login_payment_and_state():
    assert "validate.login" in flags_of(run("a", [press_button(0, "x")], "Log in to the shop and find a hat"))
    assert "validate.payment" in flags_of(run("a", [press_button(0, "Pay now")]))
    assert "validate.writes_state" in flags_of(run("a", [press_button(0, "Post")]))
    assert "validate.writes_state" in flags_of(run("a", [said(0, "tap Send")]))
    # composing is not, and neither are a list of orders or the word inside another
    composing = run(
        "a", [step(0, Write(text="post this please")), press_button(1, "Order history"), said(2, "tap Postal")]
    )
    assert "validate.writes_state" not in flags_of(composing)


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("captcha", ["reCAPTCHA", "I'm not a robot", "Are you human?", "Verify that you are human", "unusual traffic",
                     "https://challenges.cloudflare.com/x", "cf-challenge"]),
        ("login", ["Log in", "LOG-IN", "login.php", "Sign in", "signin", "Password:", "passcode", "2FA", "two-factor",
                   "Verification code", "one-time code", "one time code",
                   "https://accounts.google.com", "x.com/oauth"]),
        ("payment", ["Checkout", "check-out", "Pay now", "Payment", "Place order", "place your order", "Buy now",
                     "Credit card", "card number", "CVV", "Billing address", "Complete purchase", "PayPal"]),
    ],
)  # fmt: skip
def test_words_on_the_screen(kind, texts):
    assert all(mentions(kind, f"Shop\n{text}\nelse") for text in texts)
    assert not mentions(kind, "Search results\nsettings\nblogging insight\ncheck out the forest\ngit checkout main")


def test_a_date_has_passed_only_against_a_given_today():
    trip = run("a", [press_button(0, "x")], "Book a room from 5 November 2024 on")
    assert "validate.expired_date" not in flags_of(trip)
    assert "validate.expired_date" in flags_of(trip, ValidateOptions(today=date(2026, 1, 1)))
    assert "validate.expired_date" not in flags_of(trip, ValidateOptions(today=date(2024, 11, 5)))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2024-11-05 and Nov 6, 2024", ["2024-11-05", "2024-11-06"]), ("the 3rd of May 2023", ["2023-05-03"]),
        ("in Jan 2023", ["2023-01-31"]), ("03/04/2025", ["2025-04-03"]), ("31/02/2025", []),
        ("13/02/2025", ["2025-02-13"]),
        ("next Monday at 7:00, May 5", []), ("version 2024 of June", []), ("Feb 2024", ["2024-02-29"]),
    ],
)  # fmt: skip
def test_dates_named_in_full(text, days):
    assert [day.isoformat() for day in named_dates(text)] == days


def test_words_are_counted_where_nobody_puts_spaces():
    assert count_words("Open the settings") == 3
    assert count_words("打开系统设置") == 3
    assert count_words("在 Chrome 中打开设置") == 4
    assert count_words("") == 0


def test_the_end_and_the_instructions_length():
    assert flags_of(run("a", [step(0, Terminate(status=None))])) == []
    assert flags_of(run("a", [press_button(0, "x")])) == ["validate.no_terminate"]
    assert flags_of(run("a", [step(0, Terminate())], "Go")) == ["validate.instruction_length"]
