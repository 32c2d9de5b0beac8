"""The clipboard has afterwards what it had before."""

from __future__ import annotations

import pytest

from recorders.replay.clipboard import Clipboard
from recorders.replay.errors import ReplayError, StoppedError


class Board:
    """A clipboard and a selection, as pyperclip offers them."""

    def __init__(self) -> None:
        self.held = {False: "before", True: "selected"}

    def copy(self, text: str, primary: bool = False) -> None:
        self.held[primary] = text

    def paste(self, primary: bool = False) -> str:
        return self.held[primary]


@pytest.fixture
def clipboard() -> Clipboard:
    made = Clipboard()
    made._clipboard = Board()
    return made


@pytest.mark.parametrize("terminal", [False, True])
def test_text_is_there_while_it_is_pasted_and_gone_afterwards(clipboard: Clipboard, terminal: bool) -> None:
    seen: list[str] = []
    clipboard.paste("日本", lambda: None, lambda _: seen.append(clipboard._clipboard.held[terminal]), terminal)
    assert seen == ["日本"]
    assert clipboard._clipboard.held == {False: "before", True: "selected"}


def test_stopped_in_between_it_is_put_back_too(clipboard: Clipboard) -> None:
    def stop(_: float) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        clipboard.paste("日本", lambda: None, stop, terminal=False)
    assert clipboard._clipboard.held[False] == "before"


def test_no_way_to_the_clipboard_is_one_sentence(clipboard: Clipboard) -> None:
    def broken() -> str:
        raise RuntimeError("no mechanism")

    clipboard._clipboard.paste = broken
    with pytest.raises(ReplayError, match="install xclip"):
        clipboard.check()
