"""Runs made up as a screen would give them: pictures with widgets on an empty ground, clicks on widgets that change
what is drawn there, scrolls that move the content. What is true of them is known, so that a fault can be planted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from curate.sources.common.facts import Facts, Order, Space
from curate.sources.common.sightings import PointSeen, ScrollSeen
from curate.sources.detector.sample import Grey, Run, Sample, Seen, Shot


class Truth(NamedTuple):
    """How the raw data stands. `boxes`, `pictures`: whether targets' boxes and pictures are there; `words`: whether
    scroll steps say which way they go."""

    space: Space = "picture_pixel"
    order: Order = "xy"
    scroll: str = "plus_up"
    timing: str = "before"
    size: tuple[int, int] = (1080, 2400)
    screen: tuple[int, int] | None = None
    boxes: bool = True
    pictures: bool = True
    words: bool = True


class _Page:
    """A page of widgets, longer than the window onto it."""

    def __init__(self, made: np.random.Generator, width: int, height: int) -> None:
        self.width, self.height, self.offset = width, height, height
        self.ground = int(made.integers(180, 250))
        self.grey: Grey = np.full((3 * height, width), self.ground, np.uint8)
        self.made = made
        for _ in range(60):
            self._widget(int(made.integers(10, width - 40)), int(made.integers(5, 3 * height - 20)))

    def _widget(self, left: int, top: int) -> None:
        self.grey[top : top + 12, left : left + 30] = self.made.integers(0, 160, (12, 30))

    def window(self) -> Grey:
        return self.grey[self.offset : self.offset + self.height].copy()

    def click(self) -> tuple[float, float, tuple[float, float, float, float]]:
        """A widget drawn somewhere new, to be clicked; its centre and its box as fractions of the window. Nothing of it
        is drawn yet: `answer` changes it."""
        left = int(self.made.integers(5, self.width - 40))
        top = int(self.made.integers(5, self.height - 20))
        self._widget(left, self.offset + top)
        sides = (left / self.width, top / self.height, (left + 30) / self.width, (top + 12) / self.height)
        return (left + 15) / self.width, (top + 6) / self.height, sides

    def answer(self, place: tuple[float, float]) -> None:
        """What was clicked looks different."""
        left, top = int(place[0] * self.width) - 15, int(place[1] * self.height) - 6 + self.offset
        self.grey[top : top + 12, left : left + 30] = 255 - self.grey[top : top + 12, left : left + 30]

    def scroll(self, up: bool) -> None:
        self.offset += -17 if up else 17


def make_sample(
    truth: Truth, declared: Facts | None = None, *, seed: int = 0, records: int = 12, steps: int = 9
) -> Sample:
    """Runs as `truth` has them; `declared`: what their source says (None: the truth)."""
    made = np.random.default_rng(seed)
    runs = tuple(_run(made, truth, number, steps) for number in range(records))
    return Sample(declared or facts(truth), runs, records=records)


def facts(truth: Truth, **other: str) -> Facts:
    """What a source would declare of such data, with faults."""
    said = {"space": truth.space, "order": truth.order, "scroll": truth.scroll, "timing": truth.timing, **other}
    return Facts(title="Made up", card="", outcome="", licences={}, **said)  # type: ignore[arg-type]


def _run(made: np.random.Generator, truth: Truth, number: int, steps: int) -> Run:
    width, height = _small(truth.size)
    page = _Page(made, width, height)
    targets = [page.click() for _ in range(steps)]
    shots = [Shot(page.window(), truth.size)]
    seen = []
    for step, (x, y, box) in enumerate(targets):
        if step % 3 == 2:
            up = bool(made.integers(2)) if page.offset != height else False
            page.scroll(up)
            seen.append(Seen(step, (), (_scroll(truth, number, step, up, made),)))
        else:
            page.answer((x, y))
            seen.append(Seen(step, (_point(truth, number, step, x, y, box),), ()))
        shots.append(Shot(page.window(), truth.size))
    given: list[Shot | None] = list(shots) if truth.pictures else []
    return Run(f"made:{number}", "made.jsonl", number + 1, tuple(seen), tuple(given))


def _small(size: tuple[int, int]) -> tuple[int, int]:
    scale = 240 / max(size)
    return round(size[0] * scale), round(size[1] * scale)


def _point(
    truth: Truth, record: int, step: int, x: float, y: float, box: tuple[float, float, float, float]
) -> PointSeen:
    frame = {"fraction": (1, 1), "permille": (1000, 1000), "screen_pixel": truth.screen}.get(truth.space, truth.size)
    assert frame is not None
    digits = 4 if truth.space == "fraction" else 0
    across, down = round(x * frame[0], digits), round(y * frame[1], digits)
    sides = (box[0] * frame[0], box[1] * frame[1], box[2] * frame[0], box[3] * frame[1])
    raw = (across, down) if truth.order == "xy" else (down, across)
    return PointSeen(
        f"made:{record}", step, (float(raw[0]), float(raw[1])), truth.size, truth.screen,
        sides if truth.boxes else None, truth.space if truth.boxes else None,
    )  # fmt: skip


def _scroll(truth: Truth, record: int, step: int, up: bool, made: np.random.Generator) -> ScrollSeen:
    way = "up" if up else "down"
    words = f"Scroll {way} to see more" if truth.words else None
    if truth.scroll in ("view", "finger"):
        raw: float | str = way if truth.scroll == "view" else {"up": "down", "down": "up"}[way]
        words = None  # the word itself would be the only ground
    else:
        raw = float(made.integers(1, 6)) * (1 if up == (truth.scroll == "plus_up") else -1)
    return ScrollSeen(f"made:{record}", step, raw, "y", words)


def late(sample: Sample) -> Sample:
    """The same with pictures that come one step late: each the one after its step."""
    return sample._replace(runs=tuple(run._replace(shots=(*run.shots[1:], None)) for run in sample.runs))


def early(sample: Sample) -> Sample:
    """The same with pictures that come one step early."""
    return sample._replace(runs=tuple(run._replace(shots=(None, *run.shots[:-1])) for run in sample.runs))
