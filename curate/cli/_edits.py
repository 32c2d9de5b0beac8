"""What `curate show --edits` does: what reviewers decided of a dataset or run, on what they disagree, and what a run
that was made with edits left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.cli._say import next_command, result, result_json, say
from curate.engine.editing.in_force import Disagreement, in_force
from curate.model.edits import Edit
from curate.model.printed import printable, quoted
from curate.model.rejected import EditLeftOut
from curate.store.edits import edits_folder, has_edits, read_edits
from curate.store.run_folder import RunFolder


def show_edits(folder: Path, ids: Collection[str], as_json: bool) -> None:
    """Disagreements first, then edits in force by record, then what the run left out."""
    beside, shown = edits_folder(folder), 0
    for what, row in _rows(folder, beside):
        if not ids or row.id in ids:
            shown += 1
            result_json({"what": what, **msgspec.to_builtins(row)}) if as_json else result(_sentence(what, row))
    if not shown:
        say(f"No edit is about these: {', '.join(map(printable, ids))}." if ids else
            f"Nobody has decided anything: {beside} holds no edits.")  # fmt: skip
    if not as_json:
        next_command(f"curate run INPUT... --edits {quoted(beside)}" if shown else f"curate view {quoted(folder)}")


def _rows(folder: Path, beside: Path) -> Iterator[tuple[str, Edit | EditLeftOut | Disagreement]]:
    held = in_force(read_edits([beside], say) if has_edits(beside) else [])
    yield from (("disagreement", one) for one in held.disagreements)
    yield from (("edit", edit) for edit in sorted(held.edits, key=lambda e: (e.id, e.step or 0, e.by, e.number)))
    run = RunFolder(folder)
    yield from (("left out", row) for row in (run.read_edits_left_out() if run.edits_left_out.is_file() else ()))


def _sentence(what: str, row: Edit | EditLeftOut | Disagreement) -> str:
    where = printable(row.id) + ("" if row.step is None else f" step {row.step}")
    if isinstance(row, Disagreement):
        sides = ", ".join(f"{side.by} says {_value(side.value)}" for side in row.sides)
        return f"{where}: disagreement on {row.kind}: {sides}"
    said = f"{where}: {row.kind}" + ("" if row.value is None and row.kind == "cut" else f" {_value(row.value)}")
    why = f"; left out: {row.reason}" if isinstance(row, EditLeftOut) else ""
    return f"{said} by {row.by} ({row.at}){why}"


def _value(value: Any) -> str:
    return printable(msgspec.json.encode(value).decode(), 80)
