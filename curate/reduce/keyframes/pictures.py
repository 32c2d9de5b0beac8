"""A picture for every step of a recording, in one pass over its video (design: one rule, `choose_frame`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.model.actions import Terminate, Wait
from curate.model.constants import COORDINATE_DECIMALS, HISTORY_S, KEYFRAME_MARGIN_S, TILE_PX
from curate.model.events import RawRecording
from curate.model.trajectory import Keyframe
from curate.reduce.holes import holes_of, reaching_end
from curate.reduce.keyframes.choose_frame import Choice, before_last_change, choose_frame
from curate.reduce.keyframes.leak_measures import largest_change_on_target, near_target, on_target
from curate.reduce.keyframes.pointer_drawing import draw_pointer, shape_at
from curate.reduce.keyframes.stop_gesture import before_the_gesture
from curate.reduce.keyframes.targets import Target, target_of
from curate.reduce.types import KeyframeOptions, Picture, ReducedStep
from curate.reduce.video.decoding import Plane, to_rgb
from curate.reduce.video.pointer_track import BLACK, PointerTrack
from curate.reduce.video.screen_reel import ScreenReel
from curate.store.media import MediaStore


@dataclass
class Chosen:
    """A step's picture before it is stored: what is to be said about it (`picture`), its pixels (`rgb`: height x
    width x 3, uint8; None where there is none), the same as the video's own `planes`, and its `target`."""

    picture: Picture
    rgb: NDArray[np.uint8] | None = None
    planes: tuple[Plane, ...] | None = None
    target: Target | None = None


def choose_keyframes(
    recording: RawRecording,
    steps: Iterable[ReducedStep],
    track: PointerTrack,
    screen: ScreenReel | None,
    media: MediaStore,
    options: KeyframeOptions,
) -> Iterator[tuple[ReducedStep, Picture]]:
    """Each step with its picture, stored in `media`. `steps` come in order of time and may be reduced as they are
    asked for; only the frames of the last steps are kept. `screen` is None for a recording without video, or with one
    that cannot be read: then every step is flagged `keyframe_missing`. Pictures of a video whose clock is only what the
    recording states, or not even that, are flagged `clock_unmeasured`."""
    unsure = screen is not None and screen.clock.confidence == 0.0
    for step, chosen in chosen_keyframes(recording, steps, track, screen, options):
        if chosen.rgb is not None:
            chosen.picture.image = media.add_png(chosen.rgb)
            chosen.picture.flags = sorted([*chosen.picture.flags, *(["clock_unmeasured"] if unsure else [])])
        yield step, chosen.picture


def chosen_keyframes(
    recording: RawRecording,
    steps: Iterable[ReducedStep],
    track: PointerTrack,
    screen: ScreenReel | None,
    options: KeyframeOptions,
) -> Iterator[tuple[ReducedStep, Chosen]]:
    """As `choose_keyframes`, with pixels in place of stored pictures."""
    if screen is None:
        for step in steps:
            yield step, _missing()
        return
    previous: tuple[Plane, float] | None = None
    for step in steps:
        act = before_the_gesture(step, track)
        target = target_of(step, act, recording.elements, screen.view)
        choice = _choice(screen, step, act, target)
        if choice is None:
            yield step, _missing()
        else:
            target = choice.target or target
            yield step, _chosen(recording, screen, choice, act, target, previous, options)
            previous = choice.planes[0], choice.time
        screen.forget(step.start - HISTORY_S)


def _choice(screen: ScreenReel, step: ReducedStep, act: float, target: Target | None) -> Choice | None:
    if any(isinstance(action, Wait) for action in step.actions):
        return before_last_change(screen, step.start, step.end)
    if is_end(step) and _ends_unseen(screen.track, step.start):
        return None
    return choose_frame(screen, screen.track.last_act_before(act), act, target)


def _ends_unseen(track: PointerTrack, end: float) -> bool:
    """Whether the run ends in a span that no picture was taken of: the latest shows what was there before it."""
    spans = [span for span in reaching_end(holes_of(track), track, end) if span.kind in BLACK]
    return any(span.end > end - KEYFRAME_MARGIN_S for span in spans)


def _missing() -> Chosen:
    return Chosen(Picture(flags=["keyframe_missing"]))


def _chosen(
    recording: RawRecording,
    screen: ScreenReel,
    choice: Choice,
    act: float,
    target: Target | None,
    previous: tuple[Plane, float] | None,
    options: KeyframeOptions,
) -> Chosen:
    track, view, layout = screen.track, screen.view, screen.grid.layout
    place = track.place(choice.time)
    before = track.last_act_before(act)
    ended = track.place(before if before is not None else choice.time)
    rgb = to_rgb(choice.planes, layout)
    drawn = place if screen.pointer_visible else None
    if not screen.pointer_visible and options.pointer != "none":
        drawn = ended if options.pointer == "previous" else place
        if drawn is not None:
            shape = shape_at(recording.shapes, before if options.pointer == "previous" and before else choice.time)
            rgb = draw_pointer(rgb, *view.to_frame(*drawn), shape, 1 / view.scale_x)
    flags = list(choice.flags)
    if near_target(drawn, target, view) and not choice.erased:
        flags.append("pointer_near")
    keyframe = Keyframe(
        time=round(choice.time - track.first, 4),
        rule=choice.rule,
        pointer=view.fraction(*place, COORDINATE_DECIMALS) if place is not None else None,
        pointer_on_target=on_target(place, target),
        hover=_hover(screen, choice, target, previous),
        floor_on_target=on_target(ended, target) if before is not None else None,
        erased=choice.erased,
    )
    size = (layout.width, layout.height)
    return Chosen(Picture(size=size, keyframe=keyframe, flags=sorted(set(flags))), rgb, choice.planes, target)


def _hover(
    screen: ScreenReel, choice: Choice, target: Target | None, previous: tuple[Plane, float] | None
) -> bool | None:
    if previous is None:
        return None
    ignored = screen.idle.regions() | screen.pointer_tiles(choice.time) | screen.pointer_tiles(previous[1])
    return largest_change_on_target(previous[0], choice.planes[0], target, screen.view, ignored, TILE_PX)


def is_end(step: ReducedStep) -> bool:
    """Whether the step ends the run; its picture is the recording's `final_image` too."""
    return any(isinstance(action, Terminate) for action in step.actions)
