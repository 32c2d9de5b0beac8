"""AgentNet as it is published, JSONL (or a list of the same rows): `{"task_id", "instruction", "task_completed", ...,
"traj": [{"index", "image", "value": {"observation", "thought", "action", "code", "last_step_correct",
"last_step_redundant", "reflection"}}]}`.

In spite of their names the flags describe the step they stand on. The last step was never judged: its `true`, `false`
and empty reflection are the tool's defaults and unknown here. The tool also ends every run with a success, so that a
final status counts only where `task_completed` says the same. Pictures lie beside the file, in `images/` there, or in
archives (`images.zip`, `.z01`, ...). What system a run was recorded on, and the screen's size, is in
`meta_data_merged.jsonl` beside the file; the Ubuntu file tells its system by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Platform, Score, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.endings import borne_out
from curate.sources.common.facts import Facts
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import rejected
from curate.sources.common.row_files import first_row, is_json_rows, row_lines
from curate.sources.common.step_numbers import GAP, gaps, rising
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.agentnet_metadata import known_of
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
    domain: str | None = None


FACTS = Facts(
    title="AgentNet",
    card="https://huggingface.co/datasets/xlangai/AgentNet",
    space="fraction",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="`task_completed`, a model's judgement; a final status counts only where both say the same.",
    licences={"": "MIT"},
    faults=(
        "Every run ends with `terminate(status='success')`, failed ones too: a status that `task_completed` does not "
        "bear out is unknown.",
        "`last_step_correct`, `last_step_redundant` and `reflection` describe the step they stand on; of the last step "
        "they are the tool's defaults and unknown.",
        "Some task ids occur twice: later ones get a number.",
        "A coordinate outside [0, 1], or keys that are prose, refuse the run. Points at the very edge may have been "
        "clamped there by the publisher.",
        "Annotators took steps out: where the numbers jump, the step is flagged `step_gap`.",
        "Pictures are frames of a video and may have another size than the recorded screen, which the fractions are "
        "parts of.",
        "Trees and videos that the paper names are not published.",
    ),
    companions=("meta_data_merged.jsonl", "*/meta_data_merged.jsonl"),
)


class AgentNet:
    """The source `agentnet`."""

    name = "agentnet"
    raw = False
    divisible = True
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row is such a run."""
        return is_json_rows(path) and _is_row(first_row(path))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a line is none."""
        decoder = msgspec.json.Decoder(Row)
        pictures, conventions = Carrier(path.parent, context), Conventions(FACTS, context)
        for line in row_lines(path, context):
            if isinstance(line, BadLine):
                yield rejected(context.shown, line.reason, line.detail, None, line.number)
                continue
            row: Row | None = None
            try:
                row = decoder.decode(line.data)
                record = _record(row, path, conventions)
                record.source = _origin(row, line.number, context.shown, conventions)
                record.id = _identity(row) or f"agentnet:{line.number}"
                yield Read(trajectory=pictures.carry(record))
            except TROUBLE as error:
                yield refused(error, context.shown, _identity(row), line.number)


def _is_row(row: dict[str, Any]) -> bool:
    steps = row.get("traj")
    return isinstance(row.get("instruction"), str) and isinstance(steps, list) and "schema" not in row


def _identity(row: Row | None) -> str | None:
    return f"agentnet:{row.task_id}" if row is not None and row.task_id else None


def _origin(row: Row, line: int, shown: str, conventions: Conventions) -> Origin:
    return Origin(
        name="agentnet", id=row.task_id, file=shown, line=line, license=conventions.license(), url=FACTS.card,
        importer="agentnet@2",
    )  # fmt: skip


def _record(row: Row, path: Path, conventions: Conventions) -> Trajectory:
    """The record without its id and origin."""
    wordings = {"natural_language_task": row.natural_language_task, "actual_task": row.actual_task}
    known = known_of(path, row.task_id)
    platform: Platform | None = known.platform or conventions.options.platform
    if platform is None and (row.domain is not None or "ubuntu" in path.name.lower()):
        platform = "linux"  # only the Ubuntu file has domains
    steps = _steps(row, path.parent, Coded(conventions, row.task_id or "", platform))
    for step in steps:
        step.screen = known.screen
    final = set_moments(steps, conventions)
    return Trajectory(
        id="",
        source=Origin(name="agentnet"),
        instruction=row.instruction,
        wordings={name: text for name, text in wordings.items() if text},
        actor=Actor(kind="human"),
        platform=platform,
        apps=list(known.apps),
        steps=steps,
        final_image=final,
        outcome=Outcome(
            completed=row.task_completed,
            by=None if row.task_completed is None else "model",
            reason=row.reason or None,
        ),
        scores=list(_scores(row)),
    )


def _steps(row: Row, folder: Path, coded: Coded) -> list[Step]:
    numbers = [entry.index for entry in row.traj]
    steps: list[Step] = []
    places = zip(row.traj, rising(numbers), gaps(numbers), strict=True)
    for position, (entry, index, gap) in enumerate(places):
        value, last = entry.value, position == len(row.traj) - 1
        acted = coded.step(value.code, position, Around(words=value.action)) if value.code else Framed([], [])
        actions = [borne_out(action, row.task_completed) for action in acted.actions]
        steps.append(
            Step(
                index=index,
                image=beside(folder, entry.image),
                observation=value.observation or None,
                thought=value.thought or None,
                action=value.action or None,
                actions=actions,
                code=code_of(actions),
                correct=None if last else value.last_step_correct,
                redundant=None if last else value.last_step_redundant,
                reflection=None if last else value.reflection or None,
                flags=sorted({*acted.flags, *([GAP] if gap else [])}),
            )
        )
    return steps


def _scores(row: Row) -> Iterator[Score]:
    for name, value, higher in (
        ("alignment", row.alignment_score, True),
        ("efficiency", row.efficiency_score, True),
        ("difficulty", row.task_difficulty, False),
    ):
        if value is not None:
            yield Score(name=name, value=value, min=0, max=10, higher_is_better=higher, by="agentnet")


SOURCE = AgentNet()
