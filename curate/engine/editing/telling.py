"""What came of every edit of a run: the numbers of its report, and a line of edits_left_out.jsonl for each edit in
force that was not applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from curate.engine.editing.edited_reading import Told, shard_edits
from curate.engine.editing.in_force import Disagreement, InForce, Matter, matter_of
from curate.engine.editing.planned import PlannedEdits
from curate.engine.report.edit_numbers import EditNumbers
from curate.engine.work import ShardFolder
from curate.model.edits import Edit
from curate.model.rejected import EditLeftOut
from curate.store.atomic import write_jsonl
from curate.store.run_folder import RunFolder


def write_left_out(run: RunFolder, planned: PlannedEdits | None, shards: Iterable[ShardFolder]) -> dict[str, Any]:
    """Write edits_left_out.jsonl; what report.json says of edits. A run without edits has no such file, and
    null in the report. Raises StoreError."""
    if planned is None:
        run.edits_left_out.unlink(missing_ok=True)  # of a run that this one took over
        return {"edits": None}
    told: dict[tuple[str, int], Told] = {}
    records = 0
    for shard in map(shard_edits, shards):
        records += shard.records
        for one in shard.told:
            before = told.get((one.by, one.number))
            if before is None or (before.reason is not None and one.reason is None):
                told[one.by, one.number] = one  # applied anywhere is applied
    held = planned.in_force
    rows = list(_rows(held, told))
    write_jsonl(run.edits_left_out, rows)
    applied = Counter(edit.kind for edit in held.edits if _told(told, edit).reason is None)
    numbers = EditNumbers(
        files=planned.files, read=len(planned.read), in_force=len(held.edits) + len(held.disputed),
        superseded=len(held.superseded), undone=len(held.undone), undos=len(held.undos),
        applied=dict(sorted(applied.items())), left_out=_counted(row.reason for row in rows),
        disagreements=len(held.disagreements), reviewers=_counted(edit.by for edit in planned.read), records=records,
    )  # fmt: skip
    return {"edits": msgspec.to_builtins(numbers)}


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _told(told: dict[tuple[str, int], Told], edit: Edit) -> Told:
    nothing = Told(by=edit.by, number=edit.number, reason="edits.no_record")
    return told.get((edit.by, edit.number), nothing)


def _rows(held: InForce, told: dict[tuple[str, int], Told]) -> Iterator[EditLeftOut]:
    """By record, step and reviewer."""
    disputes: dict[Matter, Disagreement] = {
        (one.id, -1 if one.step is None else one.step, one.kind): one for one in held.disagreements
    }
    disputed = {(edit.by, edit.number) for edit in held.disputed}
    ordered = sorted(
        [*held.edits, *held.disputed], key=lambda e: (e.id, -1 if e.step is None else e.step, e.by, e.number)
    )
    for edit in ordered:
        one = _told(told, edit)
        if (edit.by, edit.number) in disputed:
            sides = _sides(disputes[matter_of(edit)])
            one = Told(by=edit.by, number=edit.number, reason="edits.disagreement", detail=sides)
        if one.reason is not None:
            yield EditLeftOut(
                by=edit.by, number=edit.number, at=edit.at, id=edit.id, step=edit.step, kind=edit.kind,
                value=edit.value, reason=one.reason, detail=one.detail,
            )  # fmt: skip


def _sides(dispute: Disagreement) -> str:
    return "; ".join(f"{side.by}: {msgspec.json.encode(side.value).decode()}" for side in dispute.sides)
