"""Sessions on a GTK text editor."""

from __future__ import annotations

from tests.replay.person import Box, Person
from tests.replay.stage import Mousepad, Session

FIRST, SECOND, THIRD = Mousepad.TEXT.splitlines()


def cut_and_paste(person: Person, pad: Mousepad) -> None:
    start = pad.word(1, 0)
    person.click(Box(start.x - 1, start.y, 2, start.height))
    person.hotkey("shift", "end")
    person.hotkey("ctrl", "x")
    person.hotkey("ctrl", "home")
    person.hotkey("ctrl", "v")
    person.hotkey("ctrl", "s")


def replace_words(person: Person, pad: Mousepad) -> None:
    person.click(pad.word(0, 1), times=2)
    person.type("row")
    person.click(pad.word(2, 1), times=3)
    person.type("the end")
    person.hotkey("ctrl", "s")


def arrows(person: Person, pad: Mousepad) -> None:
    person.hotkey("ctrl", "home")
    person.hotkey("shift", "right", times=5)
    person.press("delete")
    person.hotkey("ctrl", "right", times=2)
    person.hotkey("ctrl", "shift", "right")
    person.type("X ")
    person.hotkey("ctrl", "z")
    person.press("down")
    person.press("home")
    person.press("right", 3)
    person.press("backspace", 2)
    person.hotkey("ctrl", "s")


def by_menus(person: Person, pad: Mousepad) -> None:
    bar = pad.menus()
    person.click(bar[1])
    person.press("esc")
    person.hotkey("ctrl", "end")
    person.type("last words")
    person.hotkey("ctrl", "a")
    person.hotkey("ctrl", "c")
    person.press("right")
    person.hotkey("ctrl", "v")
    person.click(pad.menus()[0])
    person.press("esc")
    person.hotkey("ctrl", "s")


def drag_a_word(person: Person, pad: Mousepad) -> None:
    person.click(pad.word(0, 1), times=2)
    word, end = pad.word(0, 1), pad.word(2, 2)
    person.drag(word, Box(end.x + end.width - 2, end.y + 3, 4, 6), slow=True)
    person.hotkey("ctrl", "s")


def select_by_dragging(person: Person, pad: Mousepad) -> None:
    first, last = pad.word(0, 0), pad.word(1, 1)
    person.drag(Box(first.x - 1, first.y + 4, 2, 4), Box(last.x + last.width, last.y + 4, 2, 4))
    person.type("New beginning")
    person.hotkey("ctrl", "s")


def accents(person: Person, pad: Mousepad) -> None:
    person.hotkey("ctrl", "end")
    person.type("ça va, señor? 5 €, ß æ ø é.")
    person.press("enter")
    person.type_injected("日本 Привет ½ ✓")
    person.hotkey("ctrl", "s")


def dead_keys(person: Person, pad: Mousepad) -> None:
    person.layout("us", "-variant", "intl")
    person.hotkey("ctrl", "end")
    person.type_with_dead_keys("caf´e, na¨ive, `a la b^ete, ~nandu", "café, naïve, à la bête, ñandu")
    person.hotkey("ctrl", "s")


SESSIONS = [
    Session("mousepad-cut-paste", "editing", Mousepad, cut_and_paste, f"{SECOND}{FIRST}\n\n{THIRD}\n", quick=True),
    Session("mousepad-replace", "double and triple clicks", Mousepad, replace_words,
            f"first row of the notes\n{SECOND}\nthe end\n"),
    Session("mousepad-arrows", "editing", Mousepad, arrows),
    Session("mousepad-menus", "menus", Mousepad, by_menus, (Mousepad.TEXT + "last words") * 2),
    Session("mousepad-drag-word", "drag and drop", Mousepad, drag_a_word),
    Session("mousepad-select", "editing", Mousepad, select_by_dragging, "New beginning is here\nthird one ends it\n"),
    Session("mousepad-accents", "Unicode", Mousepad, accents,
            Mousepad.TEXT + "ça va, señor? 5 €, ß æ ø é.\n日本 Привет ½ ✓"),
    Session("mousepad-dead-keys", "Unicode", Mousepad, dead_keys, Mousepad.TEXT + "café, naïve, à la bête, ñandu"),
]  # fmt: skip
