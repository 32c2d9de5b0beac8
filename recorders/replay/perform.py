"""The steps of a record performed one after another, until its end or the person's Escape."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NamedTuple

import msgspec

from curate.model.actions import Terminate
from curate.model.errors import CurateError
from curate.model.performed import Performed
from curate.model.trajectory import Trajectory
from recorders.backends import find_own_window
from recorders.own_window.base import OwnWindow
from recorders.replay.acts import Acts
from recorders.replay.clipboard import Clipboard
from recorders.replay.errors import ReplayError, StoppedError, WrongWindowError
from recorders.replay.escape import EscapeWatch
from recorders.replay.machine import Machine, open_machine
from recorders.replay.pace import Pace, wait_before
from recorders.replay.plan import Plan, PlannedStep, pastes, plan
from recorders.replay.terminal import forget_typed, put_away
from recorders.replay.windows import WindowCheck


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """`skip`: leave out steps that cannot be performed, instead of performing none. `countdown`: seconds before the
    first step, for the person to take the hands off. `anywhere`: act on whatever window is there."""

    pace: Pace = Pace()
    skip: bool = False
    countdown: float = 3.0
    anywhere: bool = False


Tell = Callable[[str], None]


def perform(record: Trajectory, options: Options | None = None, tell: Tell = lambda _: None) -> Performed:
    """Perform a record's actions on this desktop. `tell` is given what a person should read meanwhile, as lines. The
    terminal that runs this is put away meanwhile, and each step is performed only in the program it was recorded in.

    Raises ReplayError, before anything is done, where this desktop cannot be acted on, or the record has steps that
    cannot be performed and `skip` is not set. Whatever ends it, no key or button stays down.
    """
    options = options or Options()
    watch, unheard = _listening()  # first of all: an Escape while it prepares is one, too
    try:
        machine = open_machine()
        made = plan(record, machine)
        _check(made, machine, options)
        if unheard is not None:
            tell(f"Escape cannot be heard here, Ctrl-C in this terminal stops it: {unheard}")
    except BaseException:
        watch.stop()
        raise
    clipboard = Clipboard()
    acts = Acts(machine, watch, clipboard, options.pace)
    done = Performed(of=len(made.steps), left_out=made.cannot, notes=made.notes)
    begun = time.monotonic()
    own = find_own_window()
    with _interrupted_once(), contextlib.ExitStack() as last:
        last.callback(forget_typed)
        last.callback(watch.stop)
        last.callback(machine.keyboard.give_back)
        last.callback(acts.release_all)
        try:
            check = _window_check(machine, own, watch, options, last)
            machine.keyboard.lend(made.lend)
            if any(pastes(step, machine) for step in made.steps):
                clipboard.check()
            _count_down(options.countdown, watch, tell)
            with put_away(own, tell):
                try:
                    _perform_steps(made, _Doing(acts, watch, check, options.pace), done, tell)
                finally:  # before the terminal is in front again
                    acts.release_all()
        except StoppedError:
            done.ended = "escape"
        except KeyboardInterrupt:
            done.ended = "interrupt"
        except WrongWindowError as error:
            done.ended, done.why = "window", str(error)
    done.seconds = round(time.monotonic() - begun, 3)
    return done


class _Doing(NamedTuple):
    acts: Acts
    watch: EscapeWatch
    check: WindowCheck | None
    pace: Pace


def _window_check(
    machine: Machine, own: OwnWindow | None, watch: EscapeWatch, options: Options, last: contextlib.ExitStack
) -> WindowCheck | None:
    """What looks at windows before each step; None where the system's windows are not known here."""
    if machine.platform != "linux":
        return None
    from recorders.replay.x11_windows import X11Windows

    windows = X11Windows(own.ids if own is not None else ())
    last.callback(windows.close)
    return WindowCheck(windows, watch.wait, options.anywhere)


def _check(made: Plan, machine: Machine, options: Options) -> None:
    if made.cannot and not options.skip:
        more = f" (and {len(made.cannot) - 1} more)" if len(made.cannot) > 1 else ""
        raise ReplayError(f"{made.cannot[0].why[:-1]}{more}: `--skip` performs the others, `--dry-run` lists them.")
    if machine.keyboard.trouble is not None:
        raise ReplayError(machine.keyboard.trouble)


def _listening() -> tuple[EscapeWatch, Exception | None]:
    """A watch for the person's Escape; where keys cannot be heard, one that hears nothing, and why."""
    from recorders.backends import event_source

    try:
        watch = EscapeWatch(event_source())
        watch.start()
    except (CurateError, ImportError, OSError) as error:
        return EscapeWatch(None), error
    return watch, None


def _count_down(seconds: float, watch: EscapeWatch, tell: Tell) -> None:
    left = seconds
    while left > 0:
        tell(f"Hands off: it begins in {left:g} s. Escape stops it.")
        watch.wait(min(1.0, left))
        left -= 1.0


def _perform_steps(made: Plan, doing: _Doing, done: Performed, tell: Tell) -> None:
    previous: PlannedStep | None = None
    began = ended = time.monotonic()
    for step, after in zip(made.steps, [*made.steps[1:], None], strict=True):
        gap = wait_before(previous.time if previous else None, step.time, doing.pace, first=previous is None)
        if gap.shortened:
            done.shortened += gap.shortened
            tell(f"Step {step.index}: {gap.shortened:.0f} s of a long pause are left out.")
        doing.watch.wait_until(max(ended + gap.seconds, began + gap.since_start))
        if doing.check is not None:
            doing.check.before(step, after.app if after is not None else None)
        began, done.last = time.monotonic(), step.index
        doing.acts.perform(step)
        ended, previous = time.monotonic(), step
        done.steps += 1
        for action in step.actions:
            if isinstance(action, Terminate):
                done.status = action.status


_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@contextlib.contextmanager
def _interrupted_once() -> Iterator[None]:
    """A process that is told to end (Ctrl-C, a signal, its terminal closed) lets go of what it holds first: keys
    pressed for it would stay down. Being told again while it does so changes nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal told
        if not told:
            told = True
            raise KeyboardInterrupt

    known = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    before = {number: signal.signal(number, interrupt) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
