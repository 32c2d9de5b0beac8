"""What the scripted people do: an order form, a shop page, an editor, a terminal, and going between windows."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools" / "dump")]

from desk import Desk  # noqa: E402
from hand import Box  # noqa: E402
from look import Look, paper, rows, words  # noqa: E402
from person import Person  # noqa: E402
from place import FormPlaces, PagePlaces  # noqa: E402

NOTES = "Week 14\n\nDentist on Tuesday at nine.\nReturn the drill to Omar.\nCall the plumber.\n\nmilk, butter\nflour\n"
SHELL = Box(260, 60, 820, 520)


@dataclass
class Place:
    """A desk with what was started on it. `folder`: where the programs write."""

    desk: Desk
    folder: Path
    look: Look
    close: list[Callable[[], None]] = field(default_factory=list)
    form: FormPlaces | None = None
    page: PagePlaces | None = None


@dataclass(frozen=True)
class Session:
    """One recording: what is started, what is done, at which pace. `program` names it in the table."""

    name: str
    program: str
    pace: str
    seed: int
    prepare: Callable[[Place], None]
    work: Callable[[Place, Person], None]


# --- programs -------------------------------------------------------------------------------------------------


def start_form(place: Place) -> None:
    """The order form on Tk."""
    ourselves = {"user": None, "group": None, "extra_groups": None}  # who may run this Python
    place.desk.start([sys.executable, str(HERE / "form.py"), str(place.folder)], **ourselves)
    place.desk.window("orderform")
    place.form = FormPlaces(place.folder)
    place.form.box("save")


def start_page(place: Place) -> None:
    """Chromium on the shop page."""
    page = place.page = PagePlaces()
    place.close.append(page.close)
    place.desk.start(
        ["chromium", "--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions",
         "--password-store=basic", f"--user-data-dir={place.desk.home / 'browser'}",
         "--window-position=30,14", "--window-size=1220,680", f"http://127.0.0.1:{page.port}/"],
    )  # fmt: skip
    place.desk.window("chromium")
    place.look.settled(1.0, 8)


def start_editor(place: Place) -> None:
    """Mousepad with a note."""
    notes = place.desk.home / "week 14.txt"
    notes.write_text(NOTES, encoding="utf-8")
    place.desk.start(["mousepad", str(notes)])
    place.desk.put_window("mousepad", Box(210, 60, 820, 560))


def start_shell(place: Place) -> None:
    """xterm with a plain shell."""
    place.desk.start(
        ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "11", "-geometry", "90x28+260+60", "-title", "Terminal", "-e",
         "sh", "-c", "cd /usr/share; exec sh -i"],
    )  # fmt: skip
    place.desk.window("xterm")
    place.look.settled(0.5, 4)


def start_all(place: Place) -> None:
    """The form, with an editor and a terminal over parts of it."""
    start_form(place)
    start_editor(place)
    place.desk.put_window("mousepad", Box(560, 120, 640, 440))
    start_shell(place)


# --- work -----------------------------------------------------------------------------------------------------


def fill_form(place: Place, person: Person) -> None:
    """An order: texts, ticks, a slow save, a menu, rows of a list, a dialogue, a drag, another page and back."""
    assert place.form is not None
    box, at = place.form.box, person.at
    at(box("name"), lights=False)
    person.keys("Ada Lovelace")
    person.chord("tab")
    person.keys("ada@engine.org")
    at(box("street"), lights=False)
    person.keys("12 Mill Street")
    at(box("plus"))
    person.again(box("plus"))
    at(box("gift"))
    at(box("newsletter"))
    at(box("options"))
    at(box("entry1"))
    at(box("save"), rest=0.9)
    at(box("row4"), times=1)
    person.wheel(box("rows"), "down", 4)
    at(box("row6"), times=2)
    at(box("edit"), lights=False)
    person.keys("two packs")
    at(box("ok"))
    person.carry(box("card"), (box("board").x + 680, box("board").y + 105))
    at(box("report"), rest=0.7)
    at(box("back"))
    at(box("help"))
    at(box("cancel"))
    at(box("note"), lights=False)
    person.keys("ring twice, pleaze\b\bse")
    person.chord("ctrl", "s")
    at(box("express"))
    at(box("options"))
    at(box("entry3"))
    at(box("minus"))
    at(box("row2"))
    at(box("report"))
    at(box("print"))
    at(box("ok"))
    at(box("back"))
    at(box("clear"))
    at(box("new"))


def fill_form_slowly(place: Place, person: Person) -> None:
    """A few acts with long looks between them."""
    assert place.form is not None
    box, at = place.form.box, person.at
    at(box("email"), lights=False)
    person.keys("ada@")
    at(box("save"))
    at(box("express"))
    at(box("options"))
    at(box("entry2"))
    at(box("report"))
    at(box("back"))
    at(box("help"))
    at(box("ok"))


def shop(place: Place, person: Person) -> None:
    """Hover menus, cards, slow pages, a dialogue under the pointer, a form that checks, a list, a drag."""
    assert place.page is not None
    box, at = place.page.box, person.at
    at(box("card-1"))
    at(box("card-3"))
    _through_menu(place, person, "m-shop", "s-cups")
    at(box("card-4"))
    at(box("basket"))
    at(box("back"))
    at(box("name"))
    person.keys("Ada")
    at(box("mail"))
    person.keys("ada@engine.org")
    at(box("t-gift"))
    at(box("more"))
    person.again(box("more"))
    at(box("send"), rest=0.9)
    person.wheel(box("list"), "down", 5)
    at(Box(box("list").x + 10, box("list").y + 120, 150, 20))
    person.carry(box("puck"), (box("lane").x + 400, box("lane").y + 55))
    at(box("orders"))
    at(box("back"))
    at(box("remove"))
    at(box("no"))
    _through_menu(place, person, "m-help", "h-mail")
    at(box("yes"))
    at(box("card-0"))
    at(box("card-2"), times=2)
    at(box("t-fast"))
    at(box("less"))
    at(box("refresh"), rest=0.8)
    at(box("card-5"))
    at(box("name"))
    person.keys(" L.")
    person.chord("tab")
    person.keys("\b\bcom")
    _through_menu(place, person, "m-shop", "s-sale")
    at(box("card-0"))
    at(box("basket"))
    at(box("again"))
    at(box("back"))
    at(box("send"))


def shop_slowly(place: Place, person: Person) -> None:
    """The same shop with long looks."""
    assert place.page is not None
    box, at = place.page.box, person.at
    at(box("card-1"))
    at(box("orders"))
    at(box("back"))
    at(box("mail"))
    person.keys("ada@")
    at(box("send"))
    at(box("remove"))
    at(box("yes"))
    at(box("t-gift"))


def _through_menu(place: Place, person: Person, title: str, item: str) -> None:
    assert place.page is not None
    person.look()
    title_box = place.page.box(title)
    person.move_to(title_box.x + title_box.width // 2, title_box.y + title_box.height // 2)
    time.sleep(0.35)
    found = place.page.box(item)
    middle = (found.x + 50, found.y + found.height // 2)
    person.move_to(title_box.x + title_box.width // 2, title_box.y + title_box.height + 2)
    person.aim_at(found)
    person.move_to(*middle)
    time.sleep(0.12)
    person.press_here()
    person.move_to(middle[0] + 420, middle[1] + 190)  # off the menu, which stays open as long as the pointer is on it


def write_notes(place: Place, person: Person) -> None:
    """An editor: caret, words, lines, menus, a dialogue, hotkeys."""
    sheet = paper(place.look.settled(), place.desk.window("mousepad"))

    def line(number: int) -> Box:
        return rows(place.look.see(), sheet, gap=2)[number]

    def word(number: int, of: int) -> Box:
        return words(place.look.see(), line(number))[of]

    def plain(box: Box, **more: Any) -> None:
        person.at(box, lights=False, **more)

    plain(word(1, 2), times=2)
    person.keys("Friday")
    plain(word(2, 1))
    person.chord("end")
    person.keys(" Today.")
    person.chord("ctrl", "a")
    plain(Box(sheet.x + 400, sheet.y + 300, 100, 40))
    person.keys("and rye bread\n")
    plain(word(3, 0), times=3)
    person.chord("ctrl", "x")
    menus = words(place.look.see(), Box(sheet.x, sheet.y - 24, 400, 18), gap=8)
    person.at(menus[1])
    place.look.settled(0.3)
    entries = _entries(place, menus[1])
    person.at(entries[0])
    person.chord("ctrl", "f")
    person.keys("drill")
    person.chord("esc")
    plain(word(1, 1), times=2)
    person.chord("delete")
    person.at(menus[2])
    place.look.settled(0.3)
    person.chord("esc")
    plain(word(0, 0))
    person.keys("My ")
    person.chord("ctrl", "z")
    plain(line(3), button="right")
    place.look.settled(0.3)
    person.chord("esc")
    plain(word(0, 0))
    person.carry(word(1, 0), (sheet.x + 200, line(2).y + 8))
    person.chord("ctrl", "c")
    plain(line(2))


def _entries(place: Place, title: Box) -> list[Box]:
    """Rows of an opened menu below its title."""
    area = Box(title.x + 4, title.y + title.height + 10, 120, 160)
    return rows(place.look.see(), area, gap=6)


def use_shell(place: Place, person: Person) -> None:
    """A terminal: commands, a slow one, scrolling back, selecting a word."""
    person.at(Box(SHELL.x + 300, SHELL.y + 200, 100, 100), lights=False)
    for command in ("ls\n", "date\n", "sleep 0.6; echo ready\n", "wc -l /etc/passwd\n", "ls -l | head -40\n"):
        person.keys(command)
        person.look()
    person.wheel(Box(SHELL.x + 300, SHELL.y + 200, 100, 100), "up", 3)
    person.at(Box(SHELL.x + 100, SHELL.y + 120, 60, 12), times=2, lights=False)
    person.keys("echo done; clear\n")
    person.keys("for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done\n")
    person.look()
    person.keys("pwd\n")


def go_between(place: Place, person: Person) -> None:
    """Windows over each other: clicks bring them to the front, alt+tab too."""
    assert place.form is not None
    edge = Box(100, 560, 60, 40)
    box = place.form.box
    person.at(Box(740, 300, 120, 60), lights=False)
    person.keys("Copied. ")
    person.at(edge, lights=False)
    person.at(box("street"), lights=False)
    person.keys("12 Mill")
    person.chord("alt", "tab")
    place.look.settled(0.3)
    person.keys("ok\n")
    person.chord("alt", "tab")
    place.look.settled(0.3)
    person.at(box("save"))
    person.at(box("gift"))
    person.chord("alt", "tab")
    place.look.settled(0.3)
    person.keys("more ")
    person.at(edge, lights=False)
    person.at(box("plus"))
    person.at(box("report"))
    person.at(box("back"))


def sessions() -> list[Session]:
    """All of them: about a third of the steps are where things light up under the pointer."""
    kinds: list[tuple[str, str, Callable[[Place], None], Callable[[Place, Person], None]]] = [
        ("form", "usual", start_form, fill_form), ("form", "fast", start_form, fill_form),
        ("form", "slow", start_form, fill_form_slowly), ("page", "usual", start_page, shop),
        ("page", "fast", start_page, shop), ("page", "slow", start_page, shop_slowly),
        ("editor", "usual", start_editor, write_notes), ("editor", "fast", start_editor, write_notes),
        ("shell", "usual", start_shell, use_shell), ("shell", "fast", start_shell, use_shell),
        ("windows", "usual", start_all, go_between), ("windows", "fast", start_all, go_between),
    ]  # fmt: skip
    return [
        Session(f"{program}-{pace}", program, pace, random.Random(i).randrange(1000), prepare, work)
        for i, (program, pace, prepare, work) in enumerate(kinds)
    ]
