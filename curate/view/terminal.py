"""A record as a person reads it in a terminal. Recorded text is hostile: control characters, which could move the
cursor or retitle the window, are shown as escapes."""

from __future__ import annotations

from collections.abc import Iterator

from curate.model.printed import printable
from curate.model.render import code_of
from curate.model.trajectory import Step, Trajectory

_WIDTH = 100  # of a line of recorded text; the code of a step is never cut


def record_lines(record: Trajectory) -> Iterator[str]:
    """The record as lines: what it is, then each step with its time, words, code and flags."""
    yield printable(record.id)
    yield f"  {printable(record.instruction, 3 * _WIDTH) or '(no instruction)'}"
    yield f"  {' · '.join(_facts(record))}"
    for step in record.steps:
        yield from _step_lines(step)
    yield ""


def _facts(record: Trajectory) -> Iterator[str]:
    completed = {True: "completed", False: "not completed", None: "outcome unknown"}[record.outcome.completed]
    yield completed + (f" (by {printable(record.outcome.by)})" if record.outcome.by else "")
    yield record.platform or "platform unknown"
    pictures = sum(step.image is not None for step in record.steps)
    yield f"{len(record.steps)} steps, {pictures} pictures"
    if record.apps:
        yield printable(", ".join(record.apps), _WIDTH)
    origin = record.source
    place = f"{origin.file}:{origin.line}" if origin.file and origin.line else origin.file
    yield printable(f"from {origin.name}" + (f" ({place})" if place else ""), _WIDTH)


def _step_lines(step: Step) -> Iterator[str]:
    time = f"{step.time.start:8.2f} s" if step.time else " " * 10
    marks = [name for name, value in (("wrong", step.correct is False), ("redundant", step.redundant)) if value]
    yield f"  {step.index:>3} {time}  {printable(step.action or '(no words)', _WIDTH)}"
    indent = " " * 18
    for line in (step.code or code_of(step.actions) or "(no code)").splitlines():
        yield f"{indent}{printable(line)}"
    notes = [*marks, *(flag for flag in step.flags if flag != "words_generated")]
    if notes:
        yield f"{indent}[{printable(', '.join(notes))}]"
    if step.image:
        yield f"{indent}{printable(step.image)}"
