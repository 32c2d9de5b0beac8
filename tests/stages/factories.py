"""Small records for the tests of stages. Every field can be set; what is not set is unknown."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from curate.model.actions import Action, Click, Scroll, Terminate, Wait, Write
from curate.model.arrow import to_table
from curate.model.trajectory import Actor, Element, Origin, Outcome, Span, Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext, Stage

CONTEXT = MeasureContext(media_root=Path())


def step(index: int, *actions: Action, name: str | None = None, **fields: Any) -> Step:
    """A step; `name` is the name of the button it acts on."""
    element = Element(role="button", name=name) if name else None
    return Step(index=index, actions=list(actions), element=element, **fields)


def press_button(index: int, name: str, **fields: Any) -> Step:
    """A click on the button of that name (its point says nothing)."""
    return step(index, Click(x=0.5, y=0.5), name=name, **fields)


def said(index: int, words: str, **fields: Any) -> Step:
    """A step that has words and no typed action, as the lesson's records."""
    return step(index, action=words, **fields)


def _timed(step: Step, started: int) -> Step:
    span = Span(start=started + step.index, end=started + step.index + 0.5)
    return step if step.time else msgspec.structs.replace(step, time=span)


def run(id: str, steps: list[Step], instruction: str = "Do one thing and then another", **fields: Any) -> Trajectory:
    """A run at a time of its own (no two runs are one recording), unless its steps have times."""
    fields.setdefault("source", Origin(name="test"))
    if isinstance(fields.get("completed", 0), bool | None):
        fields["outcome"] = Outcome(completed=fields.pop("completed"), by="test")
    if "kind" in fields:
        fields["actor"] = Actor(kind=fields.pop("kind"), name="a-1")
    started = zlib.crc32(id.encode()) % 1000
    timed = [_timed(step, started) for step in steps]
    return Trajectory(id=id, steps=timed, instruction=instruction, **fields)


def buttons(
    id: str, names: list[str] | str, instruction: str = "Do one thing and then another", **fields: Any
) -> Trajectory:
    """A run that clicks the buttons of these names; `scroll` and `wait` are themselves."""
    steps = []
    for index, name in enumerate(names):
        if name.startswith("scroll"):
            steps.append(step(index, Scroll(amount=-3)))
        elif name == "wait":
            steps.append(step(index, Wait(seconds=1.0)))
        elif name.startswith("type "):
            steps.append(step(index, Write(text=name[5:])))
        elif name == "end":
            steps.append(step(index, Terminate(status="success")))
        else:
            steps.append(press_button(index, name))
    fields.setdefault("apps", ["shop"])
    return run(id, steps, instruction, **fields)


def measured(
    stage: Stage, records: list[Trajectory], options: Any = None, context: MeasureContext = CONTEXT
) -> pa.Table:
    """The stage's measures of the records, the way the engine takes them (one shard a record for corpus stages)."""
    options = options or stage.options()
    context = msgspec.structs.replace(context, decoded=records)
    if stage.scope == "shard":
        return stage.measure(to_table(records), options, context)
    shards = []
    for part in [[record] for record in records] or [[]]:
        alone = msgspec.structs.replace(context, decoded=part)
        shards.append(stage.project(to_table(part), options, alone))  # type: ignore[attr-defined]
    return stage.measure(pa.concat_tables(shards), options, context)


def decided(
    stage: Stage,
    records: list[Trajectory],
    options: Any = None,
    others: dict[str, pa.Table] | None = None,
    verdicts: dict[str, pa.Table] | None = None,
    alive: list[str] | None = None,
    context: MeasureContext = CONTEXT,
) -> list[dict[str, Any]]:
    """The stage's verdict rows over its measures of the records and, where it reads them, `others`'."""
    options = options or stage.options()
    given = DecisionInput(
        alive=[record.id for record in records] if alive is None else alive,
        measures={stage.name: measured(stage, records, options, context), **(others or {})},
        verdicts=verdicts or {},
    )
    return stage.decide(given, options).to_pylist()


def kept(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows if row["step"] is None and row["verdict"] == "keep"]


def reasons(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Why each run that is out is out."""
    return {row["id"]: row["reason"] for row in rows if row["step"] is None and row["verdict"] != "keep"}
