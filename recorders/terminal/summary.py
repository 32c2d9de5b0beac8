"""What is said of a recording the moment it ends: whether all of it arrived, and where it is."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.store.recording import Outcome, RecordingInfo
from recorders.control.status import clock, size


class Taken(msgspec.Struct, kw_only=True):
    """One recording that ended. `seconds`: its length, pauses included. `kept`: it is still there."""

    folder: Path
    info: RecordingInfo
    seconds: float
    size: int
    kept: bool = True

    def as_json(self) -> dict[str, object]:
        """What `--json` prints."""
        info = self.info
        return {
            "folder": str(self.folder), "id": info.id, "task": info.task, "instruction": info.instruction,
            "kept": self.kept, "ended": info.ended, "seconds": round(self.seconds, 3), "bytes": self.size,
            "counts": msgspec.to_builtins(info.counts), "outcome": msgspec.to_builtins(info.outcome),
            "faults": info.faults, "notes": info.notes,
        }  # fmt: skip


def summary(taken: Taken) -> list[str]:
    """Lines for the terminal."""
    info, counts = taken.info, taken.info.counts
    events, frames = (counts.events, counts.frames) if counts is not None else (0, 0)
    arrived = f"{_count(events, 'event')} and {_count(frames, 'picture')}"
    if info.faults:
        lines = [f"Something went wrong: {arrived} are recorded.", *(f"  ! {fault}" for fault in info.faults)]
    else:
        lines = [f"Everything arrived: {arrived}."]
    late = counts.late_frames if counts is not None else 0
    pace = f"{late:,} of the pictures late" if late else "no picture late"
    lines.append(f"  length {clock(taken.seconds)}   {size(taken.size)}   {pace}")
    if counts is not None and (counts.trees or counts.elements):
        lines.append(f"  {_count(counts.trees, 'accessibility tree')}, {_count(counts.elements, 'element')}")
    lines += [f"  note: {note}" for note in info.notes]
    lines.append(f"  in {taken.folder}")
    if not info.ended:
        lines.append("  It could not be closed; `curate recover` with this folder makes it whole.")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


STATUSES: dict[str, Outcome] = {
    "done": Outcome(status="success"),
    "failed": Outcome(status="failure"),
    "impossible": Outcome(status="impossible"),
}
"""How people say it, and how it is recorded."""
