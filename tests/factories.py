"""Records for tests: `make_trajectory()` gives a valid one, every argument changes one thing about it.

The records are made, not recorded: tests of what a person's screen does use the shipped recordings instead.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from curate.model.actions import Action, Click, Press, Scroll, Write
from curate.model.trajectory import (
    Actor,
    ActorKind,
    Element,
    Origin,
    Outcome,
    Platform,
    Screen,
    Span,
    Step,
    Trajectory,
    encode,
)

Does = str | Action | Sequence[Action]
"""What a step does: actions, or words in short form (see `action_of`)."""


def action_of(does: Does) -> list[Action]:
    """Actions from a short form: "click Save" (at a point that follows from the name), "write hello",
    "press enter", "scroll -3"; an action or a list of actions stands for itself."""
    if not isinstance(does, str):
        return [does] if not isinstance(does, Sequence) else list(does)
    verb, _, rest = does.partition(" ")
    match verb:
        case "write":
            return [Write(text=rest)]
        case "press":
            return [Press(key=rest)]
        case "scroll":
            return [Scroll(amount=float(rest))]
        case _:
            x, y = _place(rest)
            return [Click(x=x, y=y)]


def _place(name: str) -> tuple[float, float]:
    """A point that is always the same for a name (crc32, for Python's own hash changes from run to run)."""
    code = zlib.crc32(name.encode())
    return (code % 9001 + 500) / 10000, (code // 9001 % 9001 + 500) / 10000


def make_step(index: int, does: Does = "click Save", **changes: Any) -> Step:
    """One step. "click NAME" gets an element of that name around its point."""
    element = None
    if isinstance(does, str) and does.startswith("click "):
        x, y = _place(does[6:])
        left, top, right, bottom = (round(v, 4) for v in (x - 0.01, y - 0.01, x + 0.01, y + 0.01))
        element = Element(role="button", name=does[6:], box=(left, top, right, bottom))
    fields: dict[str, Any] = {
        "index": index,
        "actions": action_of(does),
        "action": does if isinstance(does, str) else None,
        "screen": Screen(width=1280, height=720, scale=1.0),
        "element": element,
        "time": Span(start=index * 2.0, end=index * 2.0 + 0.1),
    }
    return Step(**(fields | changes))


def make_trajectory(
    id: str = "made:1",
    does: Iterable[Does] = ("click File", "click Export", "write report.pdf", "press enter", "click Close"),
    *,
    instruction: str = "Export the quarterly budget as a report",
    app: str | None = "notes",
    site: str | None = None,
    actor: ActorKind | None = "program",
    completed: bool | None = True,
    platform: Platform | None = "linux",
    steps: list[Step] | None = None,
    **changes: Any,
) -> Trajectory:
    """A valid record: five steps in the app "notes", completed, made by a program, without pictures."""
    fields: dict[str, Any] = {
        "id": id,
        "source": Origin(name="made", id=id.partition(":")[2] or id, license="CC0-1.0", importer="factory@1"),
        "instruction": instruction,
        "actor": Actor(kind=actor, name="factory"),
        "platform": platform,
        "apps": [app] if app else [],
        "sites": [site] if site else [],
        "steps": steps if steps is not None else [make_step(k, what) for k, what in enumerate(does)],
        "outcome": Outcome(completed=completed, by="program"),
    }
    return Trajectory(**(fields | changes))


def write_records(path: Path, records: Iterable[Trajectory | bytes | str]) -> Path:
    """A JSONL file of records, or of raw lines as they are (for broken ones)."""
    lines = [r if isinstance(r, bytes) else r.encode() if isinstance(r, str) else encode(r) for r in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def png(width: int = 64, height: int = 36, shade: int = 90) -> bytes:
    """A real PNG picture: grey stripes, so that it is neither blank nor all one colour."""
    rows = b"".join(
        b"\0" + bytes((shade + 40 * ((x // 8 + y // 8) % 2)) % 256 for x in range(width)) for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
