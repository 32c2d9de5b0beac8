"""The accessibility bus of this session over D-Bus: finding it, asking objects, hearing of focus."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

Ref = tuple[str, str]
"""An accessible object: the bus name of its program, and its path."""

ATSPI = "org.a11y.atspi."
ACCESSIBLE, COMPONENT, TEXT, VALUE = (ATSPI + name for name in ("Accessible", "Component", "Text", "Value"))
REGISTRY: Ref = (ATSPI + "Registry", "/org/a11y/atspi/accessible/root")
PROPERTIES = "org.freedesktop.DBus.Properties"
_DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
_LAUNCHER = ("org.a11y.Bus", "/org/a11y/bus")
_AT_ONCE = 16  # calls under way: dbus-fast 5.2 gives the connection up when a socket's buffer is full
_CONNECT_S = 3.0  # the launcher may have to be started first
_NO_BUS = "This session has no accessibility bus that can be reached ({})."


class NoBusError(Exception):
    """There is no accessibility bus; a sentence."""


class AtspiBus:
    """A connection. Calls that a program refuses, or answers with something else, give None: its objects come and
    go. Limits of time are the caller's (`asyncio.timeout`)."""

    def __init__(self, bus: Any, session: Any | None) -> None:
        self._bus, self._session = bus, session
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._was_enabled: bool | None = None

    @classmethod
    async def connect(cls, named: str | None = None) -> AtspiBus:
        """By the session bus, else by the address that the X server names. Raises NoBusError."""
        from dbus_fast.aio import MessageBus

        session, address, why = await _ask_session()
        address = address or named
        if not address:
            raise NoBusError(why)
        try:
            async with asyncio.timeout(_CONNECT_S):
                return cls(await MessageBus(bus_address=address).connect(), session)
        except Exception as error:  # the library raises whatever its address, socket and handshake raise
            raise NoBusError(_NO_BUS.format(type(error).__name__)) from error

    @property
    def connected(self) -> bool:
        return bool(self._bus.connected)

    async def until_gone(self) -> None:
        """Return when the bus has ended the connection."""
        with contextlib.suppress(Exception):  # the library raises why
            await self._bus.wait_for_disconnect()

    async def ask(self, ref: Ref, interface: str, member: str, signature: str = "", body: Sequence[Any] = ()) -> Any:
        """The first value of the reply; None for an error."""
        async with self._slots:
            reply = await _call(self._bus, ref, interface, member, signature, body)
        return reply[0] if reply else None

    async def properties(self, ref: Ref) -> dict[str, Any]:
        """Name, Description, Parent, ChildCount and more of an object; empty where it is gone."""
        found = await self.ask(ref, PROPERTIES, "GetAll", "s", [ACCESSIBLE])
        return {name: variant.value for name, variant in found.items()} if isinstance(found, dict) else {}

    async def property(self, ref: Ref, interface: str, name: str) -> Any:
        """One property; None where it has none."""
        found = await self.ask(ref, PROPERTIES, "Get", "ss", [interface, name])
        return getattr(found, "value", None)

    async def pid_of(self, name: str) -> int | None:
        """The process behind a bus name."""
        found = await self.ask(_DBUS, "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", [name])
        return found if isinstance(found, int) else None

    async def hear_focus(self, heard: Callable[[Ref, bool], None]) -> None:
        """`heard(object, has_it)` for every change of focus that a program tells of."""
        from dbus_fast import MessageType

        def handle(message: Any) -> bool:
            if message.message_type is MessageType.SIGNAL and message.member == "StateChanged":
                body = message.body
                if len(body) >= 2 and body[0] == "focused" and message.sender and message.path:
                    heard((message.sender, message.path), bool(body[1]))
            return False

        self._bus.add_message_handler(handle)
        rule = f"type='signal',interface='{ATSPI}Event.Object',member='StateChanged',arg0='focused'"
        await self.ask(_DBUS, "org.freedesktop.DBus", "AddMatch", "s", [rule])
        registry = (REGISTRY[0], "/org/a11y/atspi/registry")
        for signature, body in (("sass", ["object:state-changed:focused", [], ""]), ("s", ["object:state-changed"])):
            reply = await _call(self._bus, registry, ATSPI + "Registry", "RegisterEvent", signature, body)
            if reply is not None:
                return  # the first form is that of at-spi2-core 2.40 and later

    async def switch_on(self) -> bool:
        """Programs that start from now on publish their trees; whether that was off before."""
        from dbus_fast import Variant

        if self._session is None:
            return False
        reply = await _call(self._session, _LAUNCHER, PROPERTIES, "Get", "ss", ["org.a11y.Status", "IsEnabled"])
        self._was_enabled = bool(reply and getattr(reply[0], "value", False))
        if not self._was_enabled:
            body = ["org.a11y.Status", "IsEnabled", Variant("b", True)]
            await _call(self._session, _LAUNCHER, PROPERTIES, "Set", "ssv", body)
        return not self._was_enabled

    async def switch_off(self) -> None:
        """Programs that start from now on publish nothing."""
        from dbus_fast import Variant

        if self._session is not None:
            body = ["org.a11y.Status", "IsEnabled", Variant("b", False)]
            await _call(self._session, _LAUNCHER, PROPERTIES, "Set", "ssv", body)

    async def close(self) -> None:
        """Leave accessibility as it was."""
        if self._was_enabled is False:
            await self.switch_off()
        self.disconnect()

    def disconnect(self) -> None:
        """Leave, and whatever was switched on stays on."""
        if self._session is not None:
            self._session.disconnect()
        self._bus.disconnect()


async def _ask_session() -> tuple[Any | None, str | None, str]:
    """A connection to the session bus, what it says is the address of the accessibility bus, and why there is none."""
    from dbus_fast import BusType
    from dbus_fast.aio import MessageBus

    try:
        async with asyncio.timeout(_CONNECT_S):
            session = await MessageBus(bus_type=BusType.SESSION).connect()
            reply = await _call(session, _LAUNCHER, "org.a11y.Bus", "GetAddress", "", ())
    except Exception as error:
        return None, None, _NO_BUS.format(type(error).__name__)
    address = reply[0] if reply and isinstance(reply[0], str) else None
    return session, address, "This session has no accessibility bus (at-spi2-core is not installed?)."


async def _call(
    bus: Any, ref: Ref, interface: str, member: str, signature: str, body: Sequence[Any]
) -> list[Any] | None:
    """The reply's values; None for an error. Raises ConnectionError where the bus is gone."""
    from dbus_fast import Message, MessageType

    message = Message(
        destination=ref[0], path=ref[1], interface=interface, member=member, signature=signature, body=list(body)
    )
    if not bus.connected:
        raise ConnectionError
    reply = await bus.call(message)
    return reply.body if reply.message_type is MessageType.METHOD_RETURN else None
