"""What people say of the data: read of all reviewers, and stored of the one who looks, in files beside the data
(`store/edits.py`)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.editing.in_force import in_force
from curate.model.edits import OF_STEPS, REVIEWER, Edit, fingerprint
from curate.model.errors import CurateError, InputError, StoreError, UsageError
from curate.store.edits import edits_file, edits_folder, find_edits, read_edits, utc_now
from curate.view.review.data import ReviewData
from curate.view.review.raw_events import step_of


class RefusedError(CurateError):
    """An edit that is not stored; the message is the sentence that the page shows."""


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends of an edit."""

    id: str
    kind: str
    step: int | None = None
    value: Any = None
    of: str | None = None
    undoes: int | None = None


def checked_name(by: str) -> str:
    """A reviewer's name that can name a file. Raises UsageError."""
    if not re.fullmatch(REVIEWER, by):
        raise UsageError(
            "--by is 1 to 40 small letters, digits, - or _ (a name you choose; it names your edits' file)."
        )
    return by


def why_read_only(data: ReviewData) -> str | None:
    """Why edits cannot be stored; None where they can."""
    folder = edits_folder(data.root)
    if folder.exists() and not folder.is_dir():
        return f"Edits cannot be stored: {folder.name} beside the data is no folder."
    if os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        return None
    return "The data is in a folder that cannot be written to: edits cannot be stored beside it."


def the_edits(data: ReviewData) -> dict[str, Any]:
    """`edits` of the page (docs/view.md). Raises InputError for a file that cannot be read, with its line."""
    folder = edits_folder(data.root)
    told: list[str] = []
    try:
        found = read_edits([folder], told.append) if folder.is_dir() and _has_any(folder) else []
    except InputError as error:
        raise InputError(_without_place(str(error), folder)) from error
    told = [_without_place(sentence, folder) for sentence in told]
    return {"edits": found, "disagreements": in_force(found).disagreements, "told": told}


def store_edit(data: ReviewData, by: str, body: bytes) -> Edit:
    """Store what the page sends. Raises RefusedError for what is no edit of this data as it is, and where the
    disk refuses."""
    why = why_read_only(data)
    if why is not None:
        raise RefusedError(why)
    edit = _edit(body, by)
    seen = _fingerprint_now(data, edit)
    if edit.of is not None and seen is not None and edit.of != seen:
        raise RefusedError("The record is no longer what you saw: reload the page, and look at it again.")
    try:
        stored = edits_file(edits_folder(data.root), by).append(msgspec.structs.replace(edit, of=edit.of or seen))
    except (InputError, StoreError) as error:
        raise RefusedError(_without_place(str(error), edits_folder(data.root))) from error
    return stored


def _edit(body: bytes, by: str) -> Edit:
    try:
        asked = msgspec.json.decode(body, type=_Asked)
        plain = {**msgspec.structs.asdict(asked), "number": 1, "by": by, "at": utc_now()}
        return msgspec.convert(plain, Edit)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise RefusedError(f"This is no edit: {error}.") from error


def _fingerprint_now(data: ReviewData, edit: Edit) -> str | None:
    """What the record is like now, that an edit speaks of. Undoing speaks of an edit: its record need not be there."""
    position = data.position(edit.id)
    if position is None:
        if edit.kind == "undo":
            return None
        raise RefusedError("There is no such trajectory in this data.")
    record = data.record(position)
    if edit.kind in OF_STEPS and edit.step is not None:
        step_of(record, edit.step)
    return fingerprint(record)


def _has_any(folder: Path) -> bool:
    try:
        return bool(find_edits([folder]))
    except InputError:
        return False


def _without_place(sentence: str, folder: Path) -> str:
    """Only the file's name is shown on a page."""
    return sentence.replace(f"{folder}{os.sep}", "").replace(str(folder), folder.name)
