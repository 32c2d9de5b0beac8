"""What is said of a recording the moment it ends: whether all of it arrived, and where it is."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.model.printed import printable
from curate.store.recording import HiddenReason, Outcome, RecordingInfo
from recorders.control.status import clock, size

UNRECORDED = ("Ended while", "Paused for", "Private for")
"""How notes begin that are told right after the first line."""
_TIMES = {1: "once", 2: "twice"}
WHY: dict[HiddenReason, str] = {
    "password": "a password field",
    "unknown_focus": "keys that may have gone to one",
    "private": "what was private",
    "excluded": "what is excluded",
    "redacted": "what was taken out",
}


class Taken(msgspec.Struct, kw_only=True):
    """One recording that ended. `seconds`: its length, pauses included. `kept`: it is still there. `hidden`: how often
    something was kept out and why; how much is nobody's business."""

    folder: Path
    info: RecordingInfo
    seconds: float
    size: int
    kept: bool = True
    hidden: dict[HiddenReason, int] = {}

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
        lines = [
            f"Something went wrong: {arrived} are recorded.",
            *(f"  ! {printable(fault)}" for fault in info.faults),
        ]
    else:
        lines = [f"Everything arrived: {arrived}."]
    lines += [f"  {printable(note)}" for note in info.notes if note.startswith(UNRECORDED)]
    late = counts.late_frames if counts is not None else 0
    pace = f"{_count(late, 'picture')} later than the rate asked for" if late else "no picture late"
    lines.append(f"  length {clock(taken.seconds)}   {size(taken.size)}   {pace}")
    if counts is not None and (counts.trees or counts.elements):
        lines.append(f"  {_count(counts.trees, 'accessibility tree')}, {_count(counts.elements, 'element')}")
    hidden = [f"{_TIMES.get(count, f'{count} times')} {WHY[reason]}" for reason, count in taken.hidden.items()]
    lines += [f"  Kept out: {', '.join(hidden)}"] if hidden else []
    lines += [f"  note: {printable(note)}" for note in info.notes if not note.startswith(UNRECORDED)]
    lines.append(f"  in {printable(str(taken.folder))}")
    if not info.ended:
        lines.append("  It could not be closed; `curate recover` with this folder makes it whole.")
    return lines


def interrupted(kept: int, of_a_list: bool) -> str:
    """What is true after Ctrl-C at a question."""
    what = "nothing was kept" if not kept else "what was recorded is kept"
    return f"Interrupted: {what}.{' The same command goes on with the tasks that are left.' if of_a_list else ''}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


STATUSES: dict[str, Outcome] = {
    "done": Outcome(status="success"),
    "failed": Outcome(status="failure"),
    "impossible": Outcome(status="impossible"),
}
"""How people say it, and how it is recorded."""
