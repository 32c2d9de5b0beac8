"""The clipboard has afterwards what it had before."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from recorders.replay.clipboard import Clipboard, X11Clipboard
from recorders.replay.errors import ReplayError, StoppedError
from tests.recorders.conftest import x_server

TEXT = "Grüße, 日本\n\tzwei Zeilen 🎉"


class Board:
    """A clipboard and a selection, as pyperclip offers them."""

    def __init__(self) -> None:
        self.held = {False: "before", True: "selected"}

    def copy(self, text: str, primary: bool = False) -> None:
        self.held[primary] = text

    def paste(self, primary: bool = False) -> str:
        return self.held[primary]


class Broken(Board):
    """What pyperclip is where there is no tool."""

    def paste(self, primary: bool = False) -> str:
        raise RuntimeError("no mechanism")


@pytest.mark.parametrize("terminal", [False, True])
def test_text_is_there_while_it_is_pasted_and_gone_afterwards(terminal: bool) -> None:
    board, seen = Board(), []
    Clipboard(board).paste(TEXT, lambda: None, lambda _: seen.append(board.held[terminal]), terminal)
    assert seen == [TEXT]
    assert board.held == {False: "before", True: "selected"}


def test_stopped_in_between_it_is_put_back_too() -> None:
    def stop(_: float) -> None:
        raise StoppedError

    board = Board()
    with pytest.raises(StoppedError):
        Clipboard(board).paste(TEXT, lambda: None, stop, terminal=False)
    assert board.held[False] == "before"


def test_no_way_to_the_clipboard_is_one_sentence() -> None:
    with pytest.raises(ReplayError, match="install xclip"):
        Clipboard(Broken()).check()


@pytest.mark.parametrize("terminal", [False, True])
def test_another_program_reads_it_from_a_real_x_server(tmp_path: Path, terminal: bool) -> None:
    """By xclip, in a process of its own: what it reads while the text is pasted, and what it reads afterwards."""
    if not shutil.which("xclip"):
        pytest.skip("xclip is not installed")
    names = ["clipboard", "primary"]

    def held(name: str) -> str:
        done = subprocess.run(["xclip", "-o", "-selection", name], capture_output=True, check=True, timeout=10)
        return done.stdout.decode()

    with x_server(tmp_path):
        for name in names:
            X11Clipboard().copy(f"in {name} before", primary=name == "primary")
        clipboard, seen = Clipboard(), []
        clipboard.check()
        clipboard.paste(TEXT, lambda: None, lambda _: seen.append([held(name) for name in names]), terminal)
        before = [f"in {name} before" for name in names]
        assert seen == [[before[0], TEXT] if terminal else [TEXT, before[1]]]
        assert [held(name) for name in names] == before
