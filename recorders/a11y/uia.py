"""Windows: UI Automation by the library `uiautomation`. Untested on a real machine (see untested.py); what is logic and
no call is tested everywhere."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from curate.model.tree import State
from recorders.a11y.base import UnavailableError
from recorders.a11y.polled import Polled
from recorders.a11y.prune import Seen
from recorders.a11y.reader import Setup

# Of UI Automation's enumerations ToggleState and ExpandCollapseState.
TOGGLED = 1
EXPANDED = {0: False, 1: True, 2: True}  # collapsed, expanded, partially; 3 is a leaf
_WITH_VALUE = frozenset({"EditControl", "ComboBoxControl", "SpinnerControl", "DocumentControl", "SliderControl"})


class WindowsAutomation(Polled):
    """See Backend."""

    def __init__(self) -> None:
        super().__init__("uia@1", WindowsDesk())


class WindowsDesk:
    """See Desk."""

    def open(self, setup: Setup) -> None:
        try:
            import uiautomation
        except ImportError as error:
            raise UnavailableError("Accessibility on Windows needs the package uiautomation.") from error
        self._library: Any = uiautomation
        self._initialised = uiautomation.UIAutomationInitializerInThread()  # for as long as the thread works
        self._initialised.__enter__()
        self._origin = setup.origin

    def front(self) -> tuple[Any, str | None, str | None] | None:
        control = self._library.GetForegroundControl()
        return self._with_window(control) if control is not None else None

    def window_at(self, x: float, y: float) -> tuple[Any, str | None, str | None] | None:
        control = self._library.ControlFromPoint(int(x) + self._origin[0], int(y) + self._origin[1])
        return self._with_window(control) if control is not None else None

    def focused(self) -> tuple[Any, str | None, str | None] | None:
        control = self._library.GetFocusedControl()
        return self._with_window(control) if control is not None else None

    def children(self, element: Any) -> Sequence[Any]:
        return list(element.GetChildren())

    def parent(self, element: Any) -> Any | None:
        above = element.GetParentControl()
        return above if above is not None and above.GetParentControl() is not None else None  # not the desktop

    def describe(self, element: Any, parent: int | None) -> Seen:
        kind = element.ControlTypeName
        box = element.BoundingRectangle
        left, top = box.left - self._origin[0], box.top - self._origin[1]
        password = bool(element.IsPassword)
        states = states_of(
            enabled=bool(element.IsEnabled),
            focused=bool(element.HasKeyboardFocus),
            password=password,
            toggle=_pattern(element, "GetTogglePattern", "ToggleState"),
            selected=_pattern(element, "GetSelectionItemPattern", "IsSelected"),
            expanded=_pattern(element, "GetExpandCollapsePattern", "ExpandCollapseState"),
            readonly=_pattern(element, "GetValuePattern", "IsReadOnly") if kind in _WITH_VALUE else None,
        )
        value = _pattern(element, "GetValuePattern", "Value") if kind in _WITH_VALUE and not password else None
        return Seen(
            parent=parent,
            raw_role=kind,
            name=element.Name or None,
            value=value if isinstance(value, str) else None,
            description=element.HelpText or None,
            box=(left, top, left + box.right - box.left, top + box.bottom - box.top),
            states=states,
            shows=not element.IsOffscreen,
        )

    def _with_window(self, control: Any) -> tuple[Any, str | None, str | None]:
        window = control.GetTopLevelControl() or control
        return control, program_name(_program(control.ProcessId)), window.Name or None


def states_of(
    *,
    enabled: bool,
    focused: bool,
    password: bool,
    toggle: int | None = None,
    selected: bool | None = None,
    expanded: int | None = None,
    readonly: bool | None = None,
) -> list[State]:
    """UI Automation's properties in the record's words. `readonly`: of what has a value; None for what has none."""
    said: list[tuple[State, bool]] = [
        ("disabled", not enabled),
        ("focused", focused),
        ("password", password),
        ("checked", toggle == TOGGLED),
        ("selected", bool(selected)),
        ("expanded", expanded is not None and EXPANDED.get(expanded) is True),
        ("collapsed", expanded is not None and EXPANDED.get(expanded) is False),
        ("readonly", readonly is True),
        ("editable", readonly is False),
    ]
    return [name for name, true in said if true]


def program_name(path: str | None) -> str | None:
    """The program in `window` rows' words: the file's name without folder and `.exe`, in lower case."""
    if not path:
        return None
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe") or None


def _pattern(element: Any, pattern: str, attribute: str) -> Any:
    """A property of a control pattern; None where the element has no such pattern."""
    with contextlib.suppress(Exception):
        found = getattr(element, pattern)()
        return getattr(found, attribute) if found else None
    return None


def _program(pid: int) -> str | None:
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return None
    try:
        size = ctypes.c_ulong(1024)
        path = ctypes.create_unicode_buffer(size.value)
        return path.value if kernel.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(size)) else None
    finally:
        kernel.CloseHandle(handle)
