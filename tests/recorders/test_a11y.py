"""The reader of accessibility on real programs: mousepad, a GTK form, Chromium, on a session of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.engine.schemas import all_schemas
from curate.model.trajectory import Screen
from curate.model.tree import Node, acted_on
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.accessibility import ElementRow, FocusRow, TreeRow
from curate.store.media import MediaStore
from curate.store.recording import KeyRow, Outcome, RedactionRow, read_frames, read_rows
from curate.store.trees import read_tree
from recorders import Options, Session
from recorders.a11y.process import AccessibilityProcess
from recorders.a11y.reader import Focus, Setup
from recorders.privacy.exclusions import Exclusions
from tests.recorders.a11y_session import Desk, accessible_desktop, needs_accessibility, rows_of, wait_until

PROGRAMS = ("Xvfb", "openbox", "xdotool", "xprop", "mousepad", "chromium")
pytestmark = [pytest.mark.timeout(240), needs_accessibility(*PROGRAMS)]
ROOT = Path(__file__).resolve().parents[2]
SECRET = "correcthorse"
PAGE = """<!doctype html><title>Form one</title><style>body{margin:40px;font:16px sans-serif}</style>
<h1>Sign in</h1><form onsubmit="return false">
<p><label>Name <input id=name oninput="document.title='typed '+this.value"></label>
<p><label>Secret <input id=secret type=password></label>
<p><label><input type=checkbox> Stay signed in</label> <button type=button><b>Save</b> it</button>
<a href="#x">Help</a><p style="position:absolute;top:3000px">Far below</form>"""


class Reading:
    """A reader that records into a folder, and what it told and wrote."""

    def __init__(self, folder: Path, name: str, **more: Any) -> None:
        self.file = folder / f"{name}.jsonl"
        self.told: list[Focus] = []
        self.process = AccessibilityProcess(Setup(file=str(self.file), screen=Screen(width=800, height=600), **more))

    def __enter__(self) -> Reading:
        self.process.start(self.told.append)
        assert self.process.wait_ready(60)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stop()

    def of(self, kind: type[Any]) -> list[Any]:
        return rows_of(self.file, kind)

    def tree(self, holds: Callable[[list[Node]], bool] = bool) -> list[Node]:
        """The next tree whose nodes are as asked for, read after this call."""
        since = time.monotonic_ns()
        found: list[list[Node]] = []

        def there() -> bool:
            self.process.changed(time.monotonic_ns())
            self.process.scrolled(time.monotonic_ns())
            time.sleep(0.4)
            nodes: list[Node] = []
            for row in self.of(TreeRow):
                nodes = nodes if row.same else row.nodes
                if row.since > since and holds(nodes):
                    found.append(nodes)
            return bool(found)

        wait_until(there, "such a tree")
        return found[-1]

    def press(self, desk: Desk, x: float, y: float, button: str = "1") -> Node:
        """Press and release there as a hand does; the element that was written for it."""
        desk.run("xdotool", "mousemove", str(round(x)), str(round(y)))
        t = time.monotonic_ns()
        self.process.pressed(t, x, y)
        desk.run("xdotool", "mousedown", button, "sleep", "0.08", "mouseup", button)
        wait_until(lambda: any(row.press == t for row in self.of(ElementRow)), "an element at the press")
        row = next(row for row in self.of(ElementRow) if row.press == t)
        return acted_on(row.nodes, x, y)

    def last_told(self, password: bool) -> Focus:
        wait_until(lambda: bool(self.told) and self.told[-1].password is password, f"password {password} told")
        return self.told[-1]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with accessible_desktop(tmp_path_factory.mktemp("desk")) as found:
        yield found


@pytest.fixture(scope="module")
def browser(desk: Desk) -> Desk:
    page = desk.folder / "form.html"
    page.write_text(PAGE, encoding="utf-8")
    desk.chromium(page)
    desk.wait_window("Form one")
    return desk


def named(nodes: list[Node], name: str, role: str | None = None) -> Node:
    found = [node for node in nodes if node.name == name and role in (None, node.role)]
    assert found, f"{name!r} is not among {[(n.role, n.name) for n in nodes]}"
    return found[0]


def middle(node: Node) -> tuple[float, float]:
    assert node.box is not None
    return (node.box[0] + node.box[2]) / 2, (node.box[1] + node.box[3]) / 2


def test_a_gtk_program(desk: Desk) -> None:
    note = desk.folder / "note.txt"
    note.write_text("Dear hansolo,\nhello", encoding="utf-8")
    program = desk.program("mousepad", str(note))
    desk.wait_window("note.txt")
    with Reading(desk.folder, "gtk", names=("hansolo",)) as reading:
        nodes = reading.tree()
        assert nodes[0].role == "window" and nodes[0].name is not None and "note.txt" in nodes[0].name
        assert [n.name for n in nodes if n.role == "menu"][:3] == ["File", "Edit", "Search"]
        (text,) = (n for n in nodes if n.role == "edit")
        assert text.value == "Dear [name], hello" and {"editable", "multiline"} <= set(text.states)
        assert not any(n.role == "menuitem" for n in nodes), "closed menus do not show"
        assert reading.press(desk, *middle(named(nodes, "Edit", "menu"))).name == "Edit"
        opened = reading.tree(lambda nodes: any(n.name == "Select All" for n in nodes))
        item = named(opened, "Select All", "menuitem")
        assert opened[item.parent or 0].name == "Edit"
        assert reading.press(desk, *middle(item)).name == "Select All"
        assert reading.press(desk, *middle(text)).role == "edit"
        assert reading.told == [Focus(t=reading.told[0].t, since=reading.told[0].since, password=False, app="mousepad")]
    assert reading.process.name == "at-spi@1"
    assert (reading.process.trees, reading.process.elements) == (len(reading.of(TreeRow)), len(reading.of(ElementRow)))
    assert b"hansolo" not in reading.file.read_bytes()
    program.terminate()


def test_a_password_field_of_gtk_is_told_of(desk: Desk) -> None:
    program = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "Gtk form")
    desk.wait_window("Gtk form")
    with Reading(desk.folder, "gtk-password") as reading:
        assert [focus.password for focus in reading.told] == [False]
        name, secret = [node for node in reading.tree() if node.role == "edit"]
        assert "password" in secret.states and "password" not in name.states
        before = time.monotonic_ns()
        reading.press(desk, *middle(secret))
        told = reading.last_told(True)
        assert before < told.since <= told.t, "keys are hidden from the press on"
        desk.run("xdotool", "type", SECRET)
        reading.tree()
        tab = time.monotonic_ns()
        reading.process.moved_focus(tab)
        desk.run("xdotool", "key", "Tab")
        assert reading.last_told(False).since == tab, "the tab that leaves the field is no secret"
        assert SECRET.encode() not in reading.file.read_bytes()
    program.terminate()


def test_a_recording_may_begin_in_a_password_field(desk: Desk) -> None:
    program = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "Begun before")
    desk.wait_window("Begun before")
    desk.run("xdotool", "key", "Tab")
    with Reading(desk.folder, "begun") as reading:
        assert [focus.password for focus in reading.told] == [True]
        terminal = desk.program("xterm", "-T", "No tree here")
        desk.wait_window("No tree here")
        reading.process.front(time.monotonic_ns(), "xterm", "No tree here")
        reading.last_told(False)
        terminal.terminate()
    program.terminate()


def test_a_page_in_chromium(browser: Desk) -> None:
    browser.wait_window("Form one")
    with Reading(browser.folder, "chromium") as reading:
        nodes = reading.tree(lambda nodes: any(n.name == "Help" for n in nodes))
        named(nodes, "Sign in", "heading"), named(nodes, "Stay signed in", "checkbox")
        assert not any(n.name == "Far below" for n in nodes), "what is scrolled out of sight does not show"
        secret = named(nodes, "Secret", "edit")
        assert "password" in secret.states
        assert reading.press(browser, *middle(named(nodes, "Save it", "button"))).name == "Save it"
        assert reading.press(browser, *middle(named(nodes, "Help", "link"))).role == "link"
        box = reading.press(browser, *middle(named(nodes, "Stay signed in", "checkbox")))
        assert (box.role, box.name) == ("checkbox", "Stay signed in")
        reading.press(browser, *middle(secret))
        reading.last_told(True)
        browser.run("xdotool", "type", SECRET)
        reading.tree(lambda nodes: any("checked" in n.states for n in nodes))
        reading.process.moved_focus(time.monotonic_ns())
        browser.run("xdotool", "key", "shift+Tab")
        reading.last_told(False)
        focus = reading.of(FocusRow)[-1]
        assert (focus.app, focus.node.name, focus.node.role) == ("chromium", "Name", "edit")
    assert SECRET.encode() not in reading.file.read_bytes() and "•".encode() not in reading.file.read_bytes()
    validate_rows(reading.file)


MENU_PAGE = """<!doctype html><title>Menu page</title><style>body{margin:40px;font:16px sans-serif}
#account{position:relative;width:120px}#menu{display:none;z-index:1;position:absolute;top:20px;width:200px;background:#eee}
#account:hover #menu{display:block}#menu div{padding:12px}section{position:relative}h1{margin:0;padding:16px}</style>
<div id=account>Account<div id=menu role=menu><div role=menuitem>Profile</div><div role=menuitem>Keys</div></div></div>
<main><section><h1>About you</h1><h1>Sign-in</h1></section></main>"""


def test_a_pages_menu_lies_on_top_of_the_page(desk: Desk) -> None:
    """Asked what lies at a point, Chromium answers with the last box there in the order of the page."""
    page = desk.folder / "menu.html"
    page.write_text(MENU_PAGE, encoding="utf-8")
    program = desk.chromium(page)
    desk.wait_window("Menu page")
    with Reading(desk.folder, "menu") as reading:
        nodes = reading.tree(lambda nodes: any(n.name == "About you" for n in nodes))
        heading = named(nodes, "About you", "heading")
        account = next(n for n in nodes if n.name == "Account")
        desk.run("xdotool", "mousemove", *(str(round(at)) for at in middle(account)))
        opened = reading.tree(lambda nodes: any(n.name == "Keys" for n in nodes))
        for name in ("Profile", "Keys"):
            assert reading.press(desk, *middle(named(opened, name, "menuitem"))).name == name
        desk.run("xdotool", "mousemove", "700", "500")
        reading.tree(lambda nodes: not any(n.role == "menuitem" for n in nodes))
        assert reading.press(desk, *middle(heading)).name == "About you", "the menu is closed"
    program.terminate()


def validate_rows(file: Path) -> None:
    """Every row is one of the published schema."""
    import jsonschema

    check = jsonschema.Draft202012Validator(all_schemas()["a11y-row.v1"])
    for line in file.read_bytes().splitlines():
        if line:
            check.validate(msgspec.json.decode(line))


def hidden_rows(events: Path) -> list[RedactionRow]:
    """One where it begins, one where it ends."""
    return [row for _, row in read_rows(events, []) if isinstance(row, RedactionRow) and row.reason == "password"]


def test_a_recording_names_what_was_pressed_and_holds_no_password(browser: Desk, tmp_path: Path) -> None:
    """The whole way: record, reduce, and read the words and the trees of the steps."""
    browser.wait_window("Form one")
    with Reading(tmp_path, "where") as reading:
        nodes = reading.tree(lambda nodes: any(n.name == "Help" for n in nodes))
    session = Session(tmp_path, "try it", Options(name="r"))
    session.start()
    trees, events = tmp_path / "r" / "a11y.jsonl", tmp_path / "r" / "events.jsonl"
    frames = tmp_path / "r" / "frames.jsonl"  # a tree that was read after the last change of the screen:
    wait_until(lambda: [r.since for r in rows_of(trees, TreeRow)][-1:] > [f.t for f in read_frames(frames)][-1:], "one")
    for name, role in (("Save it", "button"), ("Secret", "edit")):
        x, y = middle(named(nodes, name, role))
        before = len(rows_of(trees, TreeRow))
        browser.run("xdotool", "mousemove", str(round(x)), str(round(y)), "sleep", "0.3", "mousedown", "1", "sleep", "0.08", "mouseup", "1")  # fmt: skip  # noqa: E501
        wait_until(lambda b=before: len(rows_of(trees, TreeRow)) > b, "a tree after it")  # type: ignore[misc]
    wait_until(lambda: len(hidden_rows(events)) == 1, "the password field is known")
    browser.run("xdotool", "type", "--delay", "40", SECRET)
    browser.run("xdotool", "key", "Tab")
    wait_until(lambda: len(hidden_rows(events)) == 2, "the field is left")
    info = session.stop("asked", Outcome(status="success"))
    assert (info.accessibility, info.faults) == ("at-spi@1", [])
    folder = session.folder
    typed = "".join(row.text or "" for _, row in read_rows(events, []) if isinstance(row, KeyRow) and row.pressed)
    assert not set(typed) & set(SECRET), f"{typed!r} was typed into a password field"
    media = MediaStore(tmp_path / "media")
    record, _ = reduce_recording(open_recording(folder), media, ReduceOptions(), KeyframeOptions())
    clicks = [step for step in record.steps if step.code and "click" in step.code]
    assert [step.action for step in clicks] == ['Click the button "Save it"', 'Click the edit "Secret"']
    assert clicks[0].tree is not None, "nothing changed between the first tree and the first click"
    for step in clicks:
        assert step.element is not None
        if step.tree is None:
            continue  # the screen was still changing, as it does on a slow machine
        tree = read_tree(media, step.tree)
        assert any(
            (n.name, n.role, n.box) == (step.element.name, step.element.role, step.element.box) for n in tree.nodes
        )


def test_reading_never_makes_chromium_type_again(browser: Desk) -> None:
    """recording.md report 13: "abcd" became "abcdbcdbcd" where trees were read while typing."""
    browser.wait_window("Form one")
    typed = "".join("abcdefghij"[i % 10] for i in range(200))
    with Reading(browser.folder, "typing") as reading:
        nodes = reading.tree(lambda nodes: any(n.name == "Name" and n.role == "edit" for n in nodes))
        reading.press(browser, *middle(named(nodes, "Name", "edit")))
        trees = reading.process.trees
        typist = subprocess.Popen(["xdotool", "type", "--delay", "12", typed])
        began = time.monotonic_ns()
        while typist.poll() is None:  # as the recorder tells: every key, every picture
            reading.process.typed(time.monotonic_ns())
            reading.process.changed(time.monotonic_ns())
            time.sleep(0.01)
        during = [row for row in reading.of(TreeRow) if row.since > began]
        assert reading.process.trees - trees <= 1 and during == [], "no tree is begun while keys are typed"

        def arrived() -> bool:
            shown = browser.run("xdotool", "getactivewindow", "getwindowname").strip()
            return shown.startswith("typed ") and len(shown) >= len("typed ") + len(typed)

        wait_until(arrived, "what was typed")
        time.sleep(1.0)  # a replay would come with the tree that is read now
        reading.tree(lambda nodes: any(n.value and n.value.startswith(typed) for n in nodes))
        shown = browser.run("xdotool", "getactivewindow", "getwindowname").strip()
        assert shown.removesuffix(" - Chromium") == f"typed {typed}"


def test_an_excluded_window_is_not_read(desk: Desk) -> None:
    program = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "My private form")
    desk.wait_window("My private form")
    with Reading(desk.folder, "excluded", excluded=Exclusions(titles=("private",))) as reading:
        geometry = desk.run("xdotool", "getactivewindow", "getwindowgeometry", "--shell")
        place = dict(line.split("=") for line in geometry.split())
        x, y = int(place["X"]) + int(place["WIDTH"]) / 2, int(place["Y"]) + int(place["HEIGHT"]) / 2
        reading.process.front(time.monotonic_ns(), "python", "My private form")
        reading.process.pressed(time.monotonic_ns(), x, y)
        desk.run("xdotool", "mousemove", str(x), str(y), "click", "1", "key", "Tab")
        for _ in range(20):
            reading.process.changed(time.monotonic_ns())
            time.sleep(0.1)
        assert reading.of(TreeRow) == [] and reading.of(ElementRow) == []
        assert all(row.node is None for row in reading.of(FocusRow))
    program.terminate()


def test_a_program_that_hangs_keeps_no_other_from_being_read(desk: Desk) -> None:
    hung = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "Hanging")
    desk.wait_window("Hanging")
    program = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "Going on")
    desk.wait_window("Going on")
    os.kill(hung.pid, signal.SIGSTOP)
    try:
        with Reading(desk.folder, "hung") as reading:
            nodes = reading.tree()
            assert nodes[0].name == "Going on"
            reading.press(desk, *middle(next(node for node in nodes if "password" in node.states)))
            reading.last_told(True)
    finally:
        os.kill(hung.pid, signal.SIGCONT)
    hung.terminate()
    program.terminate()


def test_a_reader_that_is_killed_is_started_again_and_said(desk: Desk) -> None:
    program = desk.program(sys.executable, str(ROOT / "tests/recorders/gtk_form.py"), "Killed reader")
    desk.wait_window("Killed reader")
    with Reading(desk.folder, "killed") as reading:
        reading.tree()
        killed, before = reading.process.pid, reading.process.trees
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: reading.process.pid != killed, "another reader")
        reading.tree()
        assert reading.process.trees > before
    assert any("started again" in note for note in reading.process.notes)
    assert len(reading.of(TreeRow)) == reading.process.trees
    program.terminate()


def test_a_reader_does_not_outlive_its_recorder(desk: Desk) -> None:
    file = desk.folder / "orphan.jsonl"
    code = (
        "import time\nfrom recorders.a11y.process import AccessibilityProcess as P\n"
        "from recorders.a11y.reader import *\n"
        f"p=P(Setup(file={str(file)!r},screen=Screen(width=8,height=6)));p.start(lambda f:None);p.wait_ready(60);"
        "print(p.pid,flush=True);time.sleep(100)"
    )
    recorder = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert recorder.stdout is not None
    reader = int(recorder.stdout.readline())
    recorder.kill()
    recorder.wait()
    recorder.stdout.close()
    wait_until(lambda: not alive(reader), "the end of the reader")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_where_there_is_no_bus_recording_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    desk.run("xprop", "-root", "-remove", "AT_SPI_BUS")  # the other place where its address is left
    with Reading(tmp_path, "none") as reading:
        reading.process.pressed(time.monotonic_ns(), 1, 1)
    assert reading.process.name is None and reading.told == []
    assert len(reading.process.notes) == 1 and "no accessibility bus" in reading.process.notes[0]


def test_the_bus_is_found_by_the_x_server_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program has started a session bus of its own, of which the recorder knows nothing."""
    with accessible_desktop(tmp_path) as desk:
        wait_until(lambda: "unix:" in desk.run("xprop", "-root", "AT_SPI_BUS"), "the address on the root window")
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
        with Reading(tmp_path, "by-server") as reading:
            assert reading.process.name == "at-spi@1"


def test_accessibility_is_left_as_it_was(tmp_path: Path) -> None:
    with accessible_desktop(tmp_path, enabled=False) as desk:
        assert not enabled(desk)
        with Reading(tmp_path, "off"):
            assert enabled(desk)
        assert not enabled(desk)


def enabled(desk: Desk) -> bool:
    return "true" in desk.run(
        "dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
        "org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled",
    )  # fmt: skip
