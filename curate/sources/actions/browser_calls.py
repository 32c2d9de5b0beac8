"""The action language of BrowserGym (AgentTrek, the web parts of the Agent Data Protocol): Python calls on elements
that the tree beside the step numbers: `click('234')`, `fill('237', 'text')`, `scroll(0, 200)`,
`send_msg_to_user('...')`.

What is decided here:
- `fill` empties the field and writes into it; a press in an element is the key alone, with the element beside it.
- `scroll(dx, dy)` is in pixels; each axis that moves is an action of its own.
- `send_msg_to_user` is an answer, `report_infeasible` an answer and the end of the run.
- What has no action in a record (tabs, going forward, files, checking, places in pixels of an unknown window) is named
  by `Meant.unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.arguments import Arguments, bind
from curate.model.calls import Call, CodeError, read_calls
from curate.model.keys import hotkey_order, key_name, modifier_of, modifier_order, split_keys
from curate.sources.actions.element_calls import Meant

Scrolled = Callable[[float, str], Action]
"""The action of a scroll by signed pixels along an axis ("x" or "y"): the source's `Conventions.scroll`."""


def read_browser_calls(code: str, scrolled: Scrolled) -> Meant:
    """The actions of a step's calls. Raises CodeError."""
    return browser_actions(read_calls(code), scrolled)


def browser_actions(calls: Sequence[Call], scrolled: Scrolled) -> Meant:
    """The same for calls that are read already. Nothing at all is done where one call has no action."""
    actions: list[Action] = []
    element: str | None = None
    for call in calls:
        if call.word in _UNSUPPORTED:
            return Meant([], unsupported=call.shown)
        meaning = _MEANINGS.get(call.word)
        if meaning is None:
            fix = "write a call of BrowserGym's action set"
            raise CodeError(call.line, f"{call.shown}(...)", "no such action of a browser", fix)
        parameters, act_on = meaning
        arguments = bind(call, parameters, pixels=True)
        if element is None and arguments.values.get("bid") is not None:
            element = _bid(arguments)
        actions += act_on(arguments, scrolled)
    return Meant(actions, element)


_UNSUPPORTED = frozenset(
    {"goforward", "newtab", "tabfocus", "tabclose", "uploadfile", "mouseuploadfile", "focus", "check", "uncheck",
     "mousemove", "mousedown", "mouseup", "mouseclick", "mousedblclick", "mousedraganddrop"}
)  # fmt: skip
_Meaning = tuple[str, Callable[[Arguments, Scrolled], list[Action]]]


def _bid(arguments: Arguments, name: str = "bid") -> str:
    value = arguments.get(name)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else arguments.text(name)


def _held(arguments: Arguments) -> tuple[Modifier, ...]:
    given = arguments.get("modifiers") or []
    names = [key_name(name) for name in given if isinstance(name, str)] if isinstance(given, list) else []
    held = [modifier_of(name) for name in names if name is not None]
    known = [modifier for modifier in held if modifier is not None]
    if len(known) != (len(given) if isinstance(given, list) else -1):
        raise arguments.fail("modifiers", "it names no keys that can be held", "use Control, Alt, Shift, Meta")
    return modifier_order(known)


_CLICKS: dict[str, type[Any]] = {"left": act.Click, "middle": act.MiddleClick, "right": act.RightClick}


def _click(arguments: Arguments, _: Scrolled) -> list[Action]:
    return [_CLICKS[arguments.button()](element_id=_bid(arguments), modifiers=_held(arguments))]


def _double(arguments: Arguments, _: Scrolled) -> list[Action]:
    return [act.DoubleClick(element_id=_bid(arguments), modifiers=_held(arguments))]


def _fill(arguments: Arguments, _: Scrolled) -> list[Action]:
    element, text = _bid(arguments), arguments.text("value")
    return [act.Clear(element_id=element), *([act.Write(text)] if text else [])]


def _type(arguments: Arguments, _: Scrolled) -> list[Action]:
    """`type` of sources that go on from WebArena's language: into an element, with or without Enter."""
    text = arguments.text("text")
    done: list[Action] = [act.Click(element_id=_bid(arguments)), *([act.Write(text)] if text else [])]
    return [*done, act.Press("enter")] if str(arguments.get("enter")) in ("1", "True") else done


def _select(arguments: Arguments, _: Scrolled) -> list[Action]:
    given = arguments.get("options")
    options = given if isinstance(given, list) else [given]
    if not options or not all(isinstance(option, str) for option in options):
        raise arguments.fail("options", "it names no option", "write the option's text")
    return [act.SelectOption(element_id=_bid(arguments), value=str(option)) for option in options]


def _keys(arguments: Arguments, name: str) -> list[Action]:
    keys = split_keys(arguments.text(name))
    if not keys:
        raise arguments.fail(name, "it is no key", "use names such as Enter, Control+a")
    names = hotkey_order(keys)
    return [act.Hotkey(names) if len(names) > 1 else act.Press(names[0])]


def _scroll(arguments: Arguments, scrolled: Scrolled) -> list[Action]:
    dx, dy = arguments.number("delta_x"), arguments.number("delta_y")
    if dx is None or dy is None:
        raise arguments.fail("delta_y", "two distances are needed", "write scroll(delta_x, delta_y)")
    return [scrolled(value, axis) for value, axis in ((dy, "y"), (dx, "x")) if value]


def _wait(arguments: Arguments, _: Scrolled) -> list[Action]:
    milliseconds = arguments.number("wait_ms")
    if milliseconds is not None and milliseconds < 0:
        raise arguments.fail("wait_ms", "time does not run back", "write 0 or more")
    return [act.Wait(None if milliseconds is None else milliseconds / 1000)]


def _key_event(kind: type[Any]) -> Callable[[Arguments, Scrolled], list[Action]]:
    def meaning(arguments: Arguments, _: Scrolled) -> list[Action]:
        name = key_name(arguments.text("key"))
        if name is None:
            raise arguments.fail("key", "it is no key", "use names such as Shift")
        return [kind(name)]

    return meaning


def _drag(arguments: Arguments, _: Scrolled) -> list[Action]:
    return [act.MoveTo(element_id=_bid(arguments)), act.DragTo(element_id=_bid(arguments, "to_bid"))]


def _text(arguments: Arguments) -> str:
    return arguments.text("text")


_MEANINGS: dict[str, _Meaning] = {
    "click": ("bid button modifiers", _click),
    "dblclick": ("bid button modifiers", _double),
    "hover": ("bid", lambda a, _: [act.MoveTo(element_id=_bid(a))]),
    "fill": ("bid value|text enable_autocomplete_menu", _fill),
    "type": ("bid text|value press_enter_after|enter", _type),
    "clear": ("bid", lambda a, _: [act.Clear(element_id=_bid(a))]),
    "selectoption": ("bid options|value", _select),
    "press": ("bid key_comb|key", lambda a, _: _keys(a, "key_comb")),
    "keyboardpress": ("key", lambda a, _: _keys(a, "key")),
    "keyboardtype": ("text", lambda a, _: [act.Write(_text(a))]),
    "keyboardinserttext": ("text", lambda a, _: [act.Write(_text(a))]),
    "keyboarddown": ("key", _key_event(act.KeyDown)),
    "keyboardup": ("key", _key_event(act.KeyUp)),
    "scroll": ("delta_x|dx delta_y|dy", _scroll),
    "draganddrop": ("bid|from_bid to_bid", _drag),
    "goto": ("url", lambda a, _: [act.Goto(a.text("url"))]),
    "goback": ("", lambda *_: [act.Back()]),
    "noop": ("wait_ms", _wait),
    "sendmsgtouser": ("text", lambda a, _: [act.Answer(_text(a))]),
    "reportinfeasible": ("reason|text", lambda a, _: [act.Answer(a.text("reason")), act.Terminate("impossible")]),
}  # fmt: skip
