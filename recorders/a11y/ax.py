"""macOS: the accessibility interface (AX) by pyobjc. Untested on a real machine (see untested.py); what is logic and no
call is tested everywhere. Points of AX become pixels of the recorded region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curate.model.tree import State
from recorders.a11y.base import UnavailableError
from recorders.a11y.polled import Polled
from recorders.a11y.prune import Box, Seen
from recorders.a11y.reader import Setup

SECURE = "AXSecureTextField"  # the subrole of a password field
_TEXT = frozenset({"AXTextField", "AXTextArea", "AXComboBox", "AXSearchField"})
_WITH_VALUE = _TEXT | {"AXSlider", "AXPopUpButton", "AXProgressIndicator", "AXIncrementor"}
_CHECKABLE = frozenset({"AXCheckBox", "AXRadioButton", "AXSwitch", "AXMenuItem"})
_ASKED = (
    "AXRole", "AXSubrole", "AXTitle", "AXDescription", "AXHelp", "AXValue", "AXPosition", "AXSize", "AXEnabled",
    "AXFocused", "AXSelected", "AXExpanded", "AXHidden",
)  # fmt: skip


class MacAccessibility(Polled):
    """See Backend."""

    def __init__(self) -> None:
        super().__init__("ax@1", MacDesk())


class MacDesk:
    """See Desk."""

    def open(self, setup: Setup) -> None:
        try:
            import AppKit
            import ApplicationServices
        except ImportError as error:
            raise UnavailableError(
                "Accessibility on macOS needs the package pyobjc-framework-ApplicationServices."
            ) from error
        self._ax: Any = ApplicationServices
        self._workspace: Any = AppKit.NSWorkspace.sharedWorkspace()
        if not self._ax.AXIsProcessTrusted():
            raise UnavailableError(
                "macOS does not let this terminal read accessibility: allow it in System Settings, Privacy & Security."
            )
        self._everything = self._ax.AXUIElementCreateSystemWide()
        self._origin, self._scale = setup.origin, setup.screen.scale or 1.0

    def front(self) -> tuple[Any, str | None, str | None] | None:
        program = self._workspace.frontmostApplication()
        element = self._ax.AXUIElementCreateApplication(program.processIdentifier())
        window = self._get(element, "AXFocusedWindow")
        return (window, _lower(program.localizedName()), self._get(window, "AXTitle")) if window is not None else None

    def window_at(self, x: float, y: float) -> tuple[Any, str | None, str | None] | None:
        px, py = to_points(x, y, self._origin, self._scale)
        error, element = self._ax.AXUIElementCopyElementAtPosition(self._everything, px, py, None)
        return self._with_window(element) if not error and element is not None else None

    def focused(self) -> tuple[Any, str | None, str | None] | None:
        element = self._get(self._everything, "AXFocusedUIElement")
        return self._with_window(element) if element is not None else None

    def children(self, element: Any) -> Sequence[Any]:
        return list(self._get(element, "AXVisibleChildren") or self._get(element, "AXChildren") or ())

    def parent(self, element: Any) -> Any | None:
        if self._get(element, "AXRole") in ("AXWindow", "AXSheet", "AXApplication"):
            return None
        above = self._get(element, "AXParent")
        return above if above is not None and self._get(above, "AXRole") != "AXApplication" else None

    def describe(self, element: Any, parent: int | None) -> Seen:
        told = {name: self._get(element, name) for name in _ASKED if name != "AXValue"}
        if told["AXSubrole"] != SECURE:  # a password field is not asked what it holds
            told["AXValue"] = self._get(element, "AXValue")
        corner, size = self._pair(told["AXPosition"], "Point"), self._pair(told["AXSize"], "Size")
        box = None if corner is None or size is None else to_pixels(corner, size, self._origin, self._scale)
        return seen_of(told, parent, box)

    def _with_window(self, element: Any) -> tuple[Any, str | None, str | None]:
        window = self._get(element, "AXWindow")
        error, pid = self._ax.AXUIElementGetPid(element, None)
        import AppKit

        program = None if error else AppKit.NSRunningApplication.runningApplicationWithProcessIdentifier_(pid)
        title = self._get(window, "AXTitle") if window is not None else None
        return element, _lower(program.localizedName()) if program is not None else None, title

    def _get(self, element: Any, name: str) -> Any:
        error, value = self._ax.AXUIElementCopyAttributeValue(element, name, None)
        return None if error else value

    def _pair(self, value: Any, kind: str) -> tuple[float, float] | None:
        if value is None:
            return None
        constant = getattr(self._ax, f"kAXValueCG{kind}Type")
        right, pair = self._ax.AXValueGetValue(value, constant, None)
        if not right:
            return None
        return (float(pair.x), float(pair.y)) if kind == "Point" else (float(pair.width), float(pair.height))


def seen_of(told: Mapping[str, Any], parent: int | None, box: Box | None) -> Seen:
    """AX's attributes as one element."""
    raw_role = str(told.get("AXRole") or "")
    secure = told.get("AXSubrole") == SECURE
    value = told.get("AXValue")
    return Seen(
        parent=parent,
        raw_role=SECURE if secure else raw_role,
        name=_text(told.get("AXTitle")) or _text(told.get("AXDescription")) or _name_in_value(raw_role, value),
        value=_said(value) if raw_role in _WITH_VALUE and not secure else None,
        description=_text(told.get("AXHelp")),
        box=box,
        states=states_of(raw_role, told, secure),
        shows=told.get("AXHidden") is not True,
    )


def states_of(raw_role: str, told: Mapping[str, Any], secure: bool) -> list[State]:
    """AX's attributes in the record's words."""
    expanded = told.get("AXExpanded")
    said: list[tuple[State, bool]] = [
        ("disabled", told.get("AXEnabled") in (False, 0) and told.get("AXEnabled") is not None),
        ("focused", bool(told.get("AXFocused"))),
        ("selected", bool(told.get("AXSelected"))),
        ("checked", raw_role in _CHECKABLE and told.get("AXValue") == 1),
        ("expanded", expanded is not None and bool(expanded)),
        ("collapsed", expanded is not None and not expanded),
        ("editable", raw_role in _TEXT),
        ("multiline", raw_role == "AXTextArea"),
        ("password", secure),
    ]
    return [name for name, true in said if true]


def to_pixels(corner: tuple[float, float], size: tuple[float, float], origin: tuple[int, int], scale: float) -> Box:
    """A box of AX (points of the desktop) in pixels of the recorded region, whose corner in points is `origin`."""
    left, top = (corner[0] - origin[0]) * scale, (corner[1] - origin[1]) * scale
    return (left, top, left + size[0] * scale, top + size[1] * scale)


def to_points(x: float, y: float, origin: tuple[int, int], scale: float) -> tuple[float, float]:
    """A point of the recorded region in points of the desktop."""
    return x / scale + origin[0], y / scale + origin[1]


def _name_in_value(raw_role: str, value: Any) -> str | None:
    """Static text has what it says as its value."""
    return _text(value) if raw_role == "AXStaticText" else None


def _said(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    return f"{value:.10g}" if isinstance(value, int | float) else _text(value)


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, str) and value else None


def _lower(value: Any) -> str | None:
    return str(value).lower() or None if value else None
