"""One form for one thing, twice is once, and nothing that a person typed is changed."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.actions import (
    Action,
    Click,
    Hotkey,
    KeyDown,
    KeyUp,
    MoveTo,
    Press,
    Scroll,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from curate.model.render import canonical, code_of, plain_code, plain_codes
from curate.model.steps import Steps
from curate.model.trajectory import Element, Step, decode, encode
from curate.stages.normalise import STAGE, NormaliseOptions, _step, normalise_record, settle
from tests.model import strategies
from tests.stages.factories import decided, kept, measured, run, said, step


def one(made, **fields):
    return normalise_record(run("r", [made], **fields)).steps[0]


def test_actions_code_and_words_have_one_form():
    made = one(step(0, KeyDown(key="ctrlleft"), Click(x=0.123456, y=0.5), KeyUp(key="ctrlleft")))
    assert made.actions == [Click(x=0.1235, y=0.5, modifiers=("ctrl",))]
    assert made.code is not None and made.code.splitlines()[0] == "pyautogui.keyDown('ctrl')"
    assert made.action and made.flags == ["words_generated"]
    assert one(step(0, Hotkey(keys=("C", "ctrl")))).actions == one(step(0, Hotkey(keys=("ctrl", "c")))).actions
    kept_words = one(step(0, Press(key="enter"), action="  Confirm  "))
    assert (kept_words.action, kept_words.flags) == ("Confirm", [])


def test_what_code_does_not_carry_is_not_lost():
    off = Click(raw_point=(1056.0, 900.0))
    assert one(step(0, off, flags=["off_screen"])).actions == [off]
    by_id = Click(element_id="119")
    assert one(step(0, by_id)).actions == [by_id]


def test_an_element_that_misses_the_point_is_anothers():
    near, far = Element(role="button", name="A", box=(0.1, 0.1, 0.2, 0.2)), Click(x=0.5, y=0.5)
    made = one(
        step(0, far, image_size=(1000, 500)).__class__(index=0, actions=[far], element=near, image_size=(1000, 500))
    )
    assert made.element is None and made.raw_box == (100.0, 50.0, 200.0, 100.0)
    inside = one(step(0).__class__(index=0, actions=[Click(x=0.2, y=0.1)], element=near))
    assert inside.element == near


def test_typed_text_and_given_words_are_not_touched():
    text = "  Cafe\u0301\u200b  \x07"
    assert one(step(0, Write(text=text))).actions == [Write(text=text)]
    lesson = one(said(0, "tap Settings"))
    assert (lesson.action, lesson.actions, lesson.code, lesson.flags) == ("tap Settings", [], None, [])


def test_places_and_instruction():
    made = normalise_record(
        run("r", [step(0, app="Google Chrome", url="https://mail.google.com/x")], " Cafe\u0301\x00 \n")
    )
    assert (made.instruction, made.apps, made.sites) == ("Caf\u00e9", ["chrome"], ["google.com"])
    stated = normalise_record(run("r", [step(0, app="vlc")], apps=["GIMP", "gimp"], sites=["www.a.co.uk"]))
    assert (stated.apps, stated.sites) == (["gimp"], ["a.co.uk"])


FRACTION = st.floats(0, 1)
ACTION = st.one_of(
    st.builds(Click, x=FRACTION, y=FRACTION, modifiers=st.sampled_from([(), ("ctrl",), ("shift", "ctrl")])),
    st.builds(MoveTo, x=FRACTION, y=FRACTION),
    st.builds(Write, text=st.text(max_size=8)),
    st.builds(Press, key=st.sampled_from(["enter", "Return", "ctrlleft", "a", "A", "?"]), presses=st.integers(1, 3)),
    st.builds(Hotkey, keys=st.lists(st.sampled_from(["ctrl", "c", "shift", "del"]), min_size=1, max_size=3).map(tuple)),
    st.builds(KeyDown, key=st.sampled_from(["ctrl", "altleft"])),
    st.builds(KeyUp, key=st.sampled_from(["ctrl", "altleft"])),
    st.builds(Scroll, amount=st.floats(-9, 9)),
    st.builds(Swipe, x=FRACTION, y=FRACTION, to_x=FRACTION, to_y=FRACTION),
    st.builds(Wait, seconds=st.none() | st.floats(0, 9)),
    st.builds(Terminate),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(ACTION, max_size=4), max_size=4),
    st.text(max_size=20),
    st.lists(st.text(max_size=12), max_size=2),
    st.lists(st.text(max_size=12), max_size=2),
)
def test_twice_is_once(steps, instruction, apps, sites):
    record = run("r", [step(i, *actions) for i, actions in enumerate(steps)], instruction, apps=apps, sites=sites)
    before = encode(record)
    first = normalise_record(record)
    assert encode(record) == before  # the record given is not changed
    assert normalise_record(first) == first
    assert decode(encode(first)) == first  # and what comes out is a record


def test_every_run_is_kept_and_counted():
    records = [
        normalise_record(
            run("r", [step(0, Click(x=0.1, y=0.1)), step(1, Click(raw_point=(1.0, 900.0)), flags=["off_screen"])])
        )
    ]
    assert kept(decided(STAGE, records)) == ["r"]
    assert measured(STAGE, records).to_pylist() == [
        {
            "id": "r",
            "steps": 2,
            "words_generated": 2,
            "without_words": 0,
            "without_code": 1,
            "off_screen": 1,
            "elements": 0,
        }
    ]


def test_terminal_codes_go_as_a_whole():
    hostile = "\x1b]0;title\x07Buy \x1b[1;31mred\x1b[0m shoes\x07\x1b]8;;http://x\x1b\\"
    assert normalise_record(run("r", [step(0, Press(key="enter"))], instruction=hostile)).instruction == "Buy red shoes"
    brackets = "Press [31m] and ]0; \x1b"
    assert normalise_record(run("r", [step(0, Press(key="a"))], instruction=brackets)).instruction == brackets[:-2]


_texts = (
    st.none() | st.text(max_size=6) | st.sampled_from(["Click it", " Save ", "a\x00b", "Cafe\u0301", "\x1b[31mred"])
)
_boxes = st.none() | st.tuples(*[st.floats(0, 1)] * 4)
_any_step = st.builds(
    Step,
    index=st.integers(0, 3),
    actions=strategies.some_actions,
    action=_texts,
    low_level=_texts,
    code=st.none() | st.just("x"),
    element=st.none() | st.builds(Element, role=st.none() | st.just("button"), name=_texts, box=_boxes),
    image_size=st.none() | st.just((100, 50)),
    flags=st.lists(st.sampled_from(["edge", "off_screen", "words_generated"]), max_size=3),
)


@settings(max_examples=400)
@given(st.lists(st.lists(_any_step, max_size=3), max_size=3), st.booleans(), st.booleans())
def test_what_is_seen_at_once_is_what_the_rule_gives(made: list[list[Step]], coded: bool, words: bool) -> None:
    """A quick look over the steps of many records tells what the rule would do; here it is held against the rule, which
    goes through every step."""
    if coded:
        made = [[msgspec.structs.replace(one, code=code_of(one.actions)) for one in steps] for steps in made]
    options = NormaliseOptions(words=words)
    records = [
        run(f"r{number}", steps, instruction=" Buy it ", apps=["GIMP"][:number]) for number, steps in enumerate(made)
    ]
    before = [repr(record) for record in records]
    by_rule = [normalise_record(record, options) for record in records]
    for record, rule in zip(records, by_rule, strict=True):
        # repr tells -0.0 from 0.0 and 1 from 1.0
        assert repr(rule.steps) == repr([_step(one, options) for one in record.steps])
    settled = settle(Steps(records), options)
    for record, done, came, rule in zip(records, settled, before, by_rule, strict=True):
        assert repr(record) == (repr(rule) if done else came)


@given(strategies.some_actions)
def test_plain_code_is_the_code(actions: list[Action]) -> None:
    code = plain_code(actions)
    assert plain_codes([actions, [], actions]) == [code, None, code]
    assert code is None or (code == code_of(actions) and repr(canonical(actions)) == repr(list(actions)))
