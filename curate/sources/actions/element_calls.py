"""The action language of WebArena and what grew out of it (NNetNav, OS-Genesis' web part, Explorer): `click [12]`,
`type [12] [text] [1]`, `scroll [down]`, `stop [answer]`. Elements are numbers of a tree that stands beside the step.

What is decided here:
- `type [12] [text]` clicks the element, writes, and presses Enter: the language's own default, unless it ends in `[0]`.
  A dialect without that default says so (`enter=False`).
- The text of `type`, `goto` and `stop` may hold brackets: it goes up to the last one.
- `stop [N/A]` says that the task cannot be done; any other `stop` gives its answer and ends the run. Whether that is a
  success is not the run's own to say.
- Tabs, going forward and a search engine's own command have no action in a record: `Meant.unsupported` names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.keys import hotkey_order, split_keys
from curate.sources.common.reading import UnreadableError


class Meant(NamedTuple):
    """What a call means. `element_id`: the element it names, if any. `unsupported`: the call, where a record has no
    action for it; then there are no actions."""

    actions: list[Action]
    element_id: str | None = None
    unsupported: str | None = None


Scrolled = Callable[[str], Action]
"""The action of a scroll in a direction (a word): the source's `Conventions.scroll`."""

_CALL = re.compile(r"([a-z_]+)\s*(.*)", re.DOTALL | re.IGNORECASE)
_ONE = re.compile(r"\[(.*)\]", re.DOTALL)
_ELEMENT = re.compile(r"\[([^\[\]]+)\](?:\s+where\b.*)?", re.DOTALL)
_ELEMENT_AND_TEXT = re.compile(r"\[([^\[\]]+)\]\s*\[(.*)\]", re.DOTALL)
_ENTER = re.compile(r"(.*)\]\s*\[\s*(?:press_enter_after\s*=\s*)?([01])\s*", re.DOTALL)
_IMPOSSIBLE = "n/a"
_UNSUPPORTED = frozenset(
    {"new_tab", "tab_focus", "close_tab", "page_focus", "page_close", "go_forward", "google_search"}
)


def read_element_call(text: str, *, scrolled: Scrolled, enter: bool = True) -> Meant:
    """The actions of one call. Raises UnreadableError: `read.code` for what is no call of the language."""
    found = _CALL.fullmatch(text.strip())
    name, rest = (found[1].lower(), found[2].strip()) if found else ("", "")
    if name in _UNSUPPORTED:
        return Meant([], unsupported=text.strip())
    reader = _READERS.get(name)
    if reader is not None:
        return reader(rest)
    if name == "type":
        return _type(rest, enter)
    if name == "scroll":
        return Meant([scrolled(_inner(rest))])
    raise _no_call(text)


def thought_before(text: str) -> str | None:
    """What an answer says before its call, without the phrase that leads to it."""
    plain = text.rstrip().removesuffix(":").rstrip()
    return plain.removesuffix(_LEADS_TO_IT).strip() or None


_LEADS_TO_IT = "In summary, the next action I will perform is"


def _no_call(text: str) -> UnreadableError:
    shown = text.strip()[:80] or "nothing"
    return UnreadableError("read.code", f"{shown!r} is no call such as `click [12]` or `type [12] [text] [1]`.")


def _inner(rest: str) -> str:
    found = _ONE.fullmatch(rest)
    return (found[1] if found else rest).strip()


def _element(rest: str) -> str:
    found = _ELEMENT.fullmatch(rest)
    if found is None or not found[1].strip():
        raise _no_call(rest)
    return found[1].strip()


def _element_and_text(rest: str) -> tuple[str, str]:
    found = _ELEMENT_AND_TEXT.fullmatch(rest)
    if found is None or not found[1].strip():
        raise _no_call(rest)
    return found[1].strip(), found[2]


def _click(rest: str) -> Meant:
    element = _element(rest)
    return Meant([act.Click(element_id=element)], element)


def _hover(rest: str) -> Meant:
    element = _element(rest)
    return Meant([act.MoveTo(element_id=element)], element)


def _type(rest: str, enter: bool) -> Meant:
    element, text = _element_and_text(rest)
    flagged = _ENTER.fullmatch(text)
    if flagged:
        text, enter = flagged[1], flagged[2] == "1"
    actions: list[Action] = [act.Click(element_id=element)]
    actions += [act.Write(text)] if text else []
    return Meant([*actions, act.Press("enter")] if enter else actions, element)


def _select(rest: str) -> Meant:
    element, value = _element_and_text(rest)
    return Meant([act.SelectOption(element_id=element, value=value)], element)


def _press(rest: str) -> Meant:
    keys = split_keys(_inner(rest))
    if not keys:
        raise _no_call(rest)
    names = hotkey_order(keys)
    return Meant([act.Hotkey(names) if len(names) > 1 else act.Press(names[0])])


def _stop(rest: str) -> Meant:
    answer = _inner(rest)
    if answer.lower() == _IMPOSSIBLE:
        return Meant([act.Terminate("impossible")])
    return Meant([act.Answer(answer), act.Terminate()] if answer else [act.Terminate()])


_READERS: dict[str, Callable[[str], Meant]] = {
    "click": _click,
    "hover": _hover,
    "select": _select,
    "press": _press,
    "goto": lambda rest: Meant([act.Goto(_inner(rest))]),
    "go_back": lambda _: Meant([act.Back()]),
    "stop": _stop,
}
