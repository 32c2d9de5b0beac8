"""PC Tracker's action language (PC-Agent): `click (828, 1075)`, `drag from (1, 2) to (3, 4)`, `scroll (-2)`,
`press key: enter`, `hotkey (ctrl, c)`, `type text: Hello`, `wait`, `finish`, `fail`. Points are pixels and stay so; a
scroll over 0 is up (the tracker calls its unit a pixel offset)."""

from __future__ import annotations

import re
from collections.abc import Callable

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.keys import hotkey_order, key_name
from curate.model.trajectory import Platform
from curate.sources.common.reading import UnreadableError

_N = r"(-?\d+(?:\.\d+)?)"
_Meaning = Callable[["re.Match[str]", "Platform | None"], "list[Action]"]
_POINT = rf"\(\s*{_N}\s*,\s*{_N}\s*\)"


def read_action(text: str, platform: Platform | None = None) -> list[Action]:
    """The actions of one row. Raises UnreadableError."""
    text = text if text.startswith("type text:") else text.strip()  # what was typed may end in a line break
    for pattern, meaning in _FORMS:
        if (found := pattern.fullmatch(text)) is not None:
            return meaning(found, platform)
    raise UnreadableError("import.unsupported_action", f"{text[:60]!r} is no action of the tracker.")


def _pointed(kind: type[act.Click | act.RightClick | act.DoubleClick | act.MiddleClick | act.MoveTo]) -> _Meaning:
    return lambda found, platform: [kind(float(found[1]), float(found[2]))]


def _drag(found: re.Match[str], platform: Platform | None) -> list[Action]:
    x, y, to_x, to_y = (float(number) for number in found.groups())
    return [act.MoveTo(x, y), act.DragTo(to_x, to_y)]


def _scroll(found: re.Match[str], platform: Platform | None) -> list[Action]:
    if found[2] is None:
        return [act.Scroll(float(found[1]), "pixel")]
    across, down = float(found[1]), float(found[2])
    return [*([act.Scroll(down, "pixel")] if down or not across else []),
            *([act.HScroll(across, "pixel")] if across else [])]  # fmt: skip


def _press(found: re.Match[str], platform: Platform | None) -> list[Action]:
    return [act.Press(_key(found[1], platform))]


def _hotkey(found: re.Match[str], platform: Platform | None) -> list[Action]:
    keys = hotkey_order(_key(key, platform) for key in found[1].split(","))
    return [act.Hotkey(keys)] if len(keys) > 1 else [act.Press(keys[0])]


def _key(text: str, platform: Platform | None) -> str:
    name = key_name(text.strip(), platform) or key_name(text, platform)
    if name is None:
        raise UnreadableError("read.code", f"{text[:40]!r} is no key.")
    return name


_PATTERNS: dict[str, _Meaning] = {
    rf"click(?: element)? {_POINT}": _pointed(act.Click),
    rf"right click {_POINT}": _pointed(act.RightClick),
    rf"double click {_POINT}": _pointed(act.DoubleClick),
    rf"middle click {_POINT}": _pointed(act.MiddleClick),
    rf"(?:move to|hover) {_POINT}": _pointed(act.MoveTo),
    rf"drag from {_POINT} to {_POINT}": _drag,
    rf"scroll \(\s*{_N}\s*(?:,\s*{_N}\s*)?\)": _scroll,
    r"press key:? ?(.+)": _press,
    r"hotkey \((.+)\)": _hotkey,
    r"type text: ?(.*)": lambda found, platform: [act.Write(found[1])],
    r"wait": lambda found, platform: [act.Wait()],
    r"finish": lambda found, platform: [act.Terminate("success")],
    r"fail": lambda found, platform: [act.Terminate("failure")],
}
_FORMS = [(re.compile(pattern, re.DOTALL), meaning) for pattern, meaning in _PATTERNS.items()]
