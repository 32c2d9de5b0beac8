"""JSONL as AgentNet is published: `{"task_id", "instruction", "task_completed", ..., "traj": [{"index", "image",
"value": {"observation", "thought", "action", "code", "last_step_correct", "last_step_redundant", "reflection"}}]}`.

In spite of their names the flags describe the step they stand on. The last step was never judged: its `true`, `false`
and empty reflection are the tool's defaults and unknown here. The tool also ends every run with a success, so that a
final status counts only where `task_completed` says the same. Pictures lie beside the file or in `images/` there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action, Terminate
from curate.model.calls import CodeError
from curate.model.parse import parse
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Score, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.facts import Facts
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, lines_of, rejected
from curate.store.jsonl import BadLine


class Value(msgspec.Struct):
    """What is known of a step; every field may be null or absent."""

    observation: str | None = None
    thought: str | None = None
    action: str | None = None
    code: str | None = None
    last_step_correct: bool | None = None
    last_step_redundant: bool | None = None
    reflection: str | None = None


class Entry(msgspec.Struct):
    """One step."""

    value: Value
    index: int | None = None
    image: str | None = None


class Row(msgspec.Struct):
    """One run."""

    instruction: str
    traj: list[Entry]
    task_id: str | None = None
    natural_language_task: str | None = None
    actual_task: str | None = None
    task_completed: bool | None = None
    alignment_score: float | None = None
    efficiency_score: float | None = None
    task_difficulty: float | None = None
    reason: str | None = None


FACTS = Facts(
    title="AgentNet",
    card="https://huggingface.co/datasets/xlangai/AgentNet",
    space="fraction",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="`task_completed`, a model's judgement; a final status counts only where both say the same.",
    licences={"": "MIT"},
)


class AgentNet:
    """The source `agentnet`."""

    name = "agentnet"
    raw = False
    divisible = True
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSONL whose first readable line is such a run."""
        return is_jsonl(path) and any(_is_row(row) for row in head(path).objects[:1])

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a line is none."""
        decoder = msgspec.json.Decoder(Row)
        beside = Carrier(path.parent, context.media)
        for line in lines_of(path, context):
            if isinstance(line, BadLine):
                yield rejected(context.shown, line.reason, line.detail, None, line.number)
                continue
            row: Row | None = None
            try:
                row = decoder.decode(line.data)
                record = _record(row, line.number, path.parent, context.shown)
                yield Read(trajectory=beside.carry(record))
            except CodeError as error:
                yield rejected(context.shown, error.reason, f"{error}.", _identity(row), line.number)
            except UnreadableError as error:
                yield rejected(context.shown, error.reason, str(error), _identity(row), line.number)
            except msgspec.ValidationError as error:
                yield rejected(context.shown, "validate.schema", f"{error}.", None, line.number)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                yield rejected(context.shown, "read.json", f"{error}.", None, line.number)


def _is_row(row: dict[str, Any]) -> bool:
    steps = row.get("traj")
    return isinstance(row.get("instruction"), str) and isinstance(steps, list) and "schema" not in row


def _identity(row: Row | None) -> str | None:
    return f"agentnet:{row.task_id}" if row is not None and row.task_id else None


def _record(row: Row, line: int, folder: Path, shown: str) -> Trajectory:
    wordings = {"natural_language_task": row.natural_language_task, "actual_task": row.actual_task}
    return Trajectory(
        id=_identity(row) or f"agentnet:{line}",
        source=Origin(name="agentnet", id=row.task_id, file=shown, line=line, importer="agentnet@1"),
        instruction=row.instruction,
        wordings={name: text for name, text in wordings.items() if text},
        actor=Actor(kind="human"),
        steps=_steps(row, folder),
        outcome=Outcome(
            completed=row.task_completed,
            by=None if row.task_completed is None else "model",
            reason=row.reason or None,
        ),
        scores=list(_scores(row)),
    )


def _steps(row: Row, folder: Path) -> list[Step]:
    steps: list[Step] = []
    pointer: tuple[float, float] | None = None
    for position, entry in enumerate(row.traj):
        value, last = entry.value, position == len(row.traj) - 1
        try:
            actions = parse(value.code, at=pointer) if value.code else []
        except CodeError as error:
            error.args = (f"Step {position}: {error}",)
            raise
        pointer = _last_point(actions) or pointer
        actions = [_honest(action, row.task_completed) for action in actions]
        steps.append(
            Step(
                index=position if entry.index is None else entry.index,
                image=_beside(entry.image, folder),
                observation=value.observation or None,
                thought=value.thought or None,
                action=value.action or None,
                actions=actions,
                code=code_of(actions),
                correct=None if last else value.last_step_correct,
                redundant=None if last else value.last_step_redundant,
                reflection=None if last else value.reflection or None,
            )
        )
    return steps


def _honest(action: Action, completed: bool | None) -> Action:
    """A final status that the run's own outcome bears out, else an unknown one."""
    if isinstance(action, Terminate) and (completed is None or completed != (action.status == "success")):
        return Terminate()
    return action


def _last_point(actions: list[Action]) -> tuple[float, float] | None:
    for action in reversed(actions):
        x, y = getattr(action, "x", None), getattr(action, "y", None)
        if isinstance(x, float) and isinstance(y, float):
            return x, y
    return None


def _beside(image: str | None, folder: Path) -> str | None:
    if image and "/" not in image and "\\" not in image and (folder / "images").is_dir():
        return f"images/{image}"
    return image or None


def _scores(row: Row) -> Iterator[Score]:
    for name, value, higher in (
        ("alignment", row.alignment_score, True),
        ("efficiency", row.efficiency_score, True),
        ("difficulty", row.task_difficulty, False),
    ):
        if value is not None:
            yield Score(name=name, value=value, min=0, max=10, higher_is_better=higher, by="agentnet")


SOURCE = AgentNet()
