"""The recordings of the shipped dump: what each person was asked to do, and what they did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk import NOBODY, SIZE, Desk
from hand import Box, Hand
from look import Look, paper, rows, words
from web import SITES, Web

WINDOW = Box(40, 14, 1200, 680)
CALCULATOR = Path(__file__).parent / "calculator.py"
NOTES = """Week 14

Dentist on Tuesday at nine.
Return the drill to Omar.
Call the plumber about the tap.

Shopping
milk and butter
two lemons
rye flour
coffee filters
"""


@dataclass
class Stage:
    """What a script works with."""

    desk: Desk
    hand: Hand
    look: Look
    web: Web
    keys: dict[str, Box] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Script:
    """One recording. `seed`: the hand. `places`: see Hand. `status`, `reason`: what the person answered at the end."""

    name: str
    instruction: str
    actor: str
    seed: int
    prepare: Callable[[Stage], None]
    perform: Callable[[Stage], None]
    places: int | None = None
    status: str = "success"
    reason: str | None = None


def browser(stage: Stage, site: str) -> None:
    """Chromium on one of the pages, as a window among others."""
    rules = f"MAP * 127.0.0.1:{stage.web.port}"
    stage.web.forget()
    stage.desk.start(
        ["chromium", "--no-sandbox", "--test-type", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
         "--password-store=basic", "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
         f"--user-data-dir={stage.desk.home / ('browser-' + SITES[site])}", f"--host-resolver-rules={rules}",
         f"--window-position={WINDOW.x},{WINDOW.y}", f"--window-size={WINDOW.width},{WINDOW.height}",
         f"http://{site}/"],
    )  # fmt: skip
    stage.desk.window("chromium")
    stage.look.settled(1.5, 20)
    stage.hand.move_to(700, 430)  # the page learns from a move where it is
    stage.hand.pause(0.6, 0.8)


def on(site: str) -> Callable[[Stage], None]:
    """Prepare: the browser on a site."""
    return lambda stage: browser(stage, site)


def buy_tea(stage: Stage) -> None:
    """Filter, open, two packs, basket, discount."""
    hand, box = stage.hand, stage.web.box
    header = Box(760, 122, 150, 16)
    hand.rest_in(header)
    for target in ("cat-green", "tea-sencha", "more"):
        hand.click(box(target))
        if target != "more":
            hand.rest_in(Box(900, 650, 200, 20))
    hand.pause(0.8, 1.1)
    hand.rest_in(Box(900, 620, 200, 20))
    for target in ("add", "cart", "code"):
        hand.click(box(target))
        hand.rest_in(Box(840, 600, 260, 40))
    hand.type("SPRING10")
    hand.pause()
    hand.click(box("apply"))
    hand.rest_in(Box(840, 560, 260, 60))


def buy_tea_again(stage: Stage) -> None:
    """The same by somebody else, who looks at the basket once more at the end."""
    buy_tea(stage)
    stage.hand.click(stage.web.box("cart"))
    stage.hand.rest_in(Box(840, 560, 260, 60))


def answer_mail(stage: Stage) -> None:
    """Open, reply, write, ask for a copy, send."""
    hand, box = stage.hand, stage.web.box
    aside = Box(80, 420, 90, 120)
    hand.rest_in(aside)
    for target in ("mail-lena", "reply", "body"):
        hand.click(box(target))
        hand.rest_in(Box(700, 640, 300, 30) if target == "body" else aside)
    enter(hand, "Hi Lena,")
    enter(hand, "Thursday at seven is fine, see yuo\b\bou in the café on Mill Street.")
    hand.type("I bring the notes.")
    hand.pause()
    for target in ("copy", "send"):
        hand.click(box(target))
        hand.rest_in(aside)


def set_notifications(stage: Stage) -> None:
    """A menu that opens under the pointer, switches, a slider."""
    hand, box = stage.hand, stage.web.box
    margin = Box(1060, 300, 120, 100)
    hand.rest_in(margin)
    hand.move_to(*hand.place_in(box("t-account")))
    hand.pause(0.9, 1.2)
    hand.click(box("m-notify"))
    hand.rest_in(margin)
    hand.click(box("n-late"))
    hand.rest_in(margin)
    hand.click(box("n-news"))
    hand.rest_in(margin)
    hand.move_to(640, 440)
    hand.pause(0.5, 0.7)
    hand.scroll("down", 4)
    hand.rest_in(margin)
    knob = hand.place_in(box("knob"))
    hand.drag(knob, (knob[0] + 130, knob[1] + 2))
    hand.rest_in(margin)
    hand.click(box("n-quiet"))
    hand.rest_in(margin)
    hand.click(box("save"))
    hand.rest_in(margin)


def set_dark_theme(stage: Stage) -> None:
    """The task that is also a benchmark's."""
    hand, box = stage.hand, stage.web.box
    margin = Box(1060, 300, 120, 100)
    hand.rest_in(margin)
    hand.move_to(*hand.place_in(box("t-account")))
    hand.pause(0.9, 1.2)
    for target in ("m-appear", "a-dark", "a-contrast", "a-large", "save"):
        hand.click(box(target))
        hand.rest_in(margin)


def tidy_board(stage: Stage) -> None:
    """Select two with ctrl, mark them, drag, archive by the context menu."""
    hand, box = stage.hand, stage.web.box
    floor = Box(640, 640, 240, 20)
    hand.rest_in(floor)
    hand.click(box("k-permit"))
    hand.rest_in(floor)
    hand.hold("ctrl")
    hand.click(box("k-music"))
    hand.let_go("ctrl")
    hand.rest_in(floor)
    hand.click(box("label"))
    hand.rest_in(floor)
    column = box("col-doing")
    hand.drag(hand.place_in(box("k-tables")), (column.x + 190, column.y + 260))
    hand.rest_in(floor)
    hand.click(box("k-old"), "right")
    hand.pause(0.5, 0.8)
    hand.rest_in(floor)
    hand.click(box("c-archive"))
    hand.rest_in(floor)
    column = box("col-done")
    hand.drag(hand.place_in(box("k-flyer")), (column.x + 190, column.y + 240))
    hand.rest_in(floor)


def editor(stage: Stage) -> None:
    """Mousepad on the notes."""
    notes = stage.desk.home / "notes.txt"
    notes.write_text(NOTES, encoding="utf-8")
    if stage.desk.plain_user:
        os.chown(notes, NOBODY, NOBODY)
    stage.desk.start(["mousepad", str(notes)])
    stage.desk.put_window("mousepad", Box(210, 60, 820, 560))
    stage.look.settled(1)
    stage.hand.move_to(900, 560)


def text_rows(stage: Stage) -> list[Box]:
    """The rows of text in the editor: row 0 is the first line that is not empty."""
    picture = stage.look.settled()
    return rows(picture, paper(picture, stage.desk.window("mousepad")), gap=2)


def menu_bar(stage: Stage) -> list[Box]:
    """The editor's menus from the left: File, Edit, Search, View, Document, Help."""
    picture = stage.look.settled()
    sheet = paper(picture, stage.desk.window("mousepad"))
    return words(picture, rows(picture, Box(sheet.x, sheet.y - 26, 420, 22))[-1], gap=8)


def edit_notes(stage: Stage) -> None:
    """Correct a word, move two lines to the end, save."""
    hand, lines = stage.hand, text_rows(stage)
    blank = Box(820, 480, 150, 60)
    hand.rest_in(blank)
    picture = stage.look.see()
    hand.click(words(picture, lines[1], gap=8)[2], times=2)
    hand.rest_in(blank)
    hand.type("Thursday")
    hand.pause()
    start = words(stage.look.settled(), lines[2], gap=8)[0]
    hand.click(Box(start.x - 1, start.y, 2, start.height))
    hand.rest_in(blank)
    third = words(stage.look.settled(), lines[4], gap=8)[0]
    hand.hold("shift")
    hand.click(Box(third.x - 1, third.y, 2, third.height))
    hand.let_go("shift")
    hand.rest_in(blank)
    for keys in (("ctrl", "x"), ("ctrl", "end"), ("ctrl", "v"), ("ctrl", "s")):
        hand.hotkey(*keys)
        hand.pause()


def seek_spelling(stage: Stage) -> None:
    """Looks through the menus for what is not there, and gives up."""
    hand, bar = stage.hand, menu_bar(stage)
    blank = Box(700, 470, 240, 80)
    hand.rest_in(blank)
    for menu in (bar[1], bar[4], bar[3]):
        hand.click(menu)
        hand.pause(0.5, 0.7)
        hand.move_to(menu.x + 45, menu.y + 150)
        hand.pause(0.9, 1.3)
        hand.press("esc")
        hand.rest_in(blank)
    line = text_rows(stage)[1]
    hand.click(Box(line.x + 60, line.y, 40, line.height), "right")
    hand.pause(1.0, 1.4)
    hand.rest_in(blank)
    hand.press("esc")
    hand.pause()


def terminal(stage: Stage) -> None:
    """xterm in a folder with a log file."""
    logs = stage.desk.home / "logs"
    logs.mkdir(exist_ok=True)
    (logs / "ferry.log").write_text(log_text(), encoding="utf-8")
    stage.desk.start(
        ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "11", "-geometry", "100x30+150+60", "-title", "Terminal",
         "-bg", "#1e232b", "-fg", "#d7dde6", "-sb", "-rightbar", "-e", "bash", "--norc", "--noprofile"],
    )  # fmt: skip
    stage.desk.window("xterm")
    stage.look.settled(1)
    stage.hand.move_to(1120, 640)


def log_text() -> str:
    """Seventy lines of a ferry's day, nine of them errors."""
    ports, lines = ("Aldra", "Bergvik", "Sundholm", "Torsnes"), []
    for i in range(70):
        word, what = "INFO ", f"arrived at {ports[i % 4]}, {20 + i * 7 % 90} passengers"
        if i % 8 == 5:
            word, what = "ERROR", f"ticket TK{4100 + i * 37} refused at gate {1 + i % 3}"
        lines.append(f"{6 + i // 5:02d}:{i % 5 * 12:02d} {word} {what}")
    return "\n".join(lines) + "\n"


def enter(hand: Hand, command: str) -> None:
    """Type, read it over, and press enter."""
    hand.type(command)
    hand.pause(0.5, 0.8)
    hand.press("enter")
    hand.pause()


def search_log(stage: Stage) -> None:
    """Commands, a word picked up by double click and put down with the middle button, scrolling back."""
    hand, window = stage.hand, stage.desk.window("xterm")
    aside = Box(1100, 600, 60, 60)
    hand.rest_in(aside)
    hand.click(Box(window.x + 250, window.y + 300, 120, 60))
    hand.rest_in(aside)
    for command in ("cd logs", "grep -c ERROR ferry.log", "grep ERROR ferry.log | tail -n 3"):
        enter(hand, command)
    found = rows(stage.look.settled(), Box(window.x + 4, window.y + 2, 700, window.height - 6), gap=2)
    ticket = words(stage.look.see(), found[-2], gap=8)[3]
    hand.click(ticket, times=2)
    hand.rest_in(aside)
    hand.type("grep -B 4 ")
    hand.pause()
    hand.click(Box(window.x + 300, window.y + 330, 80, 40), "middle")
    hand.rest_in(aside)
    enter(hand, " ferry.log")


def calculator(stage: Stage) -> None:
    """The Tk calculator, which says where its keys are."""
    process = stage.desk.start(
        [sys.executable, str(CALCULATOR)], stdout=subprocess.PIPE, user=None, group=None, extra_groups=None
    )
    assert process.stdout is not None
    stage.keys.update({key: Box(*place) for key, place in json.loads(process.stdout.readline()).items()})
    stage.hand.move_to(900, 600)
    stage.look.settled(0.5)


def work_out_tip(stage: Stage) -> None:
    """84.6 times 15 per cent."""
    hand = stage.hand
    aside = Box(880, 560, 80, 60)
    hand.rest_in(aside)
    for i, key in enumerate("84.6×15%="):
        hand.click(stage.keys[key])
        hand.rest_in(aside) if i in (3, 4, 7, 8) else hand.pause(0.7, 1.0)


TASKS: dict[str, Any] = json.loads((Path(__file__).parent / "tasks.json").read_text(encoding="utf-8"))
_DONE = {
    "shop-sencha": (on("bellandkettle.example"), buy_tea),
    "shop-sencha-again": (on("bellandkettle.example"), buy_tea_again),
    "mail-reading-group": (on("mail.lark.example"), answer_mail),
    "console-notifications": (on("console.harbour.example"), set_notifications),
    "console-dark-theme": (on("console.harbour.example"), set_dark_theme),
    "board-spring-fair": (on("corkboard.example"), tidy_board),
    "notes-correct": (editor, edit_notes),
    "notes-spelling": (editor, seek_spelling),
    "terminal-refused-ticket": (terminal, search_log),
    "calculator-tip": (calculator, work_out_tip),
}
SCRIPTS = [
    Script(prepare=_DONE[task["name"]][0], perform=_DONE[task["name"]][1], **task) for task in TASKS["recordings"]
]

assert SIZE == (1280, 720), "the places above are of this screen"
