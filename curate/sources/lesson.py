"""JSONL of the lesson's own runs: `{"instruction", "app", "ok", "steps": [{"action", "image"}]}`.

Actions are words ("tap Settings"), so `actions` stays empty and near-copies compare the words. Pictures that lie beside
the file become media; the lesson's own six runs name pictures that nobody has: those names stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.trajectory import Origin, Outcome, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.reading import lines_of, rejected
from curate.store.jsonl import BadLine
from curate.store.paths import PathError, inside


class LessonStep(msgspec.Struct):
    """A step: words, and the picture seen before it. `correct` and `redundant` describe the step itself."""

    action: str
    image: str | None = None
    correct: bool | None = None
    redundant: bool | None = None


class LessonRun(msgspec.Struct):
    """A run; `ok`: whether the judge passed it."""

    instruction: str
    steps: list[LessonStep]
    app: str | None = None
    ok: bool | None = None


class Lesson:
    """The source `lesson`."""

    name = "lesson"
    raw = False
    divisible = True
    facts = None

    def recognise(self, path: Path) -> bool:
        """JSONL whose first readable lines are the lesson's runs."""
        return is_jsonl(path) and any(_is_run(run) for run in head(path).objects[:1])

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a line is none."""
        decoder = msgspec.json.Decoder(LessonRun)
        for line in lines_of(path, context):
            if isinstance(line, BadLine):
                yield rejected(context.shown, line.reason, line.detail, None, line.number)
                continue
            try:
                run = decoder.decode(line.data)
                yield Read(trajectory=_record(run, line.number, path.parent, context))
            except PathError as error:
                yield rejected(context.shown, "read.path_refused", str(error), None, line.number)
            except msgspec.ValidationError as error:
                yield rejected(context.shown, "validate.schema", f"{error}.", None, line.number)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                yield rejected(context.shown, "read.json", f"{error}.", None, line.number)


def _is_run(run: dict[str, Any]) -> bool:
    steps = run.get("steps")
    if "schema" in run or "source" in run or not isinstance(run.get("instruction"), str) or not isinstance(steps, list):
        return False
    return bool(steps) and isinstance(steps[0], dict) and isinstance(steps[0].get("action"), str)


def _record(run: LessonRun, line: int, folder: Path, context: ReadContext) -> Trajectory:
    return Trajectory(
        id=f"lesson:{line}",
        source=Origin(name="lesson", file=context.shown, line=line, importer="lesson@1"),
        instruction=run.instruction,
        apps=[run.app] if run.app else [],
        steps=[
            Step(
                index=index,
                image=_picture(step.image, folder, context),
                action=step.action,
                actions=[],
                correct=step.correct,
                redundant=step.redundant,
            )
            for index, step in enumerate(run.steps)
        ],
        outcome=Outcome(completed=run.ok, by=None if run.ok is None else "source"),
    )


def _picture(name: str | None, folder: Path, context: ReadContext) -> str | None:
    if name is None:
        return None
    path = inside(folder, name)
    return context.media.add_file(path) if path.is_file() else name


SOURCE = Lesson()
