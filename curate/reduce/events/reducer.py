"""Raw events in, actions in pixels out: one streaming pass, each rule in the module that has its name.

    order.py            events by time, and those that cannot be used
    recorder_shortcuts.py  the recorder's shortcuts (its stop shortcut: `finish` here)
    recorder_window.py  what was done to the recorder's own window, and the way there
    lost_releases.py    modifiers whose release was never recorded
    modifiers.py        which modifiers are held
    keyboard.py         what a key event means, and which press a release belongs to
    typed_text.py       characters to `write`
    shortcuts.py        `press`, `hotkey`, and series under one held modifier
    mouse.py            clicks, double and triple clicks, drags
    wheel.py            scrolls
    key_events.py       which of these rules a key event falls under
    pointer_events.py         which of these rules a pointer event falls under
    ledger.py           every raw event in one step or under one reason

What needs the screen comes after: waits.py, hover_steps.py; what needs the annotator: review.py. docs/reducer.md has
the choices where more than one answer would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from curate.model.actions import Terminate
from curate.model.constants import INTERRUPT_S
from curate.model.events import RawEvent
from curate.reduce.events.key_events import Keystrokes
from curate.reduce.events.keyboard import read_key
from curate.reduce.events.lost_releases import Noted, note_lost_releases
from curate.reduce.events.order import in_time_order, without_copies
from curate.reduce.events.pointer_events import Pointing
from curate.reduce.events.recorder_shortcuts import ControlChords, canonical_chord, without_start_chord
from curate.reduce.events.recorder_window import RecorderWindow
from curate.reduce.events.state import State
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch

_CTRL_C = frozenset({"ctrl", "c"})
_BARRIER_REASONS = {
    "pause": "reduce.paused", "resume": "reduce.paused", "redaction": "reduce.redacted", "screen": "reduce.control",
}  # fmt: skip
_KEY_REASONS = frozenset({"reduce.modifier", "reduce.auto_repeat", "reduce.late_release", "reduce.orphan_release"})


def reduce_events(events: Iterable[RawEvent], options: ReduceOptions) -> Iterator[ReducedStep | Stretch]:
    """Steps in order of time, points in recorded pixels, and stretches of events that are in none; at the end a
    terminate step with the recording's outcome. Every raw index is in exactly one of them.

    One pass, linear; memory is bounded by the longest single action, and by what lies between a modifier's press and
    its release. Never raises for what a recording holds.
    """
    reducer = Reducer(options)
    ordered = in_time_order(events, reducer.unreadable)
    single = without_copies(ordered, reducer.copy)
    begun = without_start_chord(single, reducer.start_chord, options.platform, reducer.start_chord_event)
    tasks = reducer.own_window.without(reducer.control_chords.without(begun))
    for noted in note_lost_releases(tasks, options.platform):
        reducer.take(noted)
        yield from reducer.ledger.ready(noted.event.time)
    yield from reducer.finish()


class Reducer:
    """Sends each event to the rules for its kind."""

    def __init__(self, options: ReduceOptions) -> None:
        self.options = options
        self.start_chord = canonical_chord(options.start_chord, options.platform)
        self.stop_chord = canonical_chord(options.stop_chord, options.platform)
        self.state = State(options.platform)
        self.ledger = self.state.ledger
        self.pointing = Pointing(self.state, self.take)
        self.keystrokes = Keystrokes(self.state)
        controls = [canonical_chord(chord, options.platform) for chord in options.control_chords or ()]
        self.control_chords = ControlChords(controls, options.platform, self.control_chord_event)
        self.own_window = RecorderWindow(options.platform, self.own_window_event)
        self.paused = False
        self.last_time: float | None = None
        self.interrupted: float | None = None

    def unreadable(self, event: RawEvent) -> None:
        """An event that cannot be used."""
        self.ledger.leave_out(event.index, "reduce.unreadable")

    def copy(self, event: RawEvent) -> None:
        """A press or release that is in the recording twice."""
        self.ledger.leave_out(event.index, "reduce.duplicate")

    def start_chord_event(self, event: RawEvent) -> None:
        """An event of the recorder's start shortcut."""
        self.last_time = event.time
        self.ledger.leave_out(event.index, "reduce.start_chord")

    def control_chord_event(self, event: RawEvent) -> None:
        """An event of another shortcut of the recorder."""
        self.ledger.leave_out(event.index, "reduce.control_chord")

    def own_window_event(self, event: RawEvent) -> None:
        """An event at the recorder's own window, or on the way there."""
        self.ledger.leave_out(event.index, "reduce.recorder_window")

    def take(self, noted: Noted) -> None:
        """The next event, in order of time."""
        event = noted.event
        self.last_time = event.time if self.last_time is None else max(self.last_time, event.time)
        if event.kind in ("window", "pointer", "clipboard", "end"):
            if event.kind == "end" and event.detail == "interrupt":
                self.interrupted = event.time
            if event.own:  # what comes after the visit is not joined with what came before
                self.state.finish_open()
            self.ledger.leave_out(event.index, "reduce.control")
        elif event.kind in ("pause", "resume", "screen", "redaction"):
            self._barrier(event)
        elif self.paused:
            self.ledger.leave_out(event.index, "reduce.paused")
        elif event.kind == "move":
            self.pointing.move(event)
        elif self.pointing.hold is not None:
            self.pointing.during_hold(self.pointing.hold, noted)
        elif event.kind == "button":
            self.pointing.button(event)
        elif event.kind == "scroll":
            self.pointing.wheel(event)
        elif event.pressed:
            self.keystrokes.down(event, read_key(event, self.options.platform), noted.lost)
        else:
            self.keystrokes.up(event, read_key(event, self.options.platform))

    def _barrier(self, event: RawEvent) -> None:
        """A pause, a change of the screen or a redaction: nothing before it is joined with what comes after."""
        if event.kind in ("pause", "resume"):
            self.pointing.close_all("closed_by_end")
        elif self.pointing.hold is not None:
            self.pointing.hold.sealed = True
        self.state.finish_open()
        if event.kind in ("pause", "resume"):  # what was pressed or let go in between is not known
            self.state.forget_keys()
            self.keystrokes.composing = False
        self.paused = event.kind == "pause" or (self.paused and event.kind != "resume")
        self.ledger.leave_out(event.index, _BARRIER_REASONS[event.kind])

    def _ended_by_ctrl_c(self) -> bool:
        """Whether the recorder was interrupted, and by keys that are in the recording: typed into its terminal, which
        was recorded as any other window, or is not known (tmux, ssh)."""
        last = self.ledger.last
        if self.interrupted is None or last is None or last.chord != _CTRL_C:
            return False
        return self.interrupted - last.start <= INTERRUPT_S

    def finish(self) -> Iterator[ReducedStep | Stretch]:
        """The recording ends: what is open is closed, the recorder's stop shortcut is taken out, and the run
        terminates with the recording's outcome (null where it is not known)."""
        self.pointing.close_all("closed_by_end")
        self.state.finish_open()
        end = self.last_time
        last = self.ledger.last
        open_at_end = last is not None and bool(last.waiting)
        chord = _CTRL_C if self._ended_by_ctrl_c() else self.stop_chord
        open_at_end |= self.state.modifiers.clear("reduce.stop_chord" if chord else None, chord)
        stop = self.ledger.trim_last(chord, "reduce.stop_chord", _KEY_REASONS.__contains__)
        if stop is not None:
            end = stop.start
        elif self.own_window.since is not None:
            end = self.own_window.since
        elif last is not None and open_at_end:
            last.flag("closed_by_end")
        yield from self.ledger.finish()
        if end is not None:
            terminate = Terminate(status=self.options.status)
            yield ReducedStep(actions=[terminate], events=[], start=end, end=end, rule="terminate")
