"""The edits of a run: read while it is planned, part of what the run is, and written into its work folder for whoever
reads a shard."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.editing.in_force import InForce, in_force
from curate.engine.work import read_marker
from curate.model.edits import Edit, Region
from curate.model.errors import StoreError
from curate.store.atomic import write_json
from curate.store.edits import find_edits, read_edits


class PlannedEdits(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All edits of a run, and how many files they stood in. `told`: sentences on lines that were cut short."""

    files: int
    read: list[Edit]
    told: list[str] = []

    @cached_property
    def in_force(self) -> InForce:
        return in_force(self.read)

    @cached_property
    def key(self) -> str:
        """Hash of all edits: what the reading of records depends on."""
        return _digest(self.read)

    def identity(self) -> dict[str, Any]:
        """What stands in run.json: by reviewer, how many edits, and their hash (of one file: the file's own)."""
        names = sorted({edit.by for edit in self.read})
        own = {name: [edit for edit in self.read if edit.by == name] for name in names}
        return {name: {"edits": len(edits), "sha256": _digest(edits)} for name, edits in own.items()}


class StoredEdits(msgspec.Struct, frozen=True, kw_only=True):
    """`.work/edits.json`: the edits in force, for whoever reads a shard."""

    key: str
    edits: list[Edit]


class ReadEdits(msgspec.Struct, frozen=True, kw_only=True):
    """The edits with which a shard is read. `key`: of the stored edits; `plain`: the shard's key without what is
    `black`: regions of pictures that other shards show too, by picture."""

    key: str
    plain: str
    black: dict[str, list[Region]] = {}


def plan_edits(paths: Sequence[Path]) -> PlannedEdits | None:
    """The edits of these files and folders, None where none are named. Raises InputError with file and line."""
    if not paths:
        return None
    told: list[str] = []
    read = read_edits(paths, told.append)
    return PlannedEdits(files=len(find_edits(paths)), read=read, told=told)


def edits_path(root: Path) -> Path:
    """Where a run folder holds the edits in force."""
    return root / ".work" / "edits.json"


def shared_path(root: Path) -> Path:
    """Where it holds which pictures several shards show (`engine.editing.shared_pictures`)."""
    return root / ".work" / "shared-pictures.json"


def store_edits(root: Path, planned: PlannedEdits | None) -> None:
    """Put them there; a run without edits has none."""
    path = edits_path(root)
    if planned is None:
        path.unlink(missing_ok=True)
        shared_path(root).unlink(missing_ok=True)
    else:
        write_json(path, StoredEdits(key=planned.key, edits=planned.in_force.edits))


@lru_cache(maxsize=2)
def stored_edits(root: Path, key: str) -> StoredEdits:
    """The edits in force of a run that is being made. Raises StoreError."""
    found = read_marker(edits_path(root), StoredEdits)
    if found is None or found.key != key:
        raise StoreError(f"{edits_path(root)} is not what this run wrote: run the same command again.")
    return found


def _digest(edits: Sequence[Edit]) -> str:
    return hashlib.sha256(b"".join(msgspec.json.encode(edit) + b"\n" for edit in edits)).hexdigest()
