"""Sessions on the Tk form."""

from __future__ import annotations

from tests.replay.person import Box, Person
from tests.replay.stage import Session, Tk


def fill(person: Person, form: Tk) -> None:
    person.click(form.box("name"), times=3)
    person.type("Iñés & c\bB")
    person.press("tab")
    person.type("<i@x>")
    for name in ("green", "save"):
        person.click(form.box(name))


def edit_by_selection(person: Person, form: Tk) -> None:
    name = form.box("name")
    person.click(Box(name.x + 40, name.y + 8, 30, 10), times=2)
    person.type("second")
    person.press("home")
    person.hotkey("shift", "right", times=3)
    person.hotkey("ctrl", "x")
    person.click(form.box("mail"))
    person.hotkey("ctrl", "v")
    person.type("-end")
    person.hotkey("shift", "home")
    person.hotkey("ctrl", "c")
    person.press("end")
    person.hotkey("ctrl", "v")
    person.press("left", 2)
    person.press("delete")


def chosen_rows(person: Person, form: Tk) -> None:
    person.click(form.box("entry 1"))
    person.click(form.box("entry 4"), held=("ctrl",))
    person.clicks_held([form.box("entry 6"), form.box("entry 1"), form.box("entry 8")], ("ctrl",))
    person.look(0.3)


def range_of_rows(person: Person, form: Tk) -> None:
    person.click(form.box("entry 2"))
    person.click(form.box("entry 6"), held=("shift",))
    person.click(form.box("entry 4"), held=("ctrl",))


def menus(person: Person, form: Tk) -> None:
    person.click(form.box("Tools"))
    person.click(form.box("Tools/Count"))
    person.click(form.box("File"))
    person.click(form.box("File/Export"))
    person.click(form.box("Export/Table"))
    person.click(form.box("piece1"), "right")
    person.click(form.box("Context/Paint"))
    person.click(form.box("File"))
    person.press("down")
    person.press("enter")


def drag_pieces(person: Person, form: Tk) -> None:
    target = form.box("bin")
    person.drag(form.box("piece0"), Box(target.x + 15, target.y + 10, 30, 30))
    person.drag(form.box("piece2"), Box(target.x + 15, target.y + 90, 30, 30))
    piece = form.box("piece1")
    person.drag(piece, Box(target.x + 10, piece.y - 40, 30, 10), held=("shift",))


def scroll_panes(person: Person, form: Tk) -> None:
    upper, lower = form.box("upper"), form.box("lower")
    person.scroll(upper, "down", 4)
    person.scroll(lower, "down", 7)
    person.scroll(upper, "up", 2)
    person.scroll(form.box("pad"), "down", 2, held=("ctrl",))
    person.scroll(form.box("pad"), "right", 3)
    person.scroll(form.box("pad"), "left", 1)


def kinds_of_clicks(person: Person, form: Tk) -> None:
    pad = form.box("pad")
    spot = Box(pad.x + 60, pad.y + 30, 6, 6)
    person.click(spot)
    person.look(0.5)
    person.click(spot)
    person.look(0.8)
    person.click(spot, times=2)
    person.look(0.8)
    person.click(spot, times=3)
    person.look(0.8)
    person.click(spot, "middle")
    person.click(spot, "right")
    person.look(0.5)
    person.click(spot, held=("ctrl", "shift"))


def keys_and_shortcuts(person: Person, form: Tk) -> None:
    person.click(form.box("pad"))
    for names in (("ctrl", "shift", "t"), ("alt", "x"), ("ctrl", "c"), ("shift", "tab"), ("alt", "left")):
        person.hotkey(*names)
        if names == ("shift", "tab"):
            person.click(form.box("pad"))
    for name in ("esc", "f5", "pagedown", "home", "insert", "delete"):
        person.press(name)
    person.press("down", 3)
    person.press("esc", 2)


def words_in_other_letters(person: Person, form: Tk) -> None:
    person.click(form.box("notes"))
    person.type("señor, ¿él? 5 €")
    person.press("enter")
    person.type_injected("日本語 Ж ½ →")


def german_layout(person: Person, form: Tk) -> None:
    person.layout("de")
    person.click(form.box("notes"))
    person.type("Größe: 7 @ {y|z} ~ \\")
    person.press("enter")
    person.type("Straße? Übel/=+*")


SESSIONS = [
    Session("tk-fill", "form filling", Tk, fill, {
        "name": "Iñés & B", "mail": "<i@x>",
        "saved": [["Iñés & B", "<i@x>", "green"]],
    }, lambda s: {k: s[k] for k in ("name", "mail", "saved")}, quick=True),
    Session("tk-edit-selection", "editing", Tk, edit_by_selection, [" second here", "old-endold-ed"],
            lambda s: [s["name"], s["mail"]]),
    Session("tk-ctrl-clicks", "ctrl-clicks", Tk, chosen_rows, ["entry 4", "entry 6", "entry 8"], lambda s: s["chosen"]),
    Session("tk-shift-clicks", "shift-clicks", Tk, range_of_rows, ["entry 2", "entry 3", "entry 5", "entry 6"],
            lambda s: s["chosen"]),
    Session("tk-menus", "menus", Tk, menus, ["Tools/Count", "Export/Table", "Context/Paint", "File/Save"],
            lambda s: s["menu"]),
    Session("tk-drag", "drag and drop", Tk, drag_pieces, [True, True, True],
            lambda s: [s["pieces"][i][0] for i in "012"]),
    Session("tk-scroll-panes", "scrolling in two panes", Tk, scroll_panes,
            [[5, "ctrl"], [5, "ctrl"], [5, "shift"], [5, "shift"], [5, "shift"], [4, "shift"]], lambda s: s["wheel"]),
    Session("tk-clicks", "double and triple clicks", Tk, kinds_of_clicks,
            [[1, 1], [1, 1], [1, 2], [1, 3], [2, 1], [3, 1], [1, 1, "shift", "ctrl"]],
            lambda s: s["clicks"]),
    Session("tk-keys", "hotkeys", Tk, keys_and_shortcuts,
            [["T", "shift", "ctrl"], ["x", "alt"], ["c", "ctrl"], ["ISO_Left_Tab", "shift"], ["Left", "alt"],
             *[[name] for name in "Escape F5 Next Home Insert Delete Down Down Down Escape Escape".split()]],
            lambda s: [[keysym, *modifiers] for keysym, _, *modifiers in s["keys"]]),
    Session("tk-letters", "Unicode", Tk, words_in_other_letters, "señor, ¿él? 5 €\n日本語 Ж ½ →", lambda s: s["notes"]),
    Session("tk-german-layout", "Unicode", Tk, german_layout, "Größe: 7 @ {y|z} ~ \\\nStraße? Übel/=+*",
            lambda s: s["notes"]),
]  # fmt: skip
