"""Linux: AT-SPI. Who is in front is asked of the X server; what is in it, of the program."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec

from curate.model.coordinates import holds
from recorders.a11y import atspi_names as names
from recorders.a11y.atspi_bus import ACCESSIBLE, COMPONENT, REGISTRY, TEXT, VALUE, AtspiBus, NoBusError, Ref
from recorders.a11y.backend import FocusSeen, UnavailableError, WindowSeen
from recorders.a11y.base import Setup
from recorders.a11y.prune import MAX_DEPTH, MAX_NODES, MAX_TEXT, NOWHERE, Box, Seen, is_nowhere
from recorders.a11y.x11_front import Window, XWindows
from recorders.events.base import RecorderError

_PROGRAM = "/org/a11y/atspi/accessible/root"
_NAME_S = 0.3  # a program may take to say its name
_FOCUS_S = 1.0  # and what has the focus
_MAX_CHILDREN = 1000  # of one element; a spreadsheet says that it has billions
_MAX_TRIED = 300  # of an element's children, when the innermost one at a point is looked for
_MENU_DEPTH = 12  # from a window to an item of a menu of a menu
_ON_SCREEN = 0  # coordinates of the screen, not of the window (ATSPI_COORD_TYPE_SCREEN)
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


class Atspi:
    """See Backend."""

    name = "at-spi@1"

    def __init__(self) -> None:
        self._programs: dict[str, tuple[str | None, int | None]] = {}  # bus name: the program's name and process
        self._told: set[str] = set()
        self._silent: dict[str, None] = {}
        self._frame_of: tuple[int, str | None, Ref] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
        self._excluded, self._origin, self._focus = setup.excluded, setup.origin, focus
        try:
            self._windows = XWindows()
            self._bus = await AtspiBus.connect()
        except (RecorderError, NoBusError) as error:
            raise UnavailableError(str(error)) from error
        await self._bus.hear_focus(self._heard)
        if await self._bus.switch_on():
            return ["Accessibility was off and is on while recording: browsers that ran before tell no tree."]
        return []

    async def close(self) -> None:
        await self._bus.close()

    def untold(self) -> list[str]:
        return [name for name in self._silent if name not in self._told]

    # --- trees ------------------------------------------------------------------------------------------------

    async def window(self) -> WindowSeen | None:
        window = self._windows.front()
        if window is None or self._excluded.hides(window.app, window.title):
            return None
        roots = await self._frames(window)
        if not roots:
            self._silent[window.app or "unknown"] = None
            return None
        self._told.add(window.app or "unknown")
        found = WindowSeen(app=window.app, title=window.title, seen=[])
        level: list[tuple[Ref, int | None]] = [(root, None) for root in roots]
        known = set(roots)
        for depth in range(MAX_DEPTH + 1):
            seen = await asyncio.gather(*(self._look(ref, parent) for ref, parent in level))
            below: list[tuple[Ref, int | None]] = []
            for (ref, _), (element, children) in zip(level, seen, strict=True):
                if element is None:
                    continue
                found.seen.append(element)
                found.cut = found.cut or children > _MAX_CHILDREN
                if 0 < children <= _MAX_CHILDREN and depth < MAX_DEPTH and not is_nowhere(element.box):
                    below.append((ref, len(found.seen) - 1))
            if len(found.seen) > MAX_NODES:
                found.cut = True
                break
            lists = await asyncio.gather(*(self._children(ref) for ref, _ in below))
            level = []
            for (_, parent), children_of in zip(below, lists, strict=True):
                fresh = [child for child in children_of if child not in known]
                known.update(fresh)
                level += [(child, parent) for child in fresh]
            if not level:
                break
        return found

    async def _look(self, ref: Ref, parent: int | None) -> tuple[Seen | None, int]:
        """One element, None if it does not show, and how many children it says it has that are worth asking for."""
        states = await self._states(ref)
        if not names.has(states, names.SHOWING):
            return None, 0
        element, children = await self._describe(ref, states, parent)
        crowded = names.has(states, names.MANAGES_DESCENDANTS) and children > _MAX_CHILDREN
        if crowded or "password" in element.states:
            return element, 0
        return element, children

    async def _describe(self, ref: Ref, states: int, parent: int | None) -> tuple[Seen, int]:
        properties = await self._bus.properties(ref)
        role = await self._bus.ask(ref, ACCESSIBLE, "GetRoleName")
        raw_role = role if isinstance(role, str) else ""
        element = Seen(
            parent=parent,
            raw_role=raw_role,
            role=names.role_for(raw_role, states),
            name=_text(properties.get("Name")),
            description=_text(properties.get("Description")),
            value=await self._value(ref, raw_role),
            box=await self._box(ref),
            states=names.states_of(states, raw_role),
        )
        children = properties.get("ChildCount")
        return element, children if isinstance(children, int) else 0

    async def _value(self, ref: Ref, raw_role: str) -> str | None:
        """What an element holds or is set to. A password field is not asked."""
        if raw_role in names.WITH_TEXT:
            text = await self._bus.ask(ref, TEXT, "GetText", "ii", [0, MAX_TEXT + 1])
            return text if isinstance(text, str) else None
        if raw_role in names.WITH_VALUE:
            number = await self._bus.property(ref, VALUE, "CurrentValue")
            return f"{number:.10g}" if isinstance(number, int | float) else None
        return None

    async def _states(self, ref: Ref) -> int:
        words = await self._bus.ask(ref, ACCESSIBLE, "GetState")
        return names.bits(words) if isinstance(words, list) else 0

    async def _box(self, ref: Ref) -> Box | None:
        extents = await self._bus.ask(ref, COMPONENT, "GetExtents", "u", [_ON_SCREEN])
        if not isinstance(extents, list | tuple) or len(extents) != 4:
            return None
        left, top, width, height = extents
        if (width <= 0 or height <= 0) and left > NOWHERE:
            return None
        left, top = left - self._origin[0], top - self._origin[1]
        return (float(left), float(top), float(left + width), float(top + height))

    async def _children(self, ref: Ref) -> list[Ref]:
        found = await self._bus.ask(ref, ACCESSIBLE, "GetChildren")
        return [(bus, path) for bus, path in found or [] if not path.endswith("/null")]

    # --- which program and window -----------------------------------------------------------------------------

    async def _frames(self, window: Window) -> list[Ref]:
        """The window's frame and what its program has open above it."""
        tops: list[Ref] = []
        for program in await self._running():
            pid = self._programs[program[0]][1]
            if window.pid is None or pid is None or pid == window.pid:
                tops += await self._children(program)
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

    def _known_frames(self, window: Window) -> list[Ref]:
        """As found when its tree was read: at a press there is no time to look for it."""
        known = self._frame_of
        return [known[2]] if known is not None and known[:2] == (window.id, window.title) else []

    async def _top(self, ref: Ref) -> _Top:
        properties = await self._bus.properties(ref)
        return _Top(ref, _text(properties.get("Name")), await self._states(ref), await self._box(ref))

    async def _running(self) -> list[Ref]:
        """The programs that publish a tree."""
        programs = await self._children(REGISTRY)
        for name, _ in programs:
            await self._know(name)
        return programs

    async def _know(self, name: str) -> None:
        if name not in self._programs:
            pid = await self._bus.pid_of(name)
            properties: dict[str, Any] = {}
            with contextlib.suppress(TimeoutError):  # one that hangs must not keep others from being read
                async with asyncio.timeout(_NAME_S):
                    properties = await self._bus.properties((name, _PROGRAM))
            self._programs[name] = _text(properties.get("Name")), pid

    # --- an element -------------------------------------------------------------------------------------------

    async def element(self, x: float, y: float) -> WindowSeen | None:
        window = self._windows.under(x, y)
        if window is None or self._excluded.hides(window.app, window.title):
            return None
        front = self._windows.front()
        if front is not None and self._excluded.hides(front.app, front.title):
            return None
        if front is not None and window.popup:
            found = await self._in_popup(front, x, y)
        else:
            found = await self._in_frames(self._known_frames(window) or await self._frames(window), x, y)
        seen = await self._path_to(found) if found is not None else []
        return WindowSeen(app=window.app, title=window.title, seen=seen) if seen else None

    async def _in_frames(self, frames: list[Ref], x: float, y: float) -> Ref | None:
        for frame in frames:
            found = await self._down_to(frame, x, y)
            if found is not None:
                return found
        return None

    async def _in_popup(self, front: Window, x: float, y: float) -> Ref | None:
        """A popup is a window of its own, or (GTK's menu bars) hangs below what opened it, outside of its box."""
        frames = await self._frames(front)
        if not frames:
            return None
        found = await self._in_frames(frames[1:], x, y)
        return found or await self._in_open_menu(frames[0], x, y)

    async def _in_open_menu(self, frame: Ref, x: float, y: float) -> Ref | None:
        level, found = [frame], None
        for _ in range(_MENU_DEPTH):
            states = await asyncio.gather(*(self._states(ref) for ref in level))
            shown = [ref for ref, state in zip(level, states, strict=True) if names.has(state, names.SHOWING)]
            roles = await asyncio.gather(*(self._bus.ask(ref, ACCESSIBLE, "GetRoleName") for ref in shown))
            boxes = await asyncio.gather(*(self._box(ref) for ref in shown))
            for ref, role, box in zip(shown, roles, boxes, strict=True):
                if role in names.IN_MENU and box is not None and holds(box, x, y):
                    found = ref
            ways = [ref for ref, role in zip(shown, roles, strict=True) if role in names.TO_MENU]
            lists = await asyncio.gather(*(self._children(ref) for ref in ways))
            level = [child for children in lists if len(children) <= _MAX_TRIED for child in children]
            if not level:
                break
        return found

    async def _down_to(self, frame: Ref, x: float, y: float) -> Ref | None:
        """The innermost element at a point; some programs answer with the next one down, others with the last."""
        point = [int(x) + self._origin[0], int(y) + self._origin[1], _ON_SCREEN]
        found: Ref | None = None
        here = frame
        for _ in range(MAX_DEPTH):
            reply = await self._bus.ask(here, COMPONENT, "GetAccessibleAtPoint", "iiu", point)
            below = (reply[0], reply[1]) if isinstance(reply, list | tuple) and len(reply) == 2 else None
            if below is None or below[1].endswith("/null") or below in (here, found):
                break
            found = here = below
        return await self._further_down(found, x, y) if found is not None else None

    async def _further_down(self, ref: Ref, x: float, y: float) -> Ref:
        """Browsers answer before they have looked, with what holds the element: its children are asked for boxes."""
        best = here = ref
        for _ in range(MAX_DEPTH):
            if await self._bus.ask(here, ACCESSIBLE, "GetRoleName") in names.WHOLE:
                break
            children = (await self._children(here))[:_MAX_TRIED]
            boxes = await asyncio.gather(*(self._box(child) for child in children))
            pairs = list(zip(children, boxes, strict=True))
            # one without a box (a notebook's page in GTK) may hold something that has one
            there = [(child, box) for child, box in pairs if box is None or holds(box, x, y)]
            states = await asyncio.gather(*(self._states(child) for child, _ in there))
            shown = [pair for pair, state in zip(there, states, strict=True) if names.has(state, names.SHOWING)]
            sure = [child for child, box in shown if box is not None]
            if sure:
                best = here = sure[-1]  # what comes later lies on top
            elif shown:
                here = shown[-1][0]
            else:
                break
        return best

    async def _path_to(self, ref: Ref) -> list[Seen]:
        """From the window down to an element."""
        path: list[tuple[Ref, Seen]] = []
        here = ref
        for _ in range(MAX_DEPTH):
            states = await self._states(here)
            element, _ = await self._describe(here, states, None)
            if element.raw_role in ("application", "desktop frame", ""):
                break
            path.append((here, element))
            above = await self._bus.property(here, ACCESSIBLE, "Parent")
            if not isinstance(above, list | tuple) or len(above) != 2 or above[1].endswith("/null"):
                break
            here = (above[0], above[1])
        seen = [element for _, element in reversed(path)]
        for index, element in enumerate(seen):
            element.parent = index - 1 if index else None
        return seen

    # --- focus ------------------------------------------------------------------------------------------------

    def _heard(self, ref: Ref, has_it: bool) -> None:
        if has_it:  # what loses it says so too, but another gets it
            task = asyncio.get_running_loop().create_task(self._tell(ref))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell(self, ref: Ref) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FOCUS_S):
                await self._tell_of(ref)

    async def _tell_of(self, ref: Ref) -> None:
        window = self._windows.front()
        if window is not None and self._excluded.hides(window.app, window.title):
            self._focus(FocusSeen())
            return
        role = await self._bus.ask(ref, ACCESSIBLE, "GetRoleName")
        if role == names.PASSWORD_ROLE:  # the keys are on their way: the rest can wait
            self._focus(FocusSeen(seen=Seen(parent=None, raw_role=role, states=["password"]), sure=False))
        found = await self._focus_of(ref)
        pid = self._programs[ref[0]][1]
        elsewhere = window is not None and None not in (window.pid, pid) and window.pid != pid
        if found.password or not elsewhere:  # a password prompt may be told before its window is in front
            self._focus(found)

    async def _focus_of(self, ref: Ref) -> FocusSeen:
        states = await self._states(ref)
        role = await self._bus.ask(ref, ACCESSIBLE, "GetRoleName")
        raw_role = role if isinstance(role, str) else ""
        await self._know(ref[0])
        seen = Seen(
            parent=None,
            raw_role=raw_role,
            role=names.role_for(raw_role, states),
            name=_text(await self._bus.property(ref, ACCESSIBLE, "Name")),
            box=await self._box(ref),
            states=names.states_of(states, raw_role),
        )
        return FocusSeen(app=(self._programs[ref[0]][0] or "").lower() or None, seen=seen)

    async def focused(self) -> FocusSeen:
        window = self._windows.front()
        if window is None or self._excluded.hides(window.app, window.title):
            return FocusSeen()
        level = await self._frames(window)
        innermost: Ref | None = None
        asked = 0
        for _ in range(MAX_DEPTH):
            states = await asyncio.gather(*(self._states(ref) for ref in level))
            asked += len(level)
            with_it = [ref for ref, state in zip(level, states, strict=True) if names.has(state, names.FOCUSED)]
            innermost = with_it[0] if with_it else innermost
            below = with_it or [
                ref for ref, state in zip(level, states, strict=True) if names.has(state, names.SHOWING)
            ]
            lists = await asyncio.gather(*(self._children(ref) for ref in below))
            level = [child for children in lists if len(children) <= _MAX_CHILDREN for child in children]
            if not level or asked > MAX_NODES:
                break
        return await self._focus_of(innermost) if innermost is not None else FocusSeen()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


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
