"""What Windows and macOS have in common: interfaces that block and call from one thread only, asked for the focus again
and again. A platform gives a `Desk`; elements are whatever its library has."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from recorders.a11y.base import FocusSeen, UnavailableError, WindowSeen
from recorders.a11y.prune import MAX_DEPTH, MAX_NODES, Seen
from recorders.a11y.reader import Setup

FOCUS_POLL_S = 0.05  # of the writer's 0.12 s in which a key can still be kept out of the file


class Desk(Protocol):
    """Blocking questions, all asked from one thread. An element that is gone raises whatever it likes."""

    def open(self, setup: Setup) -> None:
        """Raises UnavailableError with what to do."""

    def front(self) -> tuple[Any, str | None, str | None] | None:
        """The window in front: its element, program and title."""

    def window_at(self, x: float, y: float) -> tuple[Any, str | None, str | None] | None:
        """The innermost element at a point (region pixels), with its window's program and title."""

    def focused(self) -> tuple[Any, str | None, str | None] | None:
        """The element with the focus, with its window's program and title."""

    def children(self, element: Any) -> Sequence[Any]: ...

    def parent(self, element: Any) -> Any | None:
        """None above a window."""

    def describe(self, element: Any, parent: int | None) -> Seen: ...


class Polled:
    """See Backend. `give_up` lets a walk end early: the thread cannot be interrupted from outside."""

    def __init__(self, name: str, desk: Desk) -> None:
        self.name = name
        self._desk = desk
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="accessibility")
        self._polling: asyncio.Task[None] | None = None
        self._give_up = False

    async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
        self._setup, self._focus = setup, focus
        await self._ask(self._desk.open, setup)
        self._polling = asyncio.get_running_loop().create_task(self._poll())
        return []

    async def window(self) -> WindowSeen | None:
        self._give_up = False
        try:
            found: WindowSeen | None = await self._ask(self._walk)
            return found
        except asyncio.CancelledError:
            self._give_up = True
            raise

    async def element(self, x: float, y: float) -> WindowSeen | None:
        found: WindowSeen | None = await self._ask(self._path_at, x, y)
        return found

    async def focused(self) -> FocusSeen:
        found: FocusSeen = await self._ask(self._look_for_focus)
        return found

    def untold(self) -> list[str]:
        return []

    async def close(self) -> None:
        if self._polling is not None:
            self._polling.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, question: Callable[..., Any], *given: Any) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, question, *given)
        except UnavailableError:
            raise
        except Exception:  # the element, its window or its program is gone
            return FocusSeen() if question == self._look_for_focus else None

    async def _poll(self) -> None:
        before: tuple[Any, ...] = ()
        while True:
            found = await self.focused()
            seen = found.seen
            now = (found.app, seen.raw_role, seen.name, seen.box, found.password) if seen is not None else (found.app,)
            if now != before:
                before = now
                self._focus(found)
            await asyncio.sleep(FOCUS_POLL_S)

    def _hidden(self, app: str | None, title: str | None) -> bool:
        return self._setup.excluded.hides(app, title)

    def _walk(self) -> WindowSeen | None:
        front = self._desk.front()
        if front is None or self._hidden(*front[1:]):
            return None
        found = WindowSeen(app=front[1], title=front[2], seen=[])
        level: list[tuple[Any, int | None]] = [(front[0], None)]
        for _ in range(MAX_DEPTH):
            below: list[tuple[Any, int | None]] = []
            for element, parent in level:
                if self._give_up:
                    return None
                if len(found.seen) > MAX_NODES:
                    found.cut = True
                    return found
                with contextlib.suppress(Exception):
                    seen = self._desk.describe(element, parent)
                    found.seen.append(seen)
                    if seen.shows and "password" not in seen.states:
                        here = len(found.seen) - 1
                        below += [(child, here) for child in self._desk.children(element)]
            level = below
        found.cut = found.cut or bool(level)
        return found

    def _path_at(self, x: float, y: float) -> WindowSeen | None:
        at = self._desk.window_at(x, y)
        if at is None or self._hidden(*at[1:]):
            return None
        elements: list[Any] = [at[0]]
        while len(elements) < MAX_DEPTH and (above := self._desk.parent(elements[-1])) is not None:
            elements.append(above)
        elements.reverse()
        seen = [self._desk.describe(element, index - 1 if index else None) for index, element in enumerate(elements)]
        return WindowSeen(app=at[1], title=at[2], seen=seen)

    def _look_for_focus(self) -> FocusSeen:
        found = self._desk.focused()
        if found is None or self._hidden(*found[1:]):
            return FocusSeen()
        return FocusSeen(app=found[1], seen=self._desk.describe(found[0], None))
