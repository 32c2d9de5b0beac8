"""Linux: AT-SPI. Who is in front is asked of the X server; what is in it, of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from curate.model.coordinates import holds
from recorders.a11y import atspi_names as names
from recorders.a11y.atspi_bus import AtspiBus, NoBusError, Ref
from recorders.a11y.atspi_objects import Objects
from recorders.a11y.atspi_programs import Programs
from recorders.a11y.base import FocusSeen, UnavailableError, WindowSeen
from recorders.a11y.prune import MAX_DEPTH, MAX_NODES, Box, Seen, is_nowhere
from recorders.a11y.reader import Setup
from recorders.a11y.x11_front import Window, XWindows
from recorders.errors import RecorderError

_FOCUS_S = 1.0  # a program may take to say what has the focus
_MAX_CHILDREN = 1000  # of one element; a spreadsheet says that it has billions
_MAX_TRIED = 300  # of an element's children, when the innermost one at a point is looked for
_MENU_DEPTH = 12  # from a window to an item of a menu of a menu


class Atspi:
    """See Backend."""

    name = "at-spi@1"

    def __init__(self) -> None:
        self._closing = False
        self._told: set[str] = set()
        self._silent: dict[str, None] = {}
        self._turn = 0  # of focus: programs answer in any order
        self._tasks: set[asyncio.Task[None]] = set()
        self._items: list[tuple[Ref, Box]] = []  # of menus, in the last tree that was read to its end

    async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
        self._excluded, self._focus = setup.excluded, focus
        try:
            self._windows = XWindows()
            self._bus = await AtspiBus.connect(self._windows.bus_address())
        except (RecorderError, NoBusError) as error:
            raise UnavailableError(str(error)) from error
        self._objects = Objects(self._bus, setup.origin)
        self._programs = Programs(self._objects, self._windows)
        await self._bus.hear_focus(self._heard)
        self._keep(self._watch())
        await self._bus.switch_on()  # whoever has told nothing by the end is named then
        return []

    async def close(self) -> None:
        self._closing = True
        await self._bus.close()

    def untold(self) -> list[str]:
        return [name for name in self._silent if name not in self._told]

    # --- trees ------------------------------------------------------------------------------------------------

    async def window(self) -> WindowSeen | None:
        window = self._windows.front()
        if window is None or self._excluded.hides(window.app, window.title):
            return None
        roots = await self._programs.frames(window)
        if not roots:
            self._silent[window.app or "unknown"] = None
            return None
        self._told.add(window.app or "unknown")
        found = WindowSeen(app=window.app, title=window.title, seen=[])
        level: list[tuple[Ref, int | None]] = [(root, None) for root in roots]
        known = set(roots)
        items: list[tuple[Ref, Box]] = []
        for depth in range(MAX_DEPTH + 1):
            seen = await asyncio.gather(*(self._look(ref, parent) for ref, parent in level))
            below: list[tuple[Ref, int | None]] = []
            for (ref, _), (element, children) in zip(level, seen, strict=True):
                if element is None:
                    continue
                found.seen.append(element)
                if element.raw_role in names.MENU_ITEMS and element.box is not None:
                    items.append((ref, element.box))
                found.cut = found.cut or children > _MAX_CHILDREN
                if 0 < children <= _MAX_CHILDREN and depth < MAX_DEPTH and not is_nowhere(element.box):
                    below.append((ref, len(found.seen) - 1))
            if len(found.seen) > MAX_NODES:
                found.cut = True
                break
            lists = await asyncio.gather(*(self._objects.children(ref) for ref, _ in below))
            level = []
            for (_, parent), children_of in zip(below, lists, strict=True):
                fresh = [child for child in children_of if child not in known]
                known.update(fresh)
                level += [(child, parent) for child in fresh]
            if not level:
                break
        self._items = items
        return found

    async def _look(self, ref: Ref, parent: int | None) -> tuple[Seen | None, int]:
        """One element, None if it does not show, and how many children it says it has that are worth asking for."""
        states = await self._objects.states(ref)
        if not names.has(states, names.SHOWING):
            return None, 0
        element, children = await self._objects.describe(ref, states, parent)
        crowded = names.has(states, names.MANAGES_DESCENDANTS) and children > _MAX_CHILDREN
        if crowded or "password" in element.states:
            return element, 0
        return element, children

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
            frames = self._programs.known_frame(window) or await self._programs.frames(window)
            found = await self._on_open_menu(frames, x, y) or await self._in_frames(frames, x, y)
        seen = await self._path_to(found) if found is not None else []
        return WindowSeen(app=window.app, title=window.title, seen=seen) if seen else None

    async def _in_frames(self, frames: list[Ref], x: float, y: float) -> Ref | None:
        for frame in frames:
            found = await self._down_to(frame, x, y)
            if found is not None:
                return found
        return None

    async def _on_open_menu(self, frames: list[Ref], x: float, y: float) -> Ref | None:
        """An item of a page's menu that was there when the tree was read and still shows. Menus lie on top of all
        else, and browsers, which answer before they have looked, answer with what lies beneath."""
        programs = {program for program, _ in frames}
        for ref, box in reversed(self._items):
            if ref[0] in programs and holds(box, x, y) and names.has(await self._objects.states(ref), names.SHOWING):
                now = await self._objects.box(ref)
                if now is not None and holds(now, x, y):
                    return ref
        return None

    async def _in_popup(self, front: Window, x: float, y: float) -> Ref | None:
        """A popup is a window of its own, or (GTK's menu bars) hangs below what opened it, outside of its box."""
        frames = await self._programs.frames(front)
        if not frames:
            return None
        found = await self._in_frames(frames[1:], x, y)
        return found or await self._in_open_menu(frames[0], x, y)

    async def _in_open_menu(self, frame: Ref, x: float, y: float) -> Ref | None:
        level, found = [frame], None
        for _ in range(_MENU_DEPTH):
            states = await asyncio.gather(*(self._objects.states(ref) for ref in level))
            shown = [ref for ref, state in zip(level, states, strict=True) if names.has(state, names.SHOWING)]
            roles = await asyncio.gather(*(self._objects.role(ref) for ref in shown))
            boxes = await asyncio.gather(*(self._objects.box(ref) for ref in shown))
            for ref, role, box in zip(shown, roles, boxes, strict=True):
                if role in names.IN_MENU and box is not None and holds(box, x, y):
                    found = ref
            ways = [ref for ref, role in zip(shown, roles, strict=True) if role in names.TO_MENU]
            lists = await asyncio.gather(*(self._objects.children(ref) for ref in ways))
            level = [child for children in lists if len(children) <= _MAX_TRIED for child in children]
            if not level:
                break
        return found

    async def _down_to(self, frame: Ref, x: float, y: float) -> Ref | None:
        """The innermost element at a point; some programs answer with the next one down, others with the last."""
        found: Ref | None = None
        here = frame
        for _ in range(MAX_DEPTH):
            below = await self._objects.at(here, x, y)
            if below is None or below in (here, found):
                break
            found = here = below
        return await self._further_down(found, x, y) if found is not None else None

    async def _further_down(self, ref: Ref, x: float, y: float) -> Ref:
        """Browsers answer before they have looked, with what holds the element: its children are asked for boxes."""
        best = here = ref
        for _ in range(MAX_DEPTH):
            if await self._objects.role(here) in names.WHOLE:
                break
            children = (await self._objects.children(here))[:_MAX_TRIED]
            boxes = await asyncio.gather(*(self._objects.box(child) for child in children))
            pairs = list(zip(children, boxes, strict=True))
            # one without a box (a notebook's page in GTK) may hold something that has one
            there = [(child, box) for child, box in pairs if box is None or holds(box, x, y)]
            states = await asyncio.gather(*(self._objects.states(child) for child, _ in there))
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
        seen: list[Seen] = []
        here: Ref | None = ref
        while here is not None and len(seen) < MAX_DEPTH:
            element, _ = await self._objects.describe(here, await self._objects.states(here), None)
            if element.raw_role in ("application", "desktop frame", ""):
                break
            seen.insert(0, element)
            here = await self._objects.parent(here)
        for index, element in enumerate(seen):
            element.parent = index - 1 if index else None
        return seen

    # --- focus ------------------------------------------------------------------------------------------------

    def _heard(self, ref: Ref, has_it: bool) -> None:
        if has_it:  # what loses it says so too, but another gets it
            self._keep(self._tell(ref))

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        await self._bus.until_gone()
        if not self._closing:
            self._focus(FocusSeen(failed="ConnectionError"))

    async def _tell(self, ref: Ref) -> None:
        try:
            async with asyncio.timeout(_FOCUS_S):
                await self._tell_of(ref)
        except TimeoutError:
            pass
        except Exception as error:
            self._focus(FocusSeen(failed=type(error).__name__))

    async def _tell_of(self, ref: Ref) -> None:
        self._turn += 1
        turn = self._turn
        window = self._windows.front()
        if window is not None and self._excluded.hides(window.app, window.title):
            self._focus(FocusSeen())
            return
        role = await self._objects.role(ref)
        if turn == self._turn and role == names.PASSWORD_ROLE:  # the keys are on their way: the rest can wait
            self._focus(FocusSeen(seen=Seen(parent=None, raw_role=role, states=["password"], ref=ref), sure=False))
        if not role:
            return  # it is gone again; what gets the focus now tells of it
        found = await self._focus_of(ref)
        _, pid = await self._programs.know(ref[0])
        if turn != self._turn:
            return  # it has gone on meanwhile
        elsewhere = window is not None and None not in (window.pid, pid) and window.pid != pid
        if found.password or not elsewhere:  # a password prompt may be told before its window is in front
            self._focus(found)

    async def _focus_of(self, ref: Ref) -> FocusSeen:
        states = await self._objects.states(ref)
        raw_role = await self._objects.role(ref)
        app, _ = await self._programs.know(ref[0])
        seen = Seen(
            parent=None,
            raw_role=raw_role,
            role=names.role_for(raw_role, states),
            name=await self._objects.name(ref),
            box=await self._objects.box(ref),
            states=names.states_of(states, raw_role),
            ref=ref,
        )
        return FocusSeen(app=app.lower() if app else None, seen=seen)

    async def focused(self) -> FocusSeen:
        window = self._windows.front()
        if window is None or self._excluded.hides(window.app, window.title):
            return FocusSeen()
        level = await self._programs.frames(window)
        innermost: Ref | None = None
        asked = 0
        for _ in range(MAX_DEPTH):
            states = await asyncio.gather(*(self._objects.states(ref) for ref in level))
            asked += len(level)
            with_it = [ref for ref, state in zip(level, states, strict=True) if names.has(state, names.FOCUSED)]
            innermost = with_it[0] if with_it else innermost
            below = with_it or [
                ref for ref, state in zip(level, states, strict=True) if names.has(state, names.SHOWING)
            ]
            lists = await asyncio.gather(*(self._objects.children(ref) for ref in below))
            level = [child for children in lists if len(children) <= _MAX_CHILDREN for child in children]
            if not level or asked > MAX_NODES:
                break
        return await self._focus_of(innermost) if innermost is not None else FocusSeen()
