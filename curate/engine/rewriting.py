"""Rewrites records as they are read, some at a time: a stage that can tell at once of which nothing needs doing, by a
look over columns of their steps, goes through the others alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from curate.engine.plan import rewriting
from curate.engine.recipe import Recipe
from curate.model.arrow import may_be_too_wide, too_wide
from curate.model.constants import HANDFUL_RECORDS, HANDFUL_STEPS
from curate.model.errors import CurateError, GateError
from curate.model.rejected import Rejected
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory
from curate.sources.base import Read
from curate.stages.base import MeasureContext, Rewrites, SettlesMany

_TOO_WIDE = "A whole number is beyond 64 bits, which no table holds; none that a record needs is that large."


class Refused(NamedTuple):
    """A record as far as it came, and why it goes no further: a code of `model.reasons` and a sentence."""

    record: Trajectory
    reason: str
    detail: str


class Rewriting:
    """What the stages of a recipe make of records."""

    def __init__(self, recipe: Recipe, context: MeasureContext) -> None:
        # asked once: whether an object has the methods of a protocol takes longer than many a record
        self._stages = [
            (stage, recipe.options[stage.name], stage if isinstance(stage, SettlesMany) else None)
            for stage in rewriting(recipe)
        ]
        self._context = context

    def rewritten(self, records: Sequence[Trajectory]) -> list[Trajectory | Refused]:
        """Each record as it is kept (the one given, which may be changed, or another), or why it is not."""
        made: list[Trajectory | Refused] = list(records)
        steps, settled = Steps(records), [True] * len(made)
        changed: set[int] = set()
        for number, (stage, options, settles) in enumerate(self._stages):
            if number:
                steps = _steps_of(made)
            settled = _settled(settles, options, steps) if len(steps.records) == len(made) else [False] * len(made)
            for row, done in enumerate(settled):
                one = made[row]
                if not done and not isinstance(one, Refused):
                    made[row] = self._one(stage, options, one)
                    changed.add(row)
        if may_be_too_wide(steps) or (changed and may_be_too_wide(_steps_of([made[row] for row in changed]))):
            made = [one if isinstance(one, Refused) or not too_wide(one) else _wide(one) for one in made]
        return made

    def _one(self, stage: Rewrites, options: Any, record: Trajectory) -> Trajectory | Refused:
        try:
            return stage.rewrite(record, options, self._context)
        except GateError as error:
            return Refused(record, "redact.not_removed", str(error))
        except (CurateError, MemoryError):
            raise
        except Exception as error:
            return Refused(record, "read.error", f"{stage.name}: {type(error).__name__}: {error}")


def _steps_of(made: Sequence[Trajectory | Refused]) -> Steps:
    return Steps([one for one in made if not isinstance(one, Refused)])


def _settled(stage: SettlesMany | None, options: Any, steps: Steps) -> list[bool]:
    """Which of the records are as the stage rewrites them. Where it fails on one, none: then each is rewritten by
    itself, and which one it is comes out."""
    if stage is not None:
        try:
            return stage.settle(steps, options)
        except (CurateError, MemoryError):
            raise
        except Exception:
            pass  # each record is rewritten by itself now, and the one it fails on is told there
    return [False] * len(steps.records)


def _wide(record: Trajectory) -> Refused:
    return Refused(record, "validate.schema", _TOO_WIDE)


def handfuls(items: Iterable[Read | Rejected]) -> Iterator[list[Read | Rejected]]:
    """The items in order, some at a time. A record with pictures ends a handful: what looks at them finds them at
    hand."""
    some: list[Read | Rejected] = []
    steps = 0
    for item in items:
        some.append(item)
        pictured = False
        if isinstance(item, Read):
            steps += len(item.trajectory.steps)
            pictured = any(step.image is not None for step in item.trajectory.steps)
        if pictured or steps >= HANDFUL_STEPS or len(some) >= HANDFUL_RECORDS:
            yield some
            some, steps = [], 0
    if some:
        yield some
