"""Texts of a record's steps as they stand inside a JSON string, each made once however many rows tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from curate.formats.base import ALL, action_words, escape_text, json_inside, json_inside_all
from curate.formats.smart_resize import Resize
from curate.model.trajectory import Step


def words_of(steps: Sequence[Step]) -> list[bytes]:
    """The words of each step for its action."""
    return json_inside_all([step.action or action_words(step) for step in steps], escape_text)


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


def seen(step: Step, resize: Resize | None) -> tuple[int, int] | str:
    """Width and height of a step's picture as the model sees it (as it is, where its processor does not matter), or the
    reason code why there is none."""
    if step.image is None:
        return "unroll.no_picture"
    if step.image_size is None:
        return "unroll.picture_size_unknown"
    if resize is None:
        return step.image_size
    return resize.size(*step.image_size) or "unroll.picture_refused"
