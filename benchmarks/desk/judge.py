"""Each step's picture of one recording held against what was on the screen when it was done."""

from __future__ import annotations

import json
import tempfile
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from cells import BITS, CELL, Rgb, Strip, find, read
from film import Film, open_film
from keyframes import peers_rule, seeds_rule
from PIL import Image
from work import Session

from curate.model.actions import POINTED, Wait
from curate.model.events import RawRecording
from curate.model.trajectory import Step
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReducedStep, ReduceOptions
from curate.reduce.video.decoding import Video, to_rgb
from curate.reduce.video.pointer_track import pointer_track
from curate.reduce.video.screen_reel import open_screen
from curate.sources.recording import open_recording
from curate.store.media import MediaStore
from curate.store.recording import EVENTS, ButtonRow, MoveRow, ScrollRow, read_rows

PICTURE_FLAGS = (
    "acted_blind", "clock_unmeasured", "erased", "keyframe_missing", "late_change", "pointer_inherited",
    "pointer_near", "pointer_on_target",
)  # fmt: skip
"""Flags that say something about a picture (`erased` is a field of the keyframe and counts as one)."""

SAME_ACT_NS = 20_000_000
BURST_NS = 500_000_000
LIT_BEFORE_NS, LONG_OFF_NS = 1_000_000_000, 500_000_000
POINT_HALF_PX = 24
_ACCENT = np.array([53, 132, 228])  # what the editor's theme fills a lit entry with


@dataclass
class Verdict:
    """One step: what is right and wrong about its picture, by one rule. `truth` and `picture` are to be looked at."""

    session: Session
    index: int
    action: str
    rule: str
    flags: list[str]
    state: bool
    pointer: bool
    hover: bool
    late_s: float
    picture: Rgb | None = None
    truth: Rgb | None = None
    point: tuple[int, int] | None = None
    note: str = ""

    @property
    def right(self) -> bool:
        """State right, and nothing on the target."""
        return self.state and not self.pointer and not self.hover


@dataclass
class Truth:
    """What was on the screen when a step was done: by the strips, else by the picture itself."""

    strips: tuple[Strip | None, ...]
    picture: Rgb | None
    box: tuple[float, float, float, float] | None
    lights: bool
    point: tuple[float, float] | None


@dataclass
class Judged:
    """All verdicts of a session: ours, and those of other rules by their name."""

    session: Session
    ours: list[Verdict] = field(default_factory=list)
    others: dict[str, list[Verdict]] = field(default_factory=dict)


class Case:
    """One recording with its truth."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.session, self.folder = session, folder
        self.acts = [json.loads(line) for line in (folder / "acts.jsonl").read_text().splitlines()]
        self.places = self._places()
        self.film = open_film(folder / "recording", folder / "wiped", self.places)
        rows = [row for _, row in read_rows(folder / "recording" / EVENTS, [])]
        moves = [row for row in rows if isinstance(row, MoveRow | ButtonRow | ScrollRow)]
        self._moved, self._moves = [row.t for row in moves], [(row.x, row.y) for row in moves]

    def _places(self) -> list[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for act in self.acts[:: max(1, len(self.acts) // 12)]:
            found.update(find(self.grab(act["act"])))
        return sorted(found)

    def grab(self, number: int) -> Rgb:
        """The screen as it was looked at just before an act."""
        picture = cv2.imread(str(self.folder / f"act-{number:03}.png"))
        return np.asarray(picture[:, :, ::-1], dtype=np.uint8)

    def act_at(self, t: int) -> dict[str, Any] | None:
        """The act that was done at a time."""
        near = min(self.acts, key=lambda act: abs(act["t"] - t))
        return near if abs(near["t"] - t) <= SAME_ACT_NS else None

    def pointer(self, t: int) -> tuple[float, float] | None:
        """Where the pointer was."""
        index = bisect_right(self._moved, t) - 1
        return self._moves[index] if index >= 0 else None

    def truth(self, step: Step, start: int, end: int) -> Truth | None:
        """What a step's picture should show; None where nobody looked."""
        point = _point(step)
        if any(isinstance(action, Wait) for action in step.actions):
            return self._before_the_change(start, end)
        act = self.act_at(start)
        if act is None:
            if not self.places:
                return None
            # a hover: the state as it began, what lights up as it ended
            began, ended = (self.film.strips[self.film.at(moment)] for moment in (start, end))
            if any(one is None or other is None for one, other in zip(began, ended, strict=True)):
                return Truth(began, None, None, True, point)
            strips = tuple(Strip(a.state, b.lit, 0) for a, b in zip(began, ended, strict=True) if a and b)
            return Truth(strips, None, None, True, point)
        grab = self.grab(act["act"])
        strips = tuple(read(grab, place) for place in self.places)
        box = act["box"]
        holds = box is not None and (box[0], box[1], box[0] + box[2], box[1] + box[3])
        return Truth(strips, grab, holds or None, bool(act["lights"]), point)

    def _before_the_change(self, start: int, end: int) -> Truth | None:
        first, last = self.film.at(start), self.film.at(end)
        shown = [_states(self.film.strips[number]) for number in range(first, last + 1)]
        if not self.places or not shown:
            return None
        turns = [i for i in range(1, len(shown)) if shown[i] != shown[i - 1]]
        before = turns.pop() - 1 if turns else 0
        while turns and self.film.times[first + before + 1] - self.film.times[first + turns[-1]] < BURST_NS:
            before = turns.pop() - 1  # what followed within half a second is one answer
        return Truth(self.film.strips[first + before], None, None, False, None)


def judge_session(session: Session, folder: Path, rules: bool = False) -> Judged:
    """Reduce a recording and judge every step's picture; with `rules`, also what two other rules would show for each
    press."""
    case = Case(session, folder)
    judged = Judged(session)
    raw = open_recording(case.film.wiped)
    with tempfile.TemporaryDirectory() as temporary:
        media = MediaStore(Path(temporary))
        record, _ = reduce_recording(raw, media, ReduceOptions(), KeyframeOptions(pointer="none"))
        for step in record.steps:
            verdict = _judge_ours(case, step, Path(temporary))
            if verdict is not None:
                judged.ours.append(verdict)
        if rules:
            _judge_others(case, record.steps, raw, judged)
    return judged


def _judge_others(case: Case, steps: list[Step], raw: RawRecording, judged: Judged) -> None:
    """The peers' released rule and the literal one (benchmarks/keyframes.py), both on our exact clock."""
    track = pointer_track(raw.events())
    reel = open_screen(raw, track)
    assert reel is not None and raw.video is not None
    video, offset, layout = Video(raw.video), reel.clock.offset, reel.grid.layout
    for step in steps:
        if _point(step) is None or step.time is None:
            continue
        start, end = (case.film.zero + round(moment * 1e9) for moment in (step.time.start, step.time.end))
        truth = case.truth(step, start, end)
        if truth is None:
            continue
        reduced = ReducedStep(actions=step.actions, events=[], start=step.time.start, end=step.time.end, rule="")
        shown = {"OpenCUA's": peers_rule(video, track, reduced, offset, offset)}
        shown["where the moves began"] = seeds_rule(video, track, reduced, offset)
        for name, frame in shown.items():
            t = case.film.zero + round(frame.time * 1e9)
            found = judge_picture(case, truth, to_rgb(frame.planes, layout), t, start)
            action = type(step.actions[0]).__name__
            verdict = Verdict(case.session, step.index, action, name, [], late_s=(start - t) / 1e9, **found)
            judged.others.setdefault(name, []).append(verdict)


def _judge_ours(case: Case, step: Step, root: Path) -> Verdict | None:
    assert step.time is not None
    start, end = (case.film.zero + round(moment * 1e9) for moment in (step.time.start, step.time.end))
    truth = case.truth(step, start, end)
    flags = [flag for flag in step.flags if flag in PICTURE_FLAGS]
    keyframe = step.keyframe
    if keyframe is not None and keyframe.erased:
        flags.append("erased")
    if truth is None:
        return None
    action = "+".join(type(action).__name__ for action in step.actions) or "-"
    base = {"session": case.session, "index": step.index, "action": action, "flags": flags}
    if step.image is None or keyframe is None:
        return Verdict(**base, rule="-", state=False, pointer=False, hover=False, late_s=0.0, truth=truth.picture)
    picture = np.asarray(Image.open(root / step.image).convert("RGB"), dtype=np.uint8)
    t = case.film.zero + round(keyframe.time * 1e9)
    found = judge_picture(case, truth, picture, t, start)
    found["pointer"] &= keyframe.rule != "unmarked"  # shown to look as without a pointer, which is not in the video
    return Verdict(**base, rule=keyframe.rule, late_s=(start - t) / 1e9, picture=picture, **found)


def judge_picture(case: Case, truth: Truth, picture: Rgb, t: int, start: int) -> dict[str, Any]:
    """What is right and wrong about a picture that stands for the moment `t`, for an act at `start`."""
    number = frame_of(case.film, picture, t)
    strips = case.film.strips[number] if number is not None else None
    pointer = case.pointer(t)
    note = "" if strips is not None else "no frame is like it"
    state = hover = covered = False
    if case.places and strips is not None:
        state = _states(strips) == _states(truth.strips)
        hover = bool(_lit_in_both(strips, truth.strips) - _lit_elsewhere(case, truth, start))
        elsewhere = _lit(strips) and not hover  # the pointer is on something that covers the target
        covered = bool(truth.lights and elsewhere)
        note += f"state {_states(strips)} for {_states(truth.strips)}, lit {_lit(strips)} for {_lit(truth.strips)}"
    if truth.picture is not None and (not case.places or case.session.program == "windows"):
        where = [place for place in (pointer, case.pointer(start)) if place is not None]
        different = _differences(case, picture, truth.picture, where)
        state = not different and (state or not case.places)
        note += f" differs at {different[:3]}" if different else ""
        if truth.lights and truth.box is not None and not case.places:
            hover = _filled_in_both(picture, truth.picture, truth.box)
    return {
        "state": state, "hover": hover and truth.point is not None,
        "pointer": not covered and _on_target(truth, pointer),
        "note": note, "truth": truth.picture, "point": _rounded(truth.point),
    }  # fmt: skip


def frame_of(film: Film, picture: Rgb, t: int) -> int | None:
    """The frame that a picture is: the one at its moment, or its nearest neighbour with the same pixels."""
    number = film.at(t)
    near = sorted(range(max(0, number - 6), min(len(film.times), number + 7)), key=lambda n: (abs(n - number), -n))
    shown = film.pictures(near)
    for candidate in near:
        if candidate in shown and np.array_equal(shown[candidate], picture):
            return candidate
    return None


def _states(strips: tuple[Strip | None, ...]) -> tuple[int | None, ...]:
    return tuple(strip.state if strip is not None else None for strip in strips)


def _lit(strips: tuple[Strip | None, ...]) -> set[int]:
    return {number for strip in strips if strip is not None for number in (strip.lit, strip.fading) if number}


def _lit_in_both(strips: tuple[Strip | None, ...], truth: tuple[Strip | None, ...]) -> set[int]:
    """What the pointer lights up at the act and is lit in the picture too."""
    return {strip.lit for strip in truth if strip is not None and strip.lit} & _lit(strips)


def _lit_elsewhere(case: Case, truth: Truth, start: int) -> set[int]:
    """What was lit lately while the pointer had been off the target for so long that it cannot be the target: a page
    that stood still for a moment goes on showing what was lit before."""
    found: set[int] = set()
    if truth.box is None:
        return found
    left, top, right, bottom = truth.box
    for number in range(case.film.at(start - LIT_BEFORE_NS), case.film.at(start)):
        t = case.film.times[number]
        places = [case.pointer(moment) for moment in range(t - LONG_OFF_NS, t + 1, LONG_OFF_NS // 50)]
        if not any(p is None or (left <= p[0] < right and top <= p[1] < bottom) for p in places):
            found |= {strip.lit for strip in case.film.strips[number] if strip is not None and strip.lit}
    return found


def _on_target(truth: Truth, pointer: tuple[float, float] | None) -> bool:
    if truth.point is None or pointer is None:
        return False
    x, y = truth.point
    if max(abs(pointer[0] - x), abs(pointer[1] - y)) < POINT_HALF_PX and not truth.lights:
        return True
    box = truth.box if truth.lights else None
    if box is None:
        return False
    return box[0] <= pointer[0] < box[2] and box[1] <= pointer[1] < box[3]


def _differences(case: Case, picture: Rgb, truth: Rgb, where: list[tuple[float, float]]) -> list[tuple[int, ...]]:
    """Boxes in which two pictures differ, but for carets, clocks, strips, and what is about the pointer."""
    away = (np.abs(picture.astype(np.int16) - truth).max(axis=2) > 32).astype(np.uint8)
    for left, top in case.places:
        away[top : top + CELL, left : left + BITS * CELL] = 0
        away[592 + 44 : 670, 1050:1190] = 0  # the form's clock
        away[350:390, 920:960] = 0  # how far its spinner has turned; whether it turns is told by the strip
    for x, y in where:
        away[max(0, int(y) - 40) : int(y) + 40, max(0, int(x) - 160) : int(x) + 160] = 0
    joined = cv2.dilate(away, np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    found = []
    for label in range(1, count):
        ys, xs = np.nonzero((labels == label) & (away > 0))
        if np.ptp(xs) >= 3:  # a caret is narrower
            found.append((int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())))
    return found


def _filled_in_both(picture: Rgb, truth: Rgb, box: tuple[float, float, float, float]) -> bool:
    """Whether a menu's entry or title is lit as it is at the act."""
    left, top, right, bottom = (round(value) for value in box)
    cut = np.s_[top - 8 : bottom + 8, left - 4 : right + 4]
    accent = [(np.abs(p[cut].astype(np.int16) - _ACCENT).max(axis=2) < 12).mean() for p in (picture, truth)]
    return bool(accent[1] > 0.02 and accent[0] > accent[1] / 2)


def _point(step: Step) -> tuple[float, float] | None:
    for action in step.actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            size = step.image_size or (1280, 720)
            return action.x * size[0], action.y * size[1]
    return None


def _rounded(point: tuple[float, float] | None) -> tuple[int, int] | None:
    return None if point is None else (round(point[0]), round(point[1]))
