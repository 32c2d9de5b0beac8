"""How varied the training data is, as report.json has it."""

from __future__ import annotations

from typing import Literal

import msgspec


class DiversityRow(msgspec.Struct, kw_only=True):
    """How varied the runs are that gave an example: of `who` (all, people, others).

    `tasks`: different instructions after normal form; `places`: apps and sites; `goals_per_place`: different tasks of
    an app or site, on average. `words`: words of an instruction, on average, of `vocabulary` different ones.
    `distance`: 1 - cosine of the words of two instructions, the mean over all pairs (0: all alike, 1: no two share a
    word). `paths`: different sequences of tokens (what was done, as near-copies are compared), over the `with_path`
    runs that did anything."""

    who: Literal["all", "people", "others"]
    runs: int
    tasks: int
    places: int
    goals_per_place: float | None = None
    words: float | None = None
    vocabulary: int = 0
    distance: float | None = None
    paths: int = 0
    with_path: int = 0
