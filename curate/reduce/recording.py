"""One recording to one record: the whole way, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from curate.model.events import RawEvent, RawRecording, ScreenAt
from curate.model.reasons import reason
from curate.model.trajectory import Actor, Origin, Outcome, Step, Trajectory
from curate.reduce.assemble import Surroundings, assemble_step
from curate.reduce.events.reducer import reduce_events
from curate.reduce.holes import FLAG, mark_holes
from curate.reduce.holes import told as told_of_hole
from curate.reduce.hover_steps import without_hovers
from curate.reduce.keyframes.pictures import choose_keyframes, is_end
from curate.reduce.review import apply_review
from curate.reduce.screen_steps import only_kept, with_screen_steps
from curate.reduce.trees import with_trees
from curate.reduce.types import KeyframeOptions, Picture, ReducedStep, ReduceOptions, Stretch
from curate.reduce.video.decoding import VideoError
from curate.reduce.video.pointer_track import PointerTrack, TrackBuilder
from curate.reduce.video.screen_reel import ScreenReel, open_screen
from curate.store.media import MediaStore


def reduce_recording(
    recording: RawRecording, media: MediaStore, options: ReduceOptions, keyframes: KeyframeOptions
) -> tuple[Trajectory, list[Stretch]]:
    """The record of a recording, and every stretch of its raw events with its step or reason.

    Pictures go into `media`. A video that cannot be read leaves the steps without pictures (flag `keyframe_missing`,
    and a line in `lineage`); nothing that a recording holds raises.
    """
    options = _declared(options, recording)
    events = _Watched(recording)
    items = list(reduce_events(events, options))
    unreadable = [
        Stretch(first=line - 1, last=line - 1, reason="reduce.unreadable") for line, _ in recording.unreadable
    ]
    around = Surroundings(recording, events.zero, events.screens)
    steps = [_flagged(item, around) for item in items if isinstance(item, ReducedStep)]
    reviewed = list(apply_review(items, recording.kept_starts if options.review == "honour" else None))
    kept = {id(item) for item in reviewed if isinstance(item, ReducedStep)}
    track = events.track()
    screen, trouble = _open_screen(recording, track)
    all_steps = only_kept(with_screen_steps(recording, steps, screen), kept)
    marked = mark_holes(all_steps, track)
    pictures = choose_keyframes(recording, marked, track, screen, media, keyframes)
    seen = list(with_trees(recording, pictures, screen, events.zero, media, events.screens))
    told = [*_holes_told(seen, track), *(screen.notes() if screen is not None else [trouble] if trouble else [])]
    record = _record(recording, around, seen, told)
    left_out = without_hovers((item for item in reviewed if isinstance(item, Stretch)), [step for step, _ in seen])
    return record, _in_order([*_of_steps(record.steps), *left_out, *unreadable])


def _holes_told(seen: Sequence[tuple[ReducedStep, Picture]], track: PointerTrack) -> list[str]:
    """Lines about what was not recorded, by the step before which it lies."""
    steps = [None, *(step for step, _ in seen)]
    lines = [
        told_of_hole(before, step, index, track)
        for index, (before, step) in enumerate(pairwise(steps))
        if step is not None and FLAG in step.flags
    ]
    return [line for line in lines if line is not None]


def _open_screen(recording: RawRecording, track: PointerTrack) -> tuple[ScreenReel | None, str | None]:
    """The recording's screen; where its video cannot be read, none and the sentence that says so."""
    try:
        return open_screen(recording, track), None
    except VideoError:
        return None, f"read.video: {reason('read.video')}"  # what the decoder says may hold the file's name


def _declared(options: ReduceOptions, recording: RawRecording) -> ReduceOptions:
    """Options with what the recording says of itself: its shortcuts, platform and outcome. A recipe's word counts
    where it has one."""
    return msgspec.structs.replace(
        options,
        start_chord=options.start_chord or recording.start_chord,
        stop_chord=options.stop_chord or recording.stop_chord,
        control_chords=options.control_chords or recording.control_chords,
        status=options.status or recording.status,
        platform=options.platform or recording.platform,
    )


class _Watched(Iterable[RawEvent]):
    """The recording's events, read once; on the way the pointer's track, the first event's time and the changes of
    the screen that the events tell are noted."""

    def __init__(self, recording: RawRecording) -> None:
        self._recording = recording
        self._builder = TrackBuilder()
        self._first: float | None = None
        self.screens: list[ScreenAt] = []

    def __iter__(self) -> Iterator[RawEvent]:
        screen = self._recording.screen
        for event in self._recording.events():
            if self._first is None:
                self._first = event.time
            if event.kind == "screen" and event.screen is not None and event.screen != screen:
                screen = event.screen
                self.screens.append(ScreenAt(time=event.time, screen=screen, why="the recorder says so"))
            self._builder.add(event)
            yield event

    @property
    def zero(self) -> float:
        """Time of the first raw event on the events' clock."""
        return self._first or 0.0

    def track(self) -> PointerTrack:
        """Where the pointer was."""
        return self._builder.track()


def _flagged(step: ReducedStep, around: Surroundings) -> ReducedStep:
    """From a change of the screen on, boxes of elements are not believed; the choice of pictures goes by the flag."""
    if around.change_before(step.start) is not None and "screen_changed" not in step.flags:
        step.flags = sorted([*step.flags, "screen_changed"])
    return step


def _record(
    recording: RawRecording,
    around: Surroundings,
    seen: Sequence[tuple[ReducedStep, Picture]],
    told: list[str],
) -> Trajectory:
    steps = [
        assemble_step(step, index, picture, around, seen[index - 1][0] if index else None)
        for index, (step, picture) in enumerate(seen)
    ]
    ends = bool(seen) and is_end(seen[-1][0])
    return Trajectory(
        id=recording.id,
        source=Origin(name=recording.source, id=recording.id),
        instruction=recording.instruction,
        wordings=recording.wordings,
        actor=Actor(kind="human", name=recording.actor),
        platform=recording.platform,
        apps=list(dict.fromkeys(step.app for step in steps if step.app is not None)),
        steps=steps,
        final_image=steps[-1].image if ends else None,
        outcome=Outcome(
            completed=recording.completed,
            by=None if recording.completed is None else "human",
            reason=recording.outcome_reason,
        ),
        lineage=[*around.notes(), *recording.remarks, *told],
    )


def _of_steps(steps: Sequence[Step]) -> Iterator[Stretch]:
    """Runs of neighbouring raw events of each step."""
    for step in steps:
        first = last = None
        for index in step.events or ():
            if last is not None and index == last + 1:
                last = index
                continue
            if first is not None and last is not None:
                yield Stretch(first=first, last=last, step=step.index)
            first = last = index
        if first is not None and last is not None:
            yield Stretch(first=first, last=last, step=step.index)


def _in_order(stretches: list[Stretch]) -> list[Stretch]:
    """In the order of the raw file; neighbours of one reason are one."""
    joined: list[Stretch] = []
    for stretch in sorted(stretches, key=lambda s: (s.first, s.last)):
        before = joined[-1] if joined else None
        same = before is not None and (before.step, before.reason) == (stretch.step, stretch.reason)
        if before is not None and same and before.last + 1 == stretch.first:
            joined[-1] = msgspec.structs.replace(before, last=stretch.last)
        else:
            joined.append(stretch)
    return joined
