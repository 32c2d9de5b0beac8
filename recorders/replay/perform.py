"""The steps of a record performed one after another, until its end or the person's Escape."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

import msgspec

from curate.model.actions import Terminate
from curate.model.errors import CurateError
from curate.model.performed import Performed
from curate.model.trajectory import Trajectory
from recorders.replay.acts import Acts
from recorders.replay.clipboard import Clipboard
from recorders.replay.errors import ReplayError, StoppedError
from recorders.replay.escape import EscapeWatch
from recorders.replay.machine import Machine, open_machine
from recorders.replay.pace import Pace, wait_before
from recorders.replay.plan import Plan, PlannedStep, pastes, plan


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """`skip`: leave out steps that cannot be performed, instead of performing none. `countdown`: seconds before the
    first step, for the person to take the hands off."""

    pace: Pace = Pace()
    skip: bool = False
    countdown: float = 3.0


Tell = Callable[[str], None]


def perform(record: Trajectory, options: Options | None = None, tell: Tell = lambda _: None) -> Performed:
    """Perform a record's actions on this desktop. `tell` is given what a person should read meanwhile, as lines.

    Raises ReplayError, before anything is done, where this desktop cannot be acted on, or the record has steps that
    cannot be performed and `skip` is not set. Whatever ends it, no key or button stays down.
    """
    options = options or Options()
    machine = open_machine()
    made = plan(record, machine)
    _check(made, machine, options)
    watch = _listening(tell)
    clipboard = Clipboard()
    acts = Acts(machine, watch, clipboard, options.pace)
    done = Performed(of=len(made.steps), left_out=made.cannot, notes=made.notes)
    begun = time.monotonic()
    try:
        with _terminated_as_interrupted():
            machine.keyboard.lend(made.lend)
            if any(pastes(step, machine) for step in made.steps):
                clipboard.check()
            _count_down(options.countdown, watch, tell)
            _perform_steps(made, acts, watch, options.pace, done, tell)
    except StoppedError:
        done.ended = "escape"
    except KeyboardInterrupt:
        done.ended = "interrupt"
    finally:
        acts.release_all()
        machine.keyboard.give_back()
        watch.stop()
    done.seconds = round(time.monotonic() - begun, 3)
    return done


def _check(made: Plan, machine: Machine, options: Options) -> None:
    if made.cannot and not options.skip:
        more = f" (and {len(made.cannot) - 1} more)" if len(made.cannot) > 1 else ""
        raise ReplayError(f"{made.cannot[0].why[:-1]}{more}: `--skip` performs the others, `--dry-run` lists them.")
    if machine.keyboard.trouble is not None:
        raise ReplayError(machine.keyboard.trouble)


def _listening(tell: Tell) -> EscapeWatch:
    """A watch for the person's Escape; where keys cannot be heard, one that hears nothing, which is said."""
    from recorders.backends import event_source

    try:
        watch = EscapeWatch(event_source())
        watch.start()
    except (CurateError, ImportError, OSError) as error:
        tell(f"Escape cannot be heard here, Ctrl-C in this terminal stops it: {error}")
        return EscapeWatch(None)
    return watch


def _count_down(seconds: float, watch: EscapeWatch, tell: Tell) -> None:
    left = seconds
    while left > 0:
        tell(f"Hands off: it begins in {left:g} s. Escape stops it.")
        watch.wait(min(1.0, left))
        left -= 1.0


def _perform_steps(made: Plan, acts: Acts, watch: EscapeWatch, pace: Pace, done: Performed, tell: Tell) -> None:
    previous: PlannedStep | None = None
    began = ended = time.monotonic()
    for step in made.steps:
        gap = wait_before(previous.time if previous else None, step.time, pace, first=previous is None)
        if gap.shortened:
            done.shortened += gap.shortened
            tell(f"Step {step.index}: {gap.shortened:.0f} s of a long pause are left out.")
        watch.wait_until(max(ended + gap.seconds, began + gap.since_start))
        began, done.last = time.monotonic(), step.index
        acts.perform(step)
        ended, previous = time.monotonic(), step
        done.steps += 1
        for action in step.actions:
            if isinstance(action, Terminate):
                done.status = action.status


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """A process that is told to end lets go of what it holds first: keys pressed for it would stay down."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
