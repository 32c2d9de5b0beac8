"""The steps of some records side by side, as columns. What is asked of every step is asked of a column: that costs some
thirtieth of a microsecond a step where a function of the step costs a third, and a run of a corpus is in nothing but
such questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import chain, pairwise, repeat
from operator import is_
from typing import Any, TypeVar, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from curate.model.actions import POINTED, Action, Pointed
from curate.model.trajectory import Step, Trajectory

T = TypeVar("T")
_AT_ONCE = 256  # structs
KINDS: tuple[type, ...] = get_args(Action)
"""The kinds of actions; `Steps.kinds` are places in it."""

_NUMBER: dict[type, int] = {kind: number for number, kind in enumerate(KINDS)}


def is_kind(*kinds: type) -> NDArray[np.bool_]:
    """For each of KINDS whether it is one of these: to be indexed with `Steps.kinds`."""
    return np.array([kind in kinds for kind in KINDS])


_POINTED = is_kind(*POINTED)


def fields_together(cls: type[msgspec.Struct], values: Sequence[Any]) -> dict[str, list[Any]]:
    """The fields of structs of one kind as columns. Each struct is gone to once: fetching it out of the memory is what
    costs, so some are taken at a time, which stay in the processor's caches meanwhile."""
    columns: dict[str, list[Any]] = {name: [] for name in cls.__struct_fields__}
    for first in range(0, len(values), _AT_ONCE):
        rows = map(msgspec.structs.astuple, values[first : first + _AT_ONCE])
        for column, some in zip(columns.values(), zip(*rows, strict=True), strict=True):
            column += some
    return columns


class Steps:
    """The steps of `records` in order, which must not change meanwhile."""

    def __init__(self, records: Sequence[Trajectory]) -> None:
        self.records = records
        self.lengths = [len(record.steps) for record in records]
        self.all: list[Step] = [step for record in records for step in record.steps]
        self._columns: dict[str, list[Any]] = {}
        self._made_once: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.all)

    def of(self, name: str) -> list[Any]:
        """A field of every step."""
        if not self._columns:
            self._columns = fields_together(Step, self.all)
        return self._columns[name]

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each record's steps begin, and where the last one's end."""
        return np.cumsum([0, *self.lengths], dtype=np.int64)

    @cached_property
    def run(self) -> NDArray[np.int64]:
        """By step, the position of its record."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def bounds(self) -> list[tuple[int, int]]:
        """The first step of each record, and the one after its last."""
        return list(pairwise(self.offsets.tolist()))

    def parts(self, column: Sequence[T]) -> list[Sequence[T]]:
        """A column by record."""
        return [column[first:last] for first, last in self.bounds]

    def counted(self, steps: NDArray[Any]) -> list[int]:
        """Of each record, how many of these steps (a mask, or positions) are its."""
        counts: list[int] = np.bincount(self.run[steps], minlength=len(self.lengths)).tolist()
        return counts

    def where(self, name: str, value: Any) -> NDArray[np.bool_]:
        """Which steps have exactly this value (None, True, False) in a field."""
        return self.once(
            (name, value), lambda: np.fromiter(map(is_, self.of(name), repeat(value)), bool, len(self.all))
        )

    def holding(self, name: str) -> NDArray[np.bool_]:
        """Which steps have something in a field: a text or list that is not empty."""
        return self.once(name, lambda: np.fromiter(map(bool, self.of(name)), bool, len(self.all)))

    def once(self, what: Hashable, make: Callable[[], T]) -> T:
        """What several ask of these steps, made once; not to be changed."""
        if what not in self._made_once:
            self._made_once[what] = make()
        made: T = self._made_once[what]
        return made

    @cached_property
    def element_names(self) -> list[str | None]:
        """The name of each step's element; None where there is none."""
        return [None if element is None else element.name for element in self.of("element")]

    @cached_property
    def has_flags(self) -> bool:
        """Whether any step has one."""
        return bool(self.holding("flags").any())

    # --- their actions ---

    @cached_property
    def actions(self) -> list[Action]:
        """The actions of all steps, in order."""
        return list(chain.from_iterable(self.of("actions")))

    @cached_property
    def acted(self) -> NDArray[np.int64]:
        """By action, the position of its step."""
        counts = np.fromiter(map(len, self.of("actions")), np.int64, len(self.all))
        return np.repeat(np.arange(len(self.all)), counts)

    @cached_property
    def kinds(self) -> NDArray[np.int8]:
        """By action, its kind: a place in KINDS."""
        return np.fromiter(map(_NUMBER.__getitem__, map(type, self.actions)), np.int8, len(self.actions))

    @cached_property
    def pointed(self) -> list[Pointed]:
        """The actions at a point."""
        actions: list[Any] = self.actions
        return [actions[place] for place in self.pointed_at.tolist()]

    @cached_property
    def pointed_at(self) -> NDArray[np.int64]:
        """Their places in `actions`."""
        return np.flatnonzero(_POINTED[self.kinds])

    @cached_property
    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Their x and y, NaN where they are null."""
        pointed: list[Any] = self.pointed
        return np.array([one.x for one in pointed], np.float64), np.array([one.y for one in pointed], np.float64)
