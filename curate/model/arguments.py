"""The arguments of one call, read as what each parameter must be. Nothing is clamped or converted on a guess."""

from __future__ import annotations

import difflib
import re
from typing import Any

from curate.model.actions import Button
from curate.model.calls import Call, CodeError, Opaque, Value
from curate.model.finite import finite_number

Point = tuple[float, float]
_IGNORED = frozenset({"duration", "interval", "tween", "logScreenshot", "_pause", "pause"})
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"
_TAGGED_POINT = re.compile(rf"(?:<[^<>]{{1,20}}>)?\(?{_NUMBER}(?:, ?| ){_NUMBER}\)?(?:<[^<>]{{1,20}}>)?")
"""`<point>680 196</point>`, `<|box_start|>(528,269)<|box_end|>`, `(680,196)`: UI-TARS and GUIAct."""
_BUTTONS: dict[Any, Button] = {
    "left": "left", "primary": "left", "middle": "middle", "right": "right", "secondary": "right",
    1: "left", 2: "middle", 3: "right",
}  # fmt: skip


class Arguments:
    """The arguments of one call by parameter name, read as what the parameter must be."""

    def __init__(self, call: Call, values: dict[str, Value | Opaque], pixels: bool) -> None:
        self.call, self.values, self.pixels = call, values, pixels

    def fail(self, name: str, why: str, fix: str, reason: str = "read.code") -> CodeError:
        return CodeError(self.call.line, f"{self.call.shown}({name}=...)", why, fix, reason)

    def get(self, name: str) -> Value:
        value = self.values.get(name)
        if isinstance(value, Opaque):
            raise self.fail(name, f"{value.kind} is no literal value", "write the value itself")
        return value

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise self.fail(name, f"it must be text, not {kind_of(value)}", "write it in quotes")
        return value

    def number(self, name: str) -> float | None:
        value = self.get(name)
        if value is None:
            return None
        number = finite_number(value)
        if number is None:
            raise self.fail(name, f"it must be a number, not {kind_of(value)}", "write a number")
        return number

    def count(self, name: str, most: int | None = None) -> int:
        number = 1.0 if self.get(name) is None else self.number(name)
        if number is None or number != int(number) or number < 1 or (most is not None and number > most):
            raise self.fail(name, "it must be a whole number of times", f"use 1 to {most}" if most else "use 1 or more")
        return int(number)

    def button(self) -> Button:
        value = self.get("button")
        if value is None:
            return "left"
        button = _BUTTONS.get(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
        if button is None:
            raise self.fail("button", f"{kind_of(value)} is no button", "use left, middle or right")
        return button

    def coordinate(self, name: str, value: Value | Opaque) -> float:
        number = None if isinstance(value, Opaque) else finite_number(value)
        if number is None:
            why = f"a coordinate must be a number, not {kind_of(value)}"
            raise self.fail(name, why, "write a fraction of the picture, 0 to 1", "validate.coordinate_out_of_range")
        if not self.pixels and not 0.0 <= number <= 1.0:
            why = f"{number:g} is not from 0 to 1"
            fix = "coordinates are fractions of the picture; divide pixels by its size"
            raise self.fail(name, why, fix, "validate.coordinate_out_of_range")
        return number

    def pair(self, name: str) -> Point | None:
        value = self.get(name)
        if value is None:
            return None
        tagged = _TAGGED_POINT.fullmatch(value) if isinstance(value, str) else None
        if tagged is not None:
            value = [float(tagged[1]), float(tagged[2])]
        if not isinstance(value, list) or len(value) != 2:
            raise self.fail(name, "a point is two numbers", "write [x, y]", "validate.coordinate_out_of_range")
        return self.coordinate(name, value[0]), self.coordinate(name, value[1])

    def point(self, pointer: Point | None) -> Point | None:
        """The point of the call: x and y, `x=[x, y]`, a tagged point, or where the pointer is."""
        if self.values.get("point") is not None:
            return self.pair("point")
        if isinstance(self.values.get("x"), list):
            return self.pair("x")
        if self.values.get("x") is None and self.values.get("y") is None:
            return pointer
        both = []
        for index, name in enumerate(("x", "y")):
            value = self.values.get(name)
            if value is None and pointer is None:
                raise self.fail(name, "it is missing", "write both x and y", "validate.coordinate_out_of_range")
            both.append(pointer[index] if value is None and pointer else self.coordinate(name, value))
        return both[0], both[1]


def kind_of(value: object) -> str:
    if isinstance(value, Opaque):
        return value.kind
    return "nothing" if value is None else "a list" if isinstance(value, list) else repr(value)[:40]


def bind(call: Call, parameters: str, pixels: bool) -> Arguments:
    """Arguments by the first name of each parameter (`message|text`); `*` takes any number by place."""
    names = [parameter.split("|") for parameter in parameters.split()]
    values: dict[str, Value | Opaque] = {}
    if names and names[0][0] == "*":
        names = names[1:]
        plain = [value for value in call.args if not isinstance(value, Opaque)]
        values["*"] = plain
        if len(call.args) != len(plain):
            raise CodeError(call.line, f"{call.shown}(...)", "an argument is no literal value", "write the value")
    elif len(call.args) > len(names):
        raise CodeError(call.line, f"{call.shown}(...)", f"it takes {len(names)} arguments", "leave the others out")
    else:
        values |= {name[0]: value for name, value in zip(names, call.args, strict=False)}
    known = {other: name[0] for name in names for other in name}
    for given, value in call.kwargs.items():
        name = known.get(given)
        if name is None and given in _IGNORED:
            continue
        if name is None or name in values:
            near = difflib.get_close_matches(given[:40], known, n=1)
            why = "no such argument" if name is None else "it is given twice"
            fix = f"did you mean {near[0]}?" if near and name is None else f"use {', '.join(known) or 'none'}"
            raise CodeError(call.line, f"{call.shown}({given[:40]}=...)", why, fix)
        values[name] = value
    return Arguments(call, values, pixels)
