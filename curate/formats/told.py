"""Texts of a record's steps as they stand inside a JSON string, each made once however many rows tell of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from curate.formats.base import ALL, action_words, escape_text, json_inside, json_inside_all
from curate.formats.smart_resize import Resize
from curate.model.trajectory import Step

Frame = tuple[int, int] | str
"""What a step's points are parts of (width, height); a reason code where that is not known."""


def words_of(steps: Sequence[Step], frames: Sequence[Frame] | None = None) -> list[bytes]:
    """The words of each step for its action. `frames`: of a format whose points are no fractions. A place in words that
    were made from an action (`model.words`) then is the one that its calls name, and goes where the frame is not
    known; words of the source stay as they are."""
    texts = [step.action or action_words(step) for step in steps]
    if frames is not None:
        texts = [
            _placed(text, frame) if "(" in text and (not step.action or "words_generated" in step.flags) else text
            for text, step, frame in zip(texts, steps, frames, strict=True)
        ]
    return json_inside_all(texts, escape_text)


_NUMBER = r"([01](?:\.\d+)?)"
_PLACE = re.compile(rf'"(?:[^"\\]|\\.)*"|(?: (?:at|to|from))? \({_NUMBER}, {_NUMBER}\)')  # what is quoted is no place


def _placed(text: str, frame: Frame) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        if isinstance(frame, str):
            return ""
        before = match[0].partition("(")[0]
        return f"{before}({round(float(match[1]) * frame[0])}, {round(float(match[2]) * frame[1])})"

    return _PLACE.sub(replaced, text)


def thoughts_of(steps: Sequence[Step]) -> list[bytes]:
    """The thought of each step; empty where it is not known."""
    return json_inside_all([step.thought or "" for step in steps], escape_text)


def observations_of(steps: Sequence[Step]) -> list[bytes]:
    """What is observed at each step; empty where it is not known."""
    return json_inside_all([step.observation or "" for step in steps], escape_text)


class Pieces:
    """A piece for each step, all joined once, so that any row's share of them is one slice."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._text = b"".join(pieces)
        self._starts = [0, *accumulate(map(len, pieces))]

    def between(self, first: int, stop: int) -> bytes:
        """The pieces `first` to `stop` (not included)."""
        return self._text[self._starts[first] : self._starts[stop]]


class Lines:
    """The same with line ends between them."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._text = b"\\n".join(lines)
        self._starts = [0, *accumulate([len(line) + 2 for line in lines])]

    def between(self, first: int, stop: int, without: bytes = b"") -> bytes:
        """The lines `first` to `stop` (not included); `without`: what stands there where there are none."""
        return self._text[self._starts[first] : self._starts[stop] - 2] if stop > first else without

    def before(self, position: int, history: int) -> bytes:
        """The lines of the `history` steps before one (ALL: of all); the word None, as models know it, for none."""
        first = 0 if history == ALL or position < history else position - history
        return self._text[self._starts[first] : self._starts[position] - 2] if position > first else b"None"


def inside(text: str) -> bytes:
    """Recorded text, escaped, as it stands inside a JSON string."""
    return json_inside(escape_text(text))


def frames_of(steps: Sequence[Step], resize: Resize | None) -> list[Frame] | None:
    """What points are parts of, where they are pixels of the picture after `resize`; None where they are fractions."""
    return None if resize is None else [seen(step, resize) for step in steps]


def seen(step: Step, resize: Resize | None) -> Frame:
    """Width and height of a step's picture as the model sees it (as it is, where its processor does not matter), or the
    reason code why there is none."""
    if step.image is None:
        return "unroll.no_picture"
    if step.image_size is None:
        return "unroll.picture_size_unknown"
    if resize is None:
        return step.image_size
    return resize.size(*step.image_size) or "unroll.picture_refused"
