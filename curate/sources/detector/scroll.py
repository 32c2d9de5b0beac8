"""Which way scrolls go: what a positive number, or a word, means.

Two grounds: the words that the step says of itself ("Scroll down to the footer"), and the pictures, in which content
that moved up shows what stands below. Words about fingers ("swipe up") say nothing here: sources use them both ways."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curate.sources.common.sightings import ScrollSeen
from curate.sources.detector.picture_evidence import moved
from curate.sources.detector.sample import Run, Sample
from curate.sources.detector.verdict import Example, Verdict, Vote, example, judge

_VERB = r"(?:scroll(?:s|ed|ing)?|page)"
_BETWEEN = (
    r"(?:\s+(?:a|the|this|that|bit|little|further|farther|more|back|all|way|page|window|list|screen|view|content|menu"
    r"|slightly|it|through|again)){0,4}?"
)
_SAID = re.compile(rf"\b{_VERB}{_BETWEEN}\s*(down|up|left|right)(?:wards?)?\b", re.IGNORECASE)
_SAID_IN_CHINESE = re.compile(r"(?:向|往)?(上|下|左|右)(?:滚动|翻页)|滚动(?:到)?(上|下|左|右)")
_CHINESE = {"上": "up", "下": "down", "左": "left", "右": "right"}
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def direction_in(words: str | None) -> str | None:
    """The one direction in which the words say that something is scrolled (down shows what stands below); None where
    they say none, or two."""
    if not words:
        return None
    said = {found.group(1).lower() for found in _SAID.finditer(words)}
    said |= {_CHINESE[found.group(1) or found.group(2)] for found in _SAID_IN_CHINESE.finditer(words)}
    return said.pop() if len(said) == 1 else None


def judge_scroll(sample: Sample) -> Verdict:
    """What the sample's scrolls mean, as `sources.common.facts.Scroll` names it."""
    declared = sample.declared.scroll
    votes = list(_votes(sample))
    numbers = [vote for vote in votes if vote.answer in ("plus_up", "plus_down")]
    words = [vote for vote in votes if vote.answer in ("view", "finger")]
    if len(numbers) >= len(words):
        declared = "plus_up" if declared in ("view", "finger") else declared  # as `Conventions.scroll` reads a number
        return judge("scroll", "Scroll", declared, numbers)
    declared = "view" if declared in ("plus_up", "plus_down") else declared  # and a word
    return judge("scroll", "Scroll", declared, words)


def _votes(sample: Sample) -> Iterator[Vote]:
    for run in sample.runs:
        for number, step in enumerate(run.steps):
            if len(step.scrolls) != 1 or step.scrolls[0].meaning is not None:
                continue  # of several, nobody knows which the words and pictures are about
            seen = step.scrolls[0]
            told = _from_words(seen, run, step.step)
            if told is not None:
                yield told
            shown = _from_pictures(seen, run, number)
            if shown is not None:
                yield shown


def _from_words(seen: ScrollSeen, run: Run, step: int) -> Vote | None:
    way = direction_in(seen.words)
    if way is None or _axis(seen) != ("y" if way in ("up", "down") else "x"):
        return None
    return _vote(seen, way, "words", example(run, step, f"{seen.raw!r}: {str(seen.words)[:120]!r}"))


def _from_pictures(seen: ScrollSeen, run: Run, number: int) -> Vote | None:
    """Content that moves up (or left) shows what stands below (or right)."""
    if number + 1 >= len(run.shots):
        return None
    before, after = run.shots[number], run.shots[number + 1]
    if before is None or after is None:
        return None
    shift = moved(before.grey, after.grey, _axis(seen))
    if not shift:
        return None
    way = {"y": ("down", "up"), "x": ("right", "left")}[_axis(seen)][shift > 0]
    what = f"{seen.raw!r}: on the pictures the content moved {_OPPOSITE[way]}"
    return _vote(seen, way, "pictures", example(run, run.steps[number].step, what))


def _axis(seen: ScrollSeen) -> str:
    if isinstance(seen.raw, str):
        return "y" if seen.raw.strip().lower() in ("up", "down") else "x"
    return seen.axis


def _vote(seen: ScrollSeen, way: str, by: str, shown: Example) -> Vote | None:
    if isinstance(seen.raw, str):
        word = seen.raw.strip().lower()
        if way not in (word, _OPPOSITE.get(word)):
            return None
        return Vote("view" if word == way else "finger", by, shown)
    if seen.axis != "y" or not seen.raw:
        return None  # plus is right, in every source there is
    return Vote("plus_up" if (seen.raw > 0) == (way == "up") else "plus_down", by, shown)
