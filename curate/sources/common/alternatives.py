"""Other actions for a step that its source names besides the one that was done: a step of a record has one action, so
they stand in `lineage`, a line each, and their step is flagged `alternatives`. `wordings` is no place for them: leaks
and near-copies read it as what the task is called; and a score is a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from curate.model.actions import Action
from curate.model.render import code_of
from curate.model.trajectory import Step
from curate.sources.common.trouble import TROUBLE

FLAG = "alternatives"
_CHARACTERS = 400  # of one that lineage shows: a thought and its action have some 300


def told(source: str, step: Step, texts: Sequence[str], read: Callable[[str], Iterable[Action]], by: str) -> list[str]:
    """A line of lineage for each of `texts`, and the flag on the step. `read`: the actions of a text, in the record's
    frame; one that it cannot read is told as it stands. `by`: whose they are, in words."""
    lines = []
    for text in texts:
        try:
            said = code_of(list(read(text)))
        except TROUBLE:
            said = None
        shown = "; ".join((said or text).split("\n"))[:_CHARACTERS]
        lines.append(f"{source}: step {step.index}, {by}: {shown}")
    if lines:
        step.flags = sorted({*step.flags, FLAG})
    return lines
