"""Sessions in a terminal."""

from __future__ import annotations

from tests.replay.desk import wait_for
from tests.replay.person import Box, Person
from tests.replay.stage import Session, Xterm


def enter(person: Person, command: str) -> None:
    person.type(command)
    person.press("enter")


def commands(person: Person, shell: Xterm) -> None:
    enter(person, 'echo "<a|b>" > n')
    person.press("up")
    person.hotkey("ctrl", "w")
    person.type("m")
    person.press("enter")


def edit_the_line(person: Person, shell: Xterm) -> None:
    person.type("two > ecko")
    person.hotkey("ctrl", "w")
    person.type("line.txt")
    person.hotkey("ctrl", "a")
    person.type("echo ")
    person.hotkey("alt", "f")
    person.hotkey("ctrl", "k")
    person.type("!")
    person.press("home")
    person.press("right", 5)
    person.press("delete")
    person.hotkey("ctrl", "e")
    person.press("left")
    person.hotkey("ctrl", "y")
    person.press("enter")


def pick_and_drop(person: Person, shell: Xterm) -> None:
    enter(person, "cat words.txt")
    wait_for("its lines", lambda: len(shell.rows()) >= 3)
    word = shell.word(1, 1)
    person.click(word, times=2)
    person.type("echo got ")
    person.click(Box(word.x + 300, word.y + 200, 60, 40), "middle")
    person.type(" > got.txt")
    person.press("enter")


def here_text(person: Person, shell: Xterm) -> None:
    enter(person, "cat > long.txt")
    enter(person, 'Dear all: it\'s 100% "fine" ~ `yes`?')
    enter(person, "    indented\\n, <b>#1</b>; x=$HOME [a|b] ^_^")
    person.hotkey("ctrl", "d")
    enter(person, "sleep 30")
    person.hotkey("ctrl", "c")
    person.type("echo after > wor")
    person.press("tab")
    person.press("enter")


def other_letters(person: Person, shell: Xterm) -> None:
    person.type("echo 'niño, 5 € über' > a.txt")
    person.press("enter")
    person.type_injected("echo '日本 Ω → Ж' > b.txt")
    person.press("enter")


SESSIONS = [
    Session("xterm-commands", "hotkeys", Xterm, commands, ["<a|b>\n"] * 2, lambda s: [s.get("n"), s.get("m")],
            quick=True),
    Session("xterm-line", "editing", Xterm, edit_the_line, "wo\n", lambda s: s.get("line.txt!")),
    Session("xterm-pick", "double and triple clicks", Xterm, pick_and_drop, "got beta\n", lambda s: s.get("got.txt")),
    Session("xterm-text", "hotkeys", Xterm, here_text, "after\n", lambda s: s["words.txt"]),
    Session("xterm-letters", "Unicode", Xterm, other_letters, ["niño, 5 € über\n", "日本 Ω → Ж\n"],
            lambda s: [s.get("a.txt"), s.get("b.txt")]),
]  # fmt: skip
