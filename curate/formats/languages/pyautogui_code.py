"""Our own code (`model.render`) in the languages that are nearly it: OpenCUA's and Aguvis'. Code is one call a line,
and a point stands first in its call, so that neither is ever mistaken for something in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curate.model.constants import UNKNOWN_WAIT_S

_POINT = re.compile(r"^([a-z]+\.\w+\()x=([0-9.]+), y=([0-9.]+)", re.M)
_MOUSE = "click rightClick middleClick doubleClick tripleClick moveTo dragTo scroll hscroll"
_KEYS = "hotkey press write keyDown keyUp"
_PYAUTOGUI = frozenset(f"pyautogui.{name}" for name in f"{_MOUSE} {_KEYS}".split())
_BROWSER = frozenset({"browser.select_option", "browser.clear"})
_OPENCUA = _PYAUTOGUI | _BROWSER | {"computer.wait", "computer.terminate"}
_ON_PHONES = frozenset({"mobile.swipe", "mobile.long_press", "mobile.open_app", "mobile.home", "mobile.back"})
_ELEMENT = "(element_id="
_IMPOSSIBLE = "computer.terminate(status='impossible')"
_FAILURE = "computer.terminate(status='failure')"
_PAGES = re.compile(r"computer\.scroll\(amount=(-?[0-9.]+), unit='page'\)")


def opencua(code: str) -> str | None:
    """Code as OpenCUA writes it. Its end is success or failure; a scroll is by notches; a phone has no words."""
    if not code or ("\n" not in code and code.startswith("pyautogui.")):  # most steps: ours are all OpenCUA's
        return code
    lines = code.split("\n")
    for at, line in enumerate(lines):
        if line == _IMPOSSIBLE:
            lines[at] = _FAILURE
        elif line.split("(", 1)[0] not in _OPENCUA or _ELEMENT in line[: line.find("(") + len(_ELEMENT)]:
            return None
    return "\n".join(lines)


def aguvis(code: str, phone: bool) -> str | None:
    """Code as Aguvis writes it: a phone waits and ends in `mobile`, an answer is a call of its own, and a scroll may be
    by pages, more than 0 is up."""
    if "\n" not in code and code.startswith("pyautogui."):
        return code
    lines = code.split("\n")
    for at, line in enumerate(lines):
        said = _aguvis_line(line, phone)
        if said is None:
            return None
        lines[at] = said
    return "\n".join(lines)


def _aguvis_line(line: str, phone: bool) -> str | None:
    if line == _IMPOSSIBLE:
        line = _FAILURE
    call = line.split("(", 1)[0]
    if line == "computer.wait()" and phone:  # a phone's asks for a time
        return f"mobile.wait(seconds={UNKNOWN_WAIT_S})"
    if call in ("computer.wait", "computer.terminate"):
        return "mobile." + line.removeprefix("computer.") if phone else line
    if call == "computer.answer":
        return "answer(" + line.removeprefix("computer.answer(text=")
    if call == "computer.scroll":
        pages = _PAGES.fullmatch(line)
        return None if pages is None else f"pyautogui.scroll(page={pages[1]})"
    if call == "mobile.enter":
        return "pyautogui.press('enter')" if phone else None
    if call in _BROWSER and _ELEMENT in line[: line.find("(") + len(_ELEMENT)]:
        return None
    known = call in _PYAUTOGUI or call in _BROWSER or (phone and call in _ON_PHONES)
    return line if known else None


def in_pixels(code: str, width: int, height: int) -> str:
    """Code whose points are pixels of a picture `width` x `height` instead of fractions."""
    if "x=" not in code:
        return code

    def replaced(match: re.Match[str]) -> str:
        return f"{match[1]}x={round(float(match[2]) * width)}, y={round(float(match[3]) * height)}"

    return _POINT.sub(replaced, code)


def calls_of(code: str) -> Sequence[str]:
    """The name of each call of code."""
    return [line.split("(", 1)[0] for line in code.split("\n")]
