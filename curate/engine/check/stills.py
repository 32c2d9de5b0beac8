"""Whether published stills give the target away, of which nobody recorded where the pointer was: a pointer is looked
for at the target of each step and, for the floor, at other places of the same picture; and the target is compared with
how it looks in the neighbouring still. Nothing is said that the floor explains, too."""

from __future__ import annotations

from collections.abc import Sequence

from curate.engine.check.collect import Collected, at
from curate.engine.check.types import Severity, Sure
from curate.model.constants import REPORT_ABOVE_FLOOR, STILL_FLOOR_LEAST
from curate.model.trajectory import Step, Trajectory
from curate.model.wilson import wilson, wilson_difference
from curate.stages.measures.picture_reader import PictureReader
from curate.stages.measures.pointer_finder.finder import Picture, Pointer, find_pointer
from curate.stages.measures.pointer_finder.lit import lit
from curate.stages.measures.pointer_finder.places import Looked, Place, apart, places, target_of

PART = "stills"


class Counted:
    """So many of so many."""

    def __init__(self) -> None:
        self.yes = self.known = 0

    def add(self, found: bool) -> bool:
        self.known += 1
        self.yes += found
        return found

    def words(self) -> str:
        """With the 95 % interval."""
        low, high = wilson(self.yes, self.known)
        return f"{self.yes:,} of {self.known:,} ({low:.1%} to {high:.1%})"


class _Still:
    """A step's picture with where it was looked at, and what was found at its target."""

    def __init__(self, step: Step, pixels: Picture, looked: Looked | None) -> None:
        self.step, self.pixels, self.looked = step, pixels, looked
        self.size = pixels.shape[1], pixels.shape[0]
        self.pointer: Pointer | None = None
        if looked is not None:
            self.pointer = self.find(looked.target)

    def find(self, place: Place) -> Pointer | None:
        """The pointer at a place."""
        return find_pointer(self.pixels, *self.pixel(place))

    def pixel(self, place: Place) -> tuple[float, float]:
        """A place in pixels."""
        return place[0] * self.size[0], place[1] * self.size[1]


class Stills:
    """Looks into the stills of records while their pictures are at hand."""

    def __init__(self, found: Collected, reader: PictureReader) -> None:
        self._found, self._reader = found, reader
        self.target, self.last, self.others, self.anywhere = Counted(), Counted(), Counted(), Counted()
        self.lit, self.lit_floor = Counted(), Counted()
        self.shown = self.published = 0

    def add(self, record: Trajectory) -> None:
        """The stills of a record. Those of recordings are passed over: events say where the pointer was."""
        before: _Still | None = None
        reference: str | None = None
        seen: set[tuple[str, int, int]] = set()
        for number, step in enumerate(record.steps):
            if step.keyframe is not None or step.image is None:
                before, reference = None, step.image
                continue
            pixels = self._reader.pixels(step.image)
            if reference is not None:  # asked for by others, too: now, while both pictures are at hand
                self._reader.difference(reference, step.image)
            reference = step.image
            self.published += 1
            if pixels is None:
                before = None
                continue
            still = self._look(record, number, pixels, seen)
            if before is not None:
                self._compare(record, before, still)
            before = still

    def _look(self, record: Trajectory, number: int, pixels: Picture, seen: set[tuple[str, int, int]]) -> _Still:
        """Look for a pointer in one still; what was looked at before counts once."""
        step = record.steps[number]
        looked = places(record, number, (pixels.shape[1], pixels.shape[0]))
        still = _Still(step, pixels, looked)
        if looked is None:
            return still
        self.shown += 1
        x, y = still.pixel(looked.target)
        key = self._reader.facts(step.image or "", thumbnail=False).sha256 or "", round(x / 8), round(y / 8)
        if key in seen:
            return still
        seen.add(key)
        if self.target.add(still.pointer is not None) and still.pointer is not None:
            one = still.pointer
            what = f"{_tone(one)} {one.shape}, {one.height:.0f} px, its tip at {one.x:.0f}, {one.y:.0f}"
            self._found.add("pointer.on_target", at(record, what, step.index), part=PART)
        if looked.last is not None:
            self.last.add(still.find(looked.last) is not None)
        for place in looked.targets:
            self.others.add(still.find(place) is not None)
        if looked.anywhere is not None:
            self.anywhere.add(still.find(looked.anywhere) is not None)
        return still

    def _compare(self, record: Trajectory, before: _Still, still: _Still) -> None:
        """Whether a target is lit up, against the neighbouring still in which the pointer is away: the one before; for
        a target of the one before, this one if it shows the pointer at its own."""
        if before.size != still.size or before.step.image == still.step.image:
            return
        for one, other in ((still, before), (before, still)):
            if one.looked is None or (one is before and other.pointer is None):
                continue
            resting = [place for place in (target_of(other.step), other.looked and other.looked.last) if place]
            if not all(apart(one.looked.target, place, one.size) for place in resting):
                continue
            found = lit(one.pixels, other.pixels, *one.pixel(one.looked.target), one.pointer)
            if found is None or other.find(one.looked.target) is not None:
                continue
            if self.lit.add(found):
                what = f"another tint than in the picture of step {other.step.index}"
                self._found.add("pointer.hover", at(record, what, one.step.index), part=PART)
            for place in (*one.looked.targets, *([one.looked.anywhere] if one.looked.anywhere else [])):
                if all(apart(place, each, one.size) for each in resting):
                    same = lit(one.pixels, other.pixels, *one.pixel(place))
                    if same is not None:
                        self.lit_floor.add(same)

    def finish(self, left: int) -> None:
        """What it comes to against the floor. `left`: pictures beyond the bound on them."""
        if not self.published and not left:
            return
        if not self.target.known:
            why = "no step of the stills that are there acts at a point." if self.published else "none was decoded."
            self._found.cannot("pointer", "pointer and hover in published stills", why)
            return
        self._say_pointer()
        self._say_hover()

    def _say_pointer(self) -> None:
        kinds = [each for each in (self.others, self.anywhere) if each.known >= STILL_FLOOR_LEAST]
        if not kinds:
            kinds = [_together((self.others, self.anywhere))]
        beyond = min(_beyond(self.target, each) for each in kinds)
        floors = (
            f"the floor, at other steps' targets in the same pictures, is {self.others.words()}, at random places "
            f"{self.anywhere.words()}"
        )
        last = f"; where the action before ended: {self.last.words()}" if self.last.known else ""
        said = f"A mark like a pointer is at the target in {self.target.words()} stills; {floors}{last}"
        self._say("on_target", said, self.target, beyond, "error")

    def _say_hover(self) -> None:
        if not self.lit.known:
            why = "no neighbouring still shows the same surroundings with the pointer away."
            self._found.cannot("pointer", "hover in published stills", why)
            return
        said = (
            f"The target has another tint than in the neighbouring still in {self.lit.words()} pairs; the floor, at "
            f"other places of the same pairs, is {self.lit_floor.words()}"
        )
        # a warning at most: what the step before made ready to be clicked has another tint, too
        self._say("hover", said, self.lit, _beyond(self.lit, self.lit_floor), "warning")

    def _say(self, name: str, said: str, counted: Counted, beyond: float, worst: Severity) -> None:
        low, high = wilson(counted.yes, counted.known)
        sure = Sure(by="measured", yes=counted.yes, known=counted.known, low=round(low, 4), high=round(high, 4))
        kind = f"pointer.{name}"
        if beyond > 0:
            severity = worst if beyond > REPORT_ABOVE_FLOOR else "warning"
            said += f"; at least {beyond * 100:.1f} points more"
            self._found.say(kind, said, part=PART, of=counted.known, sure=sure, severity=severity)
            return
        if counted.yes:
            title = "Stills where it looks so, no more than the floor allows for certain."
            self._found.say(kind, said, part=PART, of=counted.known, sure=sure, severity="note", title=title)
            return
        if counted.known < STILL_FLOOR_LEAST:  # none of a few says next to nothing
            what = "pointer" if name == "on_target" else "hover"
            self._found.cannot("pointer", f"{what} in published stills", f"too few tell. {said}.")
            return
        self._found.add("pointer.clean", part=f"{PART}.{name}", times=counted.known).unit = "steps"
        self._found.say("pointer.clean", said, part=f"{PART}.{name}", of=counted.known, sure=sure)


def _tone(pointer: Pointer) -> str:
    return "light" if pointer.light else "dark"


def _together(counts: Sequence[Counted]) -> Counted:
    whole = Counted()
    whole.yes, whole.known = sum(each.yes for each in counts), sum(each.known for each in counts)
    return whole


def _beyond(one: Counted, floor: Counted) -> float:
    """By how much one share is above another at least (95 %)."""
    return wilson_difference(one.yes, one.known, floor.yes, floor.known)[0]
