"""What a session works with: the desk, a person, and one program that can be reset and asked for its state."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.replay.desk import Desk, wait_for
from tests.replay.dump_tools import Look, paper, rows, words
from tests.replay.person import Box, Person
from tests.replay.web import Web
from tests.tk import tk_python

HERE = Path(__file__).parent
START = (1252, 40)
"""Where the pointer is when a program is ready: over nothing."""
_STARTS, _SIZED_S = 6, 3.0


@dataclass
class Stage:
    """One desk with a browser that is started when first needed and stays."""

    desk: Desk
    look: Look
    web: Web
    browser: subprocess.Popen[bytes] | None = None


class Tk:
    """The form of programs/form.py. It writes its state and where its widgets are."""

    name = "tk"

    def __init__(self, stage: Stage) -> None:
        self.stage, self._process = stage, None
        self._state, self._where = stage.desk.home / "form.json", stage.desk.home / "where.json"

    def reset(self) -> None:
        """The program as it is when it starts."""
        self.close()
        for path in (self._state, self._where):
            path.unlink(missing_ok=True)
        program = str(HERE / "programs" / "form.py")
        self._process = self.stage.desk.start([tk_python(), program, str(self._state), str(self._where)])
        self.stage.desk.place("Form", Box(60, 30, 1100, 640))
        wait_for("the form", lambda: self._where.exists() and self._state.exists())

    def box(self, name: str) -> Box:
        """Where a widget, a list row or an open menu's entry is."""
        return Box(*wait_for(f"{name} in the form", lambda: _read(self._where).get(name)))

    def state(self) -> Any:
        """Values of all widgets."""
        return _read(self._state)

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self.stage.desk.end(self._process)
            self._process = None

    _process: subprocess.Popen[bytes] | None


class Mousepad:
    """The editor on a file."""

    name = "mousepad"
    TEXT = "first line of the notes\nsecond line is here\nthird one ends it\n"

    def __init__(self, stage: Stage) -> None:
        self.stage, self._process = stage, None
        self.file = stage.desk.home / "notes.txt"

    def reset(self) -> None:
        """The editor on the file as it was."""
        self.close()
        self.file.write_text(self.TEXT, encoding="utf-8")
        self._process = self.stage.desk.start(["mousepad", "--disable-server", str(self.file)])
        self.stage.desk.place("mousepad", Box(60, 40, 900, 560))
        wait_for("the text in the editor", lambda: len(self._rows()) >= 3)

    def _rows(self) -> list[Box]:
        picture = self.stage.look.settled()
        try:
            return rows(picture, paper(picture, self.stage.desk.window("mousepad")[1]), gap=2)
        except ValueError:
            return []

    def row(self, number: int) -> Box:
        """A row of text that is not empty, from 0."""
        return self._rows()[number]

    def word(self, row: int, number: int) -> Box:
        """A word of a row, from 0."""
        line = self.row(row)
        return words(self.stage.look.settled(), line, gap=5)[number]

    def menus(self) -> list[Box]:
        """File, Edit, Search, View, Document, Help."""
        picture = self.stage.look.settled()
        window = self.stage.desk.window("mousepad")[1]
        bar = rows(picture, Box(window.x + 2, window.y + 2, 420, 24))[0]
        return words(picture, bar, gap=8)

    def state(self) -> Any:
        """What is in the file."""
        return self.file.read_text(encoding="utf-8") if self.file.exists() else None

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self.stage.desk.end(self._process)
            self._process = None

    _process: subprocess.Popen[bytes] | None


class Xterm:
    """A shell in an empty folder."""

    name = "xterm"
    FILES = {"words.txt": "alpha beta gamma\ndelta epsilon\n"}

    def __init__(self, stage: Stage) -> None:
        self.stage, self._process = stage, None
        self.folder = stage.desk.home / "work"

    def reset(self) -> None:
        """A new shell; the folder holds the one file."""
        self.close()
        self.folder.mkdir(exist_ok=True)
        for path in self.folder.iterdir():
            path.unlink()
        for name, text in self.FILES.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        for _ in range(_STARTS):
            self._start()
            with contextlib.suppress(RuntimeError):
                wait_for("the terminal in its size", self._has_its_size, _SIZED_S)
                break
            self.close()
        name, _ = self.stage.desk.window("xterm")
        self.stage.desk.run("xdotool", "windowactivate", "--sync", name)
        wait_for("the prompt", lambda: len(self.rows()) >= 1)

    def _start(self) -> None:
        self._process = self.stage.desk.start(
            ["xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fs", "12", "-geometry", "90x26+60+40", "-bg", "#ffffff",
             "-fg", "#000000", "-title", "Terminal", "-xrm", "XTerm*metaSendsEscape: true", "-e", "bash", "--norc",
             "--noprofile"],
            cwd=self.folder,
        )  # fmt: skip

    def _has_its_size(self) -> bool:
        """xterm comes up one character large where the window manager frames it at the wrong moment (about once in
        twenty starts on a busy machine), and stays so."""
        return self.stage.desk.window("xterm")[1].width > 100

    def rows(self) -> list[Box]:
        """Rows of text from the top."""
        picture = self.stage.look.settled(0.25)
        window = self.stage.desk.window("xterm")[1]
        if window.x < 0 or window.y < 0 or window.width < 100:  # it is not in its place yet
            return []
        return rows(picture, Box(window.x + 2, window.y + 2, window.width - 20, window.height - 4), gap=2)

    def word(self, row: int, number: int) -> Box:
        """A word of a row, from 0."""
        line = self.rows()[row]
        return words(self.stage.look.see(), line, gap=6)[number]

    def state(self) -> Any:
        """Files and what they hold."""
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(self.folder.iterdir())}

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self.stage.desk.end(self._process)
            self._process = None

    _process: subprocess.Popen[bytes] | None


class Page:
    """A page in the browser."""

    name = "chromium"

    def __init__(self, stage: Stage, page: str) -> None:
        self.stage, self._page = stage, page

    def reset(self) -> None:
        """The page as it is when it has just been opened."""
        if self.stage.browser is None:
            self.stage.browser = self._start()
        self.stage.web.go(self._page)
        name, _ = self.stage.desk.window("chromium")
        self.stage.desk.run("xdotool", "windowactivate", "--sync", name)

    def _start(self) -> subprocess.Popen[bytes]:
        process = self.stage.desk.start(
            ["chromium", "--no-sandbox", "--test-type", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
             "--password-store=basic", "--disable-features=Translate,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
             "--lang=en-US", f"--user-data-dir={self.stage.desk.home / 'browser'}", "--window-position=60,20",
             "--window-size=1100,660", f"http://127.0.0.1:{self.stage.web.port}/blank.html"],
        )  # fmt: skip
        self.stage.desk.window("chromium")
        return process

    def box(self, identity: str) -> Box:
        """Where an element is."""
        return self.stage.web.box(identity)

    def state(self) -> Any:
        """What the page says of itself."""
        return self.stage.web.state()

    def close(self) -> None:
        """The browser stays for the next page."""


Program = Tk | Mousepad | Xterm | Page


@dataclass(frozen=True)
class Session:
    """`script` acts; `end`: what the state (or the part that `of` takes of it) must be afterwards. `quick`: one of
    those in `make test`."""

    name: str
    kind: str
    program: Callable[[Stage], Program]
    script: Callable[[Person, Any], None]
    end: Any = None
    of: Callable[[Any], Any] = lambda state: state
    quick: bool = False


def _read(path: Path) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read
