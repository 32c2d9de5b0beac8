"""Asking one accessible object of AT-SPI: its states, place, children, and what a record holds of it."""

from __future__ import annotations

from recorders.a11y import atspi_names as names
from recorders.a11y.atspi_bus import ACCESSIBLE, COMPONENT, TEXT, VALUE, AtspiBus, Ref
from recorders.a11y.prune import MAX_TEXT, NOWHERE, Box, Seen

_ON_SCREEN = 0  # coordinates of the screen, not of the window (ATSPI_COORD_TYPE_SCREEN)


class Objects:
    """Answers are empty where an object is gone. Boxes and points are pixels of the recorded region, whose corner on
    the screen is `origin`."""

    def __init__(self, bus: AtspiBus, origin: tuple[int, int]) -> None:
        self.bus, self._origin = bus, origin

    async def describe(self, ref: Ref, states: int, parent: int | None) -> tuple[Seen, int]:
        """What a record holds of it, and how many children it says it has. `states`: as `states` gave them;
        `parent`: its index among those already seen."""
        properties = await self.bus.properties(ref)
        raw_role = await self.role(ref)
        element = Seen(
            parent=parent,
            raw_role=raw_role,
            role=names.role_for(raw_role, states),
            name=text_of(properties.get("Name")),
            description=text_of(properties.get("Description")),
            value=await self.value(ref, raw_role),
            box=await self.box(ref),
            states=names.states_of(states, raw_role),
            ref=ref,
        )
        children = properties.get("ChildCount")
        return element, children if isinstance(children, int) else 0

    async def value(self, ref: Ref, raw_role: str) -> str | None:
        """What an element holds or is set to. A password field is not asked."""
        if raw_role in names.WITH_TEXT:
            text = await self.bus.ask(ref, TEXT, "GetText", "ii", [0, MAX_TEXT + 1])
            return text if isinstance(text, str) else None
        if raw_role in names.WITH_VALUE:
            number = await self.bus.property(ref, VALUE, "CurrentValue")
            return f"{number:.10g}" if isinstance(number, int | float) else None
        return None

    async def states(self, ref: Ref) -> int:
        """Its states as bits; 0 where it is gone."""
        words = await self.bus.ask(ref, ACCESSIBLE, "GetState")
        return names.bits(words) if isinstance(words, list) else 0

    async def box(self, ref: Ref) -> Box | None:
        """Where it is; None where it has no size. What is on no screen keeps AT-SPI's `NOWHERE`."""
        extents = await self.bus.ask(ref, COMPONENT, "GetExtents", "u", [_ON_SCREEN])
        if not isinstance(extents, list | tuple) or len(extents) != 4:
            return None
        left, top, width, height = extents
        if (width <= 0 or height <= 0) and left > NOWHERE:
            return None
        left, top = left - self._origin[0], top - self._origin[1]
        return (float(left), float(top), float(left + width), float(top + height))

    async def children(self, ref: Ref) -> list[Ref]:
        """What is in it."""
        found = await self.bus.ask(ref, ACCESSIBLE, "GetChildren")
        return [(bus, path) for bus, path in found or [] if not path.endswith("/null")]

    async def role(self, ref: Ref) -> str:
        """AT-SPI's name of its role."""
        role = await self.bus.ask(ref, ACCESSIBLE, "GetRoleName")
        return role if isinstance(role, str) else ""

    async def name(self, ref: Ref) -> str | None:
        """What it is called."""
        return text_of(await self.bus.property(ref, ACCESSIBLE, "Name"))

    async def parent(self, ref: Ref) -> Ref | None:
        """What holds it."""
        return _ref(await self.bus.property(ref, ACCESSIBLE, "Parent"))

    async def at(self, ref: Ref, x: float, y: float) -> Ref | None:
        """What it says lies in it at a point: the next one down, or the last."""
        point = [int(x) + self._origin[0], int(y) + self._origin[1], _ON_SCREEN]
        return _ref(await self.bus.ask(ref, COMPONENT, "GetAccessibleAtPoint", "iiu", point))


def text_of(value: object) -> str | None:
    """A text that says something."""
    return value if isinstance(value, str) and value else None


def _ref(value: object) -> Ref | None:
    if not isinstance(value, list | tuple) or len(value) != 2 or str(value[1]).endswith("/null"):
        return None
    return str(value[0]), str(value[1])
