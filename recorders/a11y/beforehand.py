"""Before a recording: accessibility is switched on, so that programs which start from now on publish their trees, and
those that show windows and publish none are named, since a password field of theirs cannot be told from another."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Collection, Iterator
from typing import Protocol, TypeVar

from recorders.errors import RecorderError

LIMIT_S = 3.0
WINDOW_S = 1.0  # a program may take to tell its windows
T = TypeVar("T")


class NothingToldError(Exception):
    """No program's accessibility can be read here; a sentence."""


class Beforehand(Protocol):
    """What is known of programs before a recording."""

    def silent(self, own: Collection[int] = ()) -> list[str]:
        """Programs with windows that publish no tree now, each once, in order of their names; `own`: windows of the
        recorder's. Raises NothingToldError where none can be read."""
        ...


class _Nothing:
    """Not looked at: on systems whose trees are read without switching anything on."""

    def silent(self, own: Collection[int] = ()) -> list[str]:
        return []


class _AtspiBeforehand:
    def silent(self, own: Collection[int] = ()) -> list[str]:
        return silent_programs(own)


@contextlib.contextmanager
def switched_on() -> Iterator[Beforehand]:
    """While this lasts, programs that start publish their trees; afterwards it is as it was. Where that cannot be done,
    `silent` says why."""
    if not sys.platform.startswith("linux"):
        yield _Nothing()
        return
    was_off = False
    with contextlib.suppress(NothingToldError):
        was_off = _run(_switch_on())
    try:
        yield _AtspiBeforehand()
    finally:
        if was_off:
            with contextlib.suppress(NothingToldError):
                _run(_switch_off())


def silent_programs(own: Collection[int] = ()) -> list[str]:
    """See Beforehand.silent."""
    return _run(_silent(own))


def _run(work: Awaitable[T]) -> T:
    from recorders.a11y.atspi_bus import NoBusError

    async def within() -> T:
        async with asyncio.timeout(LIMIT_S):
            return await work

    try:
        return asyncio.run(within())
    except (NoBusError, RecorderError) as error:
        raise NothingToldError(str(error)) from error
    except TimeoutError as error:
        raise NothingToldError("The accessibility bus does not answer.") from error


async def _switch_on() -> bool:
    from recorders.a11y.atspi_bus import AtspiBus

    bus = await AtspiBus.connect()
    try:
        return await bus.switch_on()
    finally:
        bus.disconnect()


async def _switch_off() -> None:
    from recorders.a11y.atspi_bus import AtspiBus

    bus = await AtspiBus.connect()
    try:
        await bus.switch_off()
    finally:
        bus.disconnect()


async def _silent(own: Collection[int]) -> list[str]:
    from recorders.a11y.atspi_bus import AtspiBus
    from recorders.a11y.atspi_objects import Objects
    from recorders.a11y.atspi_programs import Programs
    from recorders.a11y.x11_front import XWindows

    windows = XWindows()
    bus = None
    found: set[str] = set()
    try:
        bus = await AtspiBus.connect(windows.bus_address())
        programs = Programs(Objects(bus, (0, 0)), windows)
        for window in windows.listed():
            if window.id in own:
                continue
            roots = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WINDOW_S):
                    roots = await programs.frames(window)
            if not roots:
                found.add(window.app or "a window without a name")
    finally:
        if bus is not None:
            bus.disconnect()
        windows.close()
    return sorted(found)
