"""What was taken out, and whether a person has looked at what is left; what reviewers did not agree on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.engine.editing.in_force import in_force
from curate.publish.gate.found import Found, GateRow, at
from curate.publish.kept import Kept
from curate.publish.statements import count as counted
from curate.store.edits import edits_folder, read_edits

REDACTED, DISAGREEMENT = "redactions.unreviewed", "edits.disagreement"
_FLAG = "redacted"


class Redactions:
    """Steps that redaction changed, against the edits beside the run: any decision or note of a person about the step,
    or about the whole run, says that it was looked at."""

    def __init__(self, found: Found, run: Path, report: dict[str, Any]) -> None:
        self._found = found
        self._redacted = 0
        folder = edits_folder(run)
        held = in_force(read_edits([folder])) if folder.is_dir() else None
        self._seen = {(edit.id, edit.step) for edit in (*held.edits, *held.disputed)} if held is not None else set()
        for one in held.disagreements if held is not None else ():
            sides = ", ".join(f"{side.by}: {side.value}" for side in one.sides)
            found.add(DISAGREEMENT, GateRow(id=one.id, step=one.step, what=f"{one.kind} ({sides})"))
        self._applied(report.get("edits") or {})

    def _applied(self, edits: dict[str, Any]) -> None:
        """Disagreements among the edits that the run was made with, as its report counts them."""
        told = edits.get("disagreements") or 0
        count = told if isinstance(told, int) else len(told)
        more = count - self._found.count(DISAGREEMENT)
        if more > 0:
            row = GateRow(file="edits_left_out.jsonl", what="the run's own list of what was not followed")
            self._found.add(DISAGREEMENT, row, times=more)

    def add(self, kept: Kept) -> None:
        """The next run."""
        for step in kept.record.steps:
            if _FLAG in step.flags:
                self._redacted += 1
                if not {(kept.record.id, step.index), (kept.record.id, None)} & self._seen:
                    self._found.add(REDACTED, at(kept, "something was taken out here", step.index))

    def finish(self) -> None:
        """Totals."""
        steps = counted(self._found.count(REDACTED), "step")
        told = f"Something was taken out of {steps}, and nobody has looked whether all of it is gone."
        self._found.say(REDACTED, told, self._redacted)
