"""Which keyboard a key came from on X11, whether programs inject through it, and what the pointer's buttons mean.

RECORD reports a key three times, in this order: as the XInput event of the keyboard that was used, as the core event,
as the XInput event of the master keyboard that it drives. So the keyboard of a core event is that of the device event
right before it, where kind, key code and server time agree; else it is not known. The injecting devices of the XTEST
extension are devices like others, named by the server.

Buttons would be told apart in the same way, at three times the data; but a flood of them (10,000 wheel events at once)
then makes the server lose events (x11_record.py says why), so `injected` of buttons and the wheel stays unknown. XInput
2's raw events would say it too: selected beside RECORD they lost more, and hung the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE = 2, 3, 4, 5
SET_POINTER_MAPPING = 116
_ALL_DEVICES = 0
_MASTERS, _SLAVE_KEYBOARD = (1, 2), 4
_INJECTING = " XTEST keyboard"
_LAST = 0x7F  # of a device event's last byte: the device; the first bit says whether more follows


class Devices:
    """`first_event`: core kind k is the device event `first_event` + k - 1; None where the server has no XInput 2 (then
    nothing is known of keyboards). `keyboards`: those there are."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._masters: set[int] = set()
        self._latest: tuple[int, int, int, int] | None = None
        self._injecting: dict[int, bool] = {}
        self._buttons: list[int] = []
        self.keyboards: list[int] = []
        self.first_event: int | None = None
        name = "XInputExtension"
        extension = connection.core.QueryExtension(len(name), name).reply()
        if extension.present:
            self._use(extension.first_event)
        self.load_buttons()

    def before(self, kind: int, detail: int, server_ms: int, device: int) -> None:
        """A device event; `kind` is the core one's."""
        device &= _LAST
        if device not in self._masters:
            self._latest = kind, detail, server_ms, device

    def source(self, kind: int, detail: int, server_ms: int) -> int | None:
        """The device of the core event that comes now; None where it is not known for certain."""
        latest, self._latest = self._latest, None
        return latest[3] if latest is not None and latest[:3] == (kind, detail, server_ms) else None

    def injects(self, source: int | None) -> bool | None:
        """Whether a device is one through which programs inject (XTEST); None where the device is not known."""
        if source is not None and source not in self._injecting:
            self._query()  # plugged in since
        return None if source is None else self._injecting.get(source)

    def button(self, detail: int) -> int:
        """The button that programs are given for the device's own (left-handed: another); 0: none. An arrangement of
        one device alone (`xinput set-button-map`) is not known here."""
        return arranged(detail, self._buttons)

    def load_buttons(self) -> None:
        """Ask how buttons are arranged: at the start and after each request that changes it."""
        self._buttons = list(self._connection.core.GetPointerMapping().reply().map)

    def _use(self, first_event: int) -> None:
        import xcffib.xinput as xinput

        self._input = self._connection(xinput.key)
        try:
            self._input.XIQueryVersion(2, 0).reply()
            self._query()
        except Exception as error:
            if type(error).__name__ == "ConnectionException":
                raise
            return  # a server with XInput 1 only
        self.first_event = first_event

    def _query(self) -> None:
        infos = self._input.XIQueryDevice(_ALL_DEVICES).reply().infos
        self._masters = {info.deviceid for info in infos if info.type in _MASTERS}
        used = [info for info in infos if info.type == _SLAVE_KEYBOARD]
        self._injecting = injecting((info.deviceid, info.name.to_string()) for info in used)
        self.keyboards = list(self._injecting)


def injecting(devices: Iterable[tuple[int, str]]) -> dict[int, bool]:
    """Which of the devices (number, name) the server made for the XTEST extension: it names them after their master."""
    return {number: name.endswith(_INJECTING) for number, name in devices}


def arranged(detail: int, arrangement: list[int]) -> int:
    """A button in an arrangement (of button 1, 2 ...); one beyond it stays itself, 0 stays 0."""
    return arrangement[detail - 1] if 1 <= detail <= len(arrangement) else detail
