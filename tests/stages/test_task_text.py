"""When two instructions are the same task, and what a phrase is."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curate.stages.measures.task_text import content_words, normal_form, normal_words, phrases, task_key, template_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Set an alarm, for 7:00!", "set an alarm for 7:00"),
        ("Set an alarm for 7am", "Set an alarm for 7:00"),
        ("Set an alarm for 07:30 a.m.", "set an alarm for 7:30 AM."),
        ("Set an alarm for 7 pm", "Set an alarm for 19:00"),
        ("Set an alarm for 12am", "Set an alarm for 0:00"),
        ("Wake me at 7 o'clock", "Wake me at 7:00"),
        ("Buy running-shoes under $50", "Buy running shoes under $50"),
        ("ＤＡＲＫ mode", "dark mode"),
        ("Cafe\u0301 menu", "café MENU"),
        ("Pay 1,000 euros", "pay 1000 euros"),
        ("Under $50.00.", "under $50"),
        ("Add two items", "Add 2 items"),
        ("Don’t track me", "Don't track me"),
        ("soft\u00adware update", "software update"),
        ("  many\n spaces ", "many spaces"),
        ("Straße", "STRASSE"),
        ("Set it to 50%", "set it to 50 percent"),
        ("Turn on Wi-Fi", "turn on WiFi"),
        ("Send an e\u2011mail", "Send an email"),
        ("E-mails, please", "emails please"),
        ("Pre-order the co-worker's book", "preorder the coworkers book"),
        ("Check-in online", "check in online"),
        ("Open the to-do list", "open the to do list"),
    ],
)
def test_the_same_task(one, other):
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Set the price to 1.5", "Set the price to 15"),
        ("Install Python 3.10", "Install Python 3.1"),
        ("Move by -5", "Move by 5"),
        ("Learn C++", "Learn C"),
        ("Learn C#", "Learn C++"),
        ("Set an alarm for 7am", "Set an alarm for 7pm"),
        ("Open report1.docx", "Open report2.docx"),
        ("Wake me at 7:00", "Wake me at 7:30"),
        ("Dark mode", "Dark mode on"),
        ("Zoom to 10%", "Zoom to 100%"),
        ("Re-sign the form", "Resign the form"),
        ("Set it to x-axis", "Set it to xaxis"),
        ("Use e-2", "Use e2"),
        ("Open a-e-mail", "Open aemail"),
    ],
)
def test_another_task(one, other):
    assert normal_form(one) != normal_form(other)


def test_nothing_left_is_no_task():
    assert normal_form("!!! ... ?") is None
    assert task_key("") is None


def test_quoted_letters_count_for_the_task_but_not_for_the_normal_form():
    assert normal_form('Name it "Foo"') == normal_form("Name it foo")
    assert task_key('Name it "Foo"') != task_key('Name it "foo"')
    assert task_key("Name it “Foo”") == task_key('name it "Foo".')


def test_one_template_with_the_same_arguments():
    template = "Call {name} at {time}"
    anna = template_key(template, "Call Anna at 7:00")
    assert anna == template_key(template, "At 7am, please call Anna.")
    assert anna != template_key(template, "Call Bob at 7:00")
    assert anna != template_key(template, "Call Anna at 8:00")
    assert template_key(None, "Call Anna") is None


def test_phrases_are_of_content_words():
    assert phrases(content_words("Go to the settings page")) == []
    assert phrases(content_words("Set an alarm for 7:00 tomorrow")) == [
        ("set", "alarm", "7:00"),
        ("alarm", "7:00", "tomorrow"),
    ]


@pytest.mark.parametrize("text", ["Alarm 5 p/m", "Alarm 5~pm", "alarm 5 p\x1bm", "Alarm: 5 p|m!", "alarm 17:00"])
def test_no_sign_hides_a_time(text):
    assert normal_words(text) == ("alarm", "17:00")


@settings(max_examples=400)
@example("0P\x1bM")
@example("I have 5. Am I")
@given(st.text(max_size=60) | st.text(alphabet="0179:.,-apm %'_Co+#é½² h’\u200b", max_size=14))
def test_the_normal_form_is_its_own_normal_form(text):
    form = normal_form(text) or ""
    assert (normal_form(form) or "") == form


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_case_and_punctuation_hide_nothing(words, data):
    noisy = "".join(
        (word.upper() if data.draw(st.booleans()) else word)
        + data.draw(st.sampled_from([" ", ", ", "! ", " - ", " … "]))
        for word in words
    )
    assert normal_words(noisy) == normal_words(" ".join(words))
