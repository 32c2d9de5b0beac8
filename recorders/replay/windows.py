"""Whether a step is about to be done to the program that it was recorded in.

Keys go to the window in front, presses and wheels to the one under the pointer. Where another program's is there, the
step's own is brought forward once; where that does not help, nothing more is performed: a text typed into a shell runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from curate.model import actions as act
from recorders.replay.errors import WrongWindowError
from recorders.replay.plan import PlannedStep

OPENS_S = 5.0
"""How long a program that is not there yet may take to open its window; the step before may have started it."""
COMES_S = 2.0
"""How long a window may take to come to the front."""
LOOK_S = 0.05

_AT_A_POINT: tuple[type, ...] = (*(kind for kind in act.POINTED if kind is not act.MoveTo), act.Scroll, act.HScroll)

Kind = Literal["window", "menu", "ground"]


class Seen(msgspec.Struct, frozen=True):
    """A window. `names`: of its program, in lower case. `kind`: a program's `window`, a `menu` or popup without a name
    of its own, or the `ground`: the desktop or one of its panels. `own`: of the terminal that runs the replay."""

    names: tuple[str, ...]
    title: str | None = None
    kind: Kind = "window"
    own: bool = False

    def of(self, app: str) -> bool:
        """Whether it is a window of this program."""
        return app.lower() in self.names

    @property
    def spoken(self) -> str:
        """Its name in a sentence."""
        if self.own:
            return "the terminal that runs this"
        if self.kind == "ground":
            return "the desktop"
        return repr(self.names[-1]) if self.names else "a program without a name"


class Windows(Protocol):
    """The windows of this desktop."""

    def front(self) -> Seen | None:
        """The one that keys go to; None where there is none."""
        ...

    def under(self, x: int, y: int) -> Seen | None:
        """The one that a press at this point goes to."""
        ...

    def bring(self, app: str, title: str | None) -> bool:
        """Ask for a window of this program, one with this title if there is one. False: it has none."""
        ...


class WindowCheck:
    """`anywhere`: do not compare programs. The terminal that runs the replay is never acted on all the same."""

    def __init__(self, windows: Windows, wait: Callable[[float], None], anywhere: bool) -> None:
        """`wait`: lets time pass, and raises where the person stops it all."""
        self._windows, self._wait, self._anywhere = windows, wait, anywhere

    def before(self, step: PlannedStep, leads_to: str | None) -> None:
        """Raises WrongWindowError where the step would be done to another program than it was recorded in, or to the
        terminal that runs the replay. `leads_to`: the program of the step after it, whose window a press may have
        brought to the front."""
        places, keys = presses(step)
        if not places and not keys:
            return
        if self._wrong(step, leads_to, places, keys) is None:
            return
        if step.app is not None and not self._anywhere:
            self._bring(step.app, step.window)
        self._until(lambda: self._wrong(step, leads_to, places, keys) is None, COMES_S)
        wrong = self._wrong(step, leads_to, places, keys)
        if wrong is not None:
            raise WrongWindowError(_sentence(step, *wrong))

    def _bring(self, app: str, title: str | None) -> None:
        """Once, as soon as the program has a window."""
        self._until(lambda: self._windows.bring(app, title), OPENS_S)

    def _until(self, true: Callable[[], bool], limit: float) -> None:
        end = time.monotonic() + limit
        while not true() and time.monotonic() < end:
            self._wait(LOOK_S)

    def _wrong(
        self, step: PlannedStep, leads_to: str | None, places: list[tuple[int, int]], keys: bool
    ) -> tuple[Seen | None, str] | None:
        """The window that is where the step's should be, and where that is; None where nothing is wrong."""
        front = self._windows.front()
        if keys and front is None and step.app is not None and not self._anywhere:
            return None, "in front"
        if keys and front is not None and self._is_wrong(front, step.app):
            return front, "in front"
        for place in places:
            under = self._windows.under(*place)
            if under is None or not self._is_wrong(under, step.app, leads_to):
                continue
            if not under.own and under.kind == "ground" and (front is None or not self._is_wrong(front, step.app)):
                continue  # the step's program is in front, as it was: a panel, or the desktop, was clicked
            return under, "there"
        return None

    def _is_wrong(self, seen: Seen, *apps: str | None) -> bool:
        if seen.own:
            return True
        named = [app for app in apps if app is not None]
        return not (self._anywhere or apps[0] is None or any(seen.of(app) for app in named))


def presses(step: PlannedStep) -> tuple[list[tuple[int, int]], bool]:
    """Where a step presses buttons or turns wheels, in pixels; and whether it presses keys that go to the window in
    front. A pointer that only moves does nothing to a program."""
    places: list[tuple[int, int]] = []
    keys = False
    at: tuple[int, int] | None = None
    for action in step.actions:
        before = at
        if isinstance(action, act.POINTED) and action.x is not None and action.y is not None:
            at = int(action.x), int(action.y)
        if isinstance(action, act.Write | act.Press | act.Hotkey | act.KeyDown):
            keys = True
        elif isinstance(action, _AT_A_POINT):
            pressed = before if isinstance(action, act.DragTo) else at
            places += [pressed] if pressed is not None else []
    return list(dict.fromkeys(places)), keys and not places


def _sentence(step: PlannedStep, seen: Seen | None, where: str) -> str:
    found = seen.spoken if seen is not None else "no window"
    if step.app is None or (seen is not None and seen.own):
        return (
            f"Step {step.index} is nothing to do to {found}, which is {where}: put the program it was recorded in "
            "there."
        )
    return (
        f"Step {step.index} was recorded in {step.app!r}, and {found} is {where}: open {step.app!r} as it was when the "
        "recording began, or give --anywhere to act on whatever is there."
    )
