"""Which programs publish a tree, and which of their windows is the one that the X server has in front."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec

from recorders.a11y import atspi_names as names
from recorders.a11y.atspi_bus import REGISTRY, Ref
from recorders.a11y.atspi_objects import Objects, text_of
from recorders.a11y.prune import Box
from recorders.a11y.x11_front import Window, XWindows

_PROGRAM = "/org/a11y/atspi/accessible/root"
_NAME_S = 0.3  # a program may take to say its name
_BOX_SLACK_PX = 3  # a popup's frame and the X window that shows it


class _Top(msgspec.Struct, frozen=True):
    """A window as its program tells it."""

    ref: Ref
    name: str | None
    states: int
    box: Box | None

    @property
    def shows(self) -> bool:
        return names.has(self.states, names.SHOWING)


class Programs:
    """Of one session."""

    def __init__(self, objects: Objects, windows: XWindows) -> None:
        self._objects, self._windows = objects, windows
        self.known: dict[str, tuple[str | None, int | None]] = {}
        self._frame_of: tuple[int, str | None, Ref] | None = None

    async def frames(self, window: Window) -> list[Ref]:
        """The window's frame and what its program has open above it."""
        tops: list[Ref] = []
        for program in await self._running():
            pid = self.known[program[0]][1]
            if window.pid is None or pid is None or pid == window.pid:
                tops += await self._objects.children(program)
        described = await asyncio.gather(*(self._top(ref) for ref in tops))
        own = [top for top in described if top.name and top.name == window.title]
        if not own and window.pid is not None:  # its title is another than its frame's name
            own = [top for top in described if names.has(top.states, names.ACTIVE)]
        if not own:
            return []
        frame = min(own, key=lambda top: _apart(top.box, window.box))
        self._frame_of = (window.id, window.title, frame.ref)
        shown = self._windows.popups() if len(tops) > 1 else []
        popups = [
            top.ref
            for top in described
            if top not in own and top.ref[0] == frame.ref[0] and top.shows and _among(top.box, shown)
        ]
        return [frame.ref, *popups]

    def known_frame(self, window: Window) -> list[Ref]:
        """As found when its tree was read: at a press there is no time to look for it."""
        known = self._frame_of
        return [known[2]] if known is not None and known[:2] == (window.id, window.title) else []

    async def _top(self, ref: Ref) -> _Top:
        properties = await self._objects.bus.properties(ref)
        return _Top(ref, text_of(properties.get("Name")), await self._objects.states(ref), await self._objects.box(ref))

    async def _running(self) -> list[Ref]:
        """The programs that publish a tree."""
        programs = await self._objects.children(REGISTRY)
        for name, _ in programs:
            await self.know(name)
        return programs

    async def know(self, name: str) -> tuple[str | None, int | None]:
        """A program's name and process, by its name on the bus."""
        if name not in self.known:
            pid = await self._objects.bus.pid_of(name)
            properties: dict[str, Any] = {}
            with contextlib.suppress(TimeoutError):  # one that hangs must not keep others from being read
                async with asyncio.timeout(_NAME_S):
                    properties = await self._objects.bus.properties((name, _PROGRAM))
            self.known[name] = text_of(properties.get("Name")), pid
        return self.known[name]


def _apart(box: Box | None, other: Box | None) -> float:
    """How far the edges of two boxes are from each other: of several windows of one name, which is it."""
    if box is None or other is None:
        return float("inf")
    return sum(abs(a - b) for a, b in zip(box, other, strict=True))


def _among(box: Box | None, shown: list[Box]) -> bool:
    """Whether an X window shows this box."""
    return box is not None and any(
        all(abs(a - b) <= _BOX_SLACK_PX for a, b in zip(box, other, strict=True)) for other in shown
    )
