"""Each run as a session of the Hub's own trace view (Session Trace Simple Format), a file each, beside the configs:

    {"type":"session","harness":"cua-curate","id":...,"name":<instruction>}
    {"type":"message","message":{"role":"user","content":<instruction>}}
    {"type":"message","message":{"role":"assistant","content":<the step in words>,"toolCalls":[<an action each>]}}
    {"type":"message","message":{"role":"tool","toolCallId":...,"content":<what was seen then>}}

The format has text alone: of a picture it says the name, under which the config `steps` has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import PUBLISH_TRACES, PUBLISH_TRACES_FOLDER
from curate.model.errors import UsageError
from curate.model.trajectory import Step, Trajectory
from curate.publish.kept import Kept
from curate.store.atomic import write_bytes
from curate.store.published import name_of

FOLDER = "traces"
HARNESS = "cua-curate"
_NAME_CHARS = 200


def trace_path(position: int, split: str) -> str:
    """Where the session of a run goes. Raises UsageError beyond what a repository may hold."""
    if position >= PUBLISH_TRACES:
        raise UsageError(
            f"--traces writes a file for each run, and this is run {position + 1:,}: the Hub takes repositories of "
            f"some {PUBLISH_TRACES:,} files. Publish without --traces."
        )
    return f"{FOLDER}/{split}/{position // PUBLISH_TRACES_FOLDER:03d}/{position:06d}.jsonl"


def write_trace(out: Path, kept: Kept) -> tuple[str, int]:
    """Write the session of a run; its path below the publication, and its lines."""
    path = trace_path(kept.position, kept.split)
    lines = [msgspec.json.encode(line) for line in session(kept.record)]
    write_bytes(out / path, b"".join(line + b"\n" for line in lines))
    return path, len(lines)


def session(record: Trajectory) -> Iterator[dict[str, Any]]:
    """The lines of a session."""
    name = " ".join(record.instruction.split())[:_NAME_CHARS]
    yield {"type": "session", "harness": HARNESS, "id": record.id, "name": name}
    yield _message(role="user", content=record.instruction)
    for at, step in enumerate(record.steps):
        following = record.steps[at + 1].image if at + 1 < len(record.steps) else record.final_image
        yield from _step(step, step.image_after or following, record.actor.name if _is_model(record) else None)


def _is_model(record: Trajectory) -> bool:
    return record.actor.kind == "model"


def _step(step: Step, after: str | None, model: str | None) -> Iterator[dict[str, Any]]:
    calls = []
    for number, action in enumerate(step.actions):
        given = msgspec.to_builtins(action)
        function = {"name": given.pop("type"), "arguments": msgspec.json.encode(given).decode()}
        calls.append({"id": f"{step.index}.{number}", "function": function})
    told = {"content": step.action or "", "reasoningContent": step.thought, "toolCalls": calls or None, "model": model}
    yield _message(role="assistant", **told)
    for call in calls[-1:]:  # what is seen after the last of them
        yield _message(role="tool", toolCallId=call["id"], content=f"picture {name_of(after)}" if after else "")


def _message(**fields: Any) -> dict[str, Any]:
    return {"type": "message", "message": {name: value for name, value in fields.items() if value is not None}}
