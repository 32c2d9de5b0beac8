"""Generated sentences name the target, the text and the keys."""

from __future__ import annotations

import pytest
from hypothesis import given

from curate.model import actions as act
from curate.model.trajectory import Element
from curate.model.words import words
from tests.model import strategies

SEARCH = Element(role="edit", name="Search")


@pytest.mark.parametrize(
    ("actions", "element", "sentence"),
    [
        ([act.Click(0.157, 0.1229)], SEARCH, 'Click the edit "Search"'),
        ([act.Click(0.157, 0.1229)], Element(role="button"), "Click the button"),
        ([act.Click(0.157, 0.1229)], Element(name="OK"), 'Click the "OK"'),
        ([act.Click(0.157, 0.1229)], Element(), "Click at (0.157, 0.1229)"),
        ([act.RightClick(0.5, 0.5, ("ctrl", "shift"))], None, "Right-click at (0.5, 0.5) while holding Ctrl+Shift"),
        ([act.Click(raw_point=(-5.0, 3.0))], None, "Click at a point that is not known"),
        ([act.MoveTo(0.1, 0.2), act.DragTo(0.3, 0.4)], None, "Drag from (0.1, 0.2) to (0.3, 0.4)"),
        ([act.MoveTo(0.1, 0.2), act.DragTo(0.3, 0.4)], SEARCH, 'Drag the edit "Search" to (0.3, 0.4)'),
        ([act.MoveTo(0.1, 0.2), act.Scroll(-3.0)], None, "Scroll down 3 notches at (0.1, 0.2)"),
        ([act.MoveTo(0.1, 0.2), act.Scroll(1.0, modifiers=("ctrl",))], SEARCH,
         'Scroll up 1 notch over the edit "Search" while holding Ctrl'),
        ([act.HScroll(-0.5, "page")], None, "Scroll left 0.5 pages"),
        ([act.MoveTo(0.1, 0.2)], SEARCH, 'Move the pointer to the edit "Search"'),
        ([act.Write('say "hi"\n')], None, 'Type "say \\"hi\\"\\n"'),
        ([act.Press("down", 4)], None, "Press Down 4 times"),
        ([act.Press("pagedown", 2)], None, "Press Page Down twice"),
        ([act.Hotkey(("ctrl", "c"))], None, "Press Ctrl+C"),
        ([act.KeyDown("alt"), act.Press("tab"), act.Press("tab"), act.KeyUp("alt")], None,
         "Hold Alt, then press Tab, then press Tab, then release Alt"),
        ([act.Wait(1.0)], None, "Wait 1 second"),
        ([act.Terminate("success")], None, "Finish: the task is done"),
        ([act.Terminate()], None, "Finish"),
        ([act.Click(0.1, 0.1), act.Write("a")], SEARCH, 'Click the edit "Search", then type "a"'),
        ([act.Click(element_id="42")], None, 'Click element "42"'),
        ([act.SelectOption(0.1, 0.1, value="Red")], Element(role="list"), 'Select "Red" in the list'),
        ([], None, ""),
    ],
)  # fmt: skip
def test_sentences(actions: list[act.Action], element: Element | None, sentence: str) -> None:
    assert words(actions, element) == sentence


@given(strategies.some_actions, strategies.texts, strategies.texts)
def test_words_are_one_printable_line_and_name_every_action(actions: list[act.Action], role: str, name: str) -> None:
    sentence = words(actions, Element(role=role, name=name * 50))
    assert bool(sentence) == bool(actions)
    assert len(sentence.splitlines()) <= 1
    sentence.encode("utf-8")
