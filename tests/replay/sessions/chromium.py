"""Sessions in a browser, on pages of tests/replay/pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.replay.person import Box, Person
from tests.replay.stage import Page, Session, Stage


def on(page: str) -> Callable[[Stage], Page]:
    return lambda stage: Page(stage, page)


def held(*names: str) -> Callable[[Any], Any]:
    """These parts of the page's state."""
    return lambda state: [state["state"][name] for name in names]


def fill(person: Person, page: Page) -> None:
    person.click(page.box("name"))
    person.type("Ana López")
    person.press("tab")
    person.type("Graz")
    person.press("tab")
    person.press("down", 2)
    person.press("tab")
    person.press("up")
    for name in ("l-news", "l-slow", "send"):
        person.click(page.box(name))


def edit_text(person: Person, page: Page) -> None:
    text = page.box("text")
    first = Box(text.x + 45, text.y + 8, 12, 10)
    person.click(first, times=2)
    person.hotkey("ctrl", "x")
    person.hotkey("ctrl", "end")
    person.hotkey("ctrl", "v")
    person.click(page.box("city"))
    person.hotkey("ctrl", "v")
    person.hotkey("shift", "left", times=2)
    person.type("XY")
    person.click(first, times=3)
    person.type("whole line")


def two_panes(person: Person, page: Page) -> None:
    left, right = page.box("left"), page.box("right")
    person.scroll(left, "down", 5)
    person.scroll(right, "down", 3)
    person.scroll(left, "up", 2)
    person.scroll(right, "right", 4)
    person.scroll(page.box("zoom"), "up", 3, held=("ctrl",))


def wheels_and_modifiers(person: Person, page: Page) -> None:
    left, right = page.box("left"), page.box("right")
    person.scroll(right, "down", 3, held=("shift",))
    person.scroll(left, "down", 12)
    person.scroll(right, "right", 4)
    person.scroll(right, "left", 2)
    person.scroll(page.box("zoom"), "down", 2, held=("ctrl",))
    person.scroll(left, "down", 4)
    person.scroll(left, "up", 9)
    person.click(page.box("top"))
    person.scroll(left, "down", 1)


def notches_across(state: dict[str, Any]) -> float:
    """How far the right pane is to the right, in notches: the left one has been turned by one since its top."""
    return round(state["across"] / max(state["left"], 1), 2)


def hover_menus(person: Person, page: Page) -> None:
    person.go(Box(700, 560, 60, 20))
    person.hover(page.box("m-help"))
    person.click(page.box("h-news"))
    person.go(Box(700, 560, 60, 20))
    person.click(page.box("plain"))


def hover_submenu(person: Person, page: Page) -> None:
    person.go(Box(700, 560, 60, 20))
    person.hover(page.box("m-file"))
    person.hover(page.box("f-more"))
    person.go(page.box("r-a"))  # straight across: a way that cuts the corner closes the menu
    person.click(page.box("r-b"))


def drag_cards(person: Person, page: Page) -> None:
    doing, done = page.box("doing"), page.box("done")
    person.drag(page.box("b"), Box(doing.x + 60, doing.y + 120, 60, 40), slow=True)
    person.drag(page.box("a"), Box(done.x + 60, done.y + 150, 60, 40), slow=True)
    card = page.box("b")
    person.drag(page.box("c"), Box(card.x + 60, card.y + 6, 60, 12), slow=True)


def drag_knob(person: Person, page: Page) -> None:
    knob, track = page.box("knob"), page.box("track")
    person.drag(knob, Box(track.x + 238, track.y + 2, 4, 6))
    person.drag(page.box("knob"), Box(track.x + 118, track.y + 2, 4, 6))


def slow_pages(person: Person, page: Page) -> None:
    link, text = page.box("next"), page.box("tail")
    person.click(link)
    person.go(Box(text.x + 300, text.y + 200, 60, 40))  # the pointer is on its way while the page is not there yet
    load = page.box("load")
    person.click(load)
    person.go(Box(load.x + 20, load.y + 60, 60, 20))
    code = page.box("code")
    person.click(code)
    person.type("R7")
    person.click(page.box("agree"))


def suggestions(person: Person, page: Page) -> None:
    person.click(page.box("q"))
    person.type("Lim")
    person.click(page.box("s-Limerick"))
    person.click(page.box("q"), times=3)
    person.type("os")
    person.click(page.box("s-Oslo"))


def context_menus(person: Person, page: Page) -> None:
    person.click(page.box("r2"), "right")
    person.click(page.box("c-star"))
    person.click(page.box("r3"), times=2)
    person.click(page.box("r1"), "right")
    person.click(page.box("c-drop"))
    person.click(page.box("r2"), "middle")


def list_clicks(person: Person, page: Page) -> None:
    person.click(page.box("i1"))
    person.clicks_held([page.box("i3"), page.box("i6")], ("ctrl",))
    person.click(page.box("mark"))
    person.click(page.box("i2"))
    person.click(page.box("i5"), held=("shift",))
    person.click(page.box("i3"), held=("ctrl",))
    person.click(page.box("mark"))


def rich_text(person: Person, page: Page) -> None:
    person.click(page.box("w2"), times=2)
    person.hotkey("ctrl", "b")
    person.hotkey("ctrl", "c")
    person.click(page.box("copy"))
    person.hotkey("ctrl", "v")
    person.press("enter")
    person.type("and more")
    person.click(page.box("w4"))
    person.press("home")
    person.hotkey("ctrl", "shift", "right")
    person.press("delete")
    person.hotkey("ctrl", "z")


def many_letters(person: Person, page: Page) -> None:
    person.click(page.box("one"))
    person.type("é, ñ, € & æß")
    person.press("tab")
    person.type_injected("日本語 Ελ ½✓")
    person.click(page.box("send"))


def spanish_layout(person: Person, page: Page) -> None:
    person.layout("es")
    person.click(page.box("one"))
    person.type("¿mañana? ç @ # [x] {y}")
    person.press("tab")
    person.type("a/b (c) = d; <e>")
    person.click(page.box("send"))


SESSIONS = [
    Session("web-fill", "form filling", on("form.html"), fill,
            ["Ana López", "Graz", "Chad", "4", True, "slow", "Thank you"],
            held("name", "city", "country", "amount", "news", "way", "done")),
    Session("web-edit", "editing", on("form.html"), edit_text, ["tXY", "whole linefive six seventwo"],
            held("city", "text")),  # its triple click takes the end of the line too
    Session("web-two-panes", "scrolling in two panes", on("panes.html"), two_panes, [3], held("level"), quick=True),
    Session("web-wheels", "scrolling in two panes", on("panes.html"), wheels_and_modifiers, [-2, 0, 3 + 4 - 2],
            lambda s: [s["state"]["level"], s["state"]["right"], notches_across(s["state"])]),
    Session("web-hover-menus", "hover menus", on("menus.html"), hover_menus, [["news", "plain"]], held("did"),
            quick=True),
    Session("web-hover-submenu", "hover menus", on("menus.html"), hover_submenu, [["recent b"]], held("did")),
    Session("web-drag-cards", "drag and drop", on("dnd.html"), drag_cards,
            [[], ["c", "b"], ["a"]], held("todo", "doing", "done")),
    Session("web-drag-knob", "drag and drop", on("dnd.html"), drag_knob),
    Session("web-slow", "slow pages", on("slow.html"), slow_pages, ["Agreed R7", 1], held("title", "agreed"),
            quick=True),
    Session("web-suggest", "slow pages", on("suggest.html"), suggestions, ["Oslo"], held("chosen")),
    Session("web-context", "menus", on("context.html"), context_menus,
            [["c-star r2", "open r3", "c-drop r1", "middle r2"], ["r2", "r3"]], held("log", "rows")),
    Session("web-list", "ctrl-clicks", on("list.html"), list_clicks,
            [[["i1", "i3", "i6"], ["i2", "i4", "i5"]]], held("marked")),
    Session("web-rich-text", "double and triple clicks", on("editor.html"), rich_text),
    Session("web-letters", "Unicode", on("words.html"), many_letters,
            [["é, ñ, € & æß", "日本語 Ελ ½✓"]], lambda s: s["sent"]),
    Session("web-spanish-layout", "Unicode", on("words.html"), spanish_layout,
            [["¿mañana? ç @ # [x] {y}", "a/b (c) = d; <e>"]], lambda s: s["sent"]),
]  # fmt: skip
