"""Reading a shard with edits: each record is edited as its source gives it, before the recipe's stages rewrite it, so
that what a reviewer wrote is normalised, redacted and checked like anything else."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import msgspec

from curate.engine.editing.applying import apply
from curate.engine.editing.planned import ReadEdits, stored_edits
from curate.engine.rewriting import Refused, Rewriting
from curate.engine.work import ShardFolder, read_marker
from curate.model.edits import Edit, Region, fingerprint
from curate.model.trajectory import Trajectory, decode, encode
from curate.store.atomic import write_json
from curate.store.media import MediaStore

_NUMBERED = re.compile(r"^(.*)#\d+$", re.DOTALL)
_ById = dict[str, list[Edit]]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one edit at one record: applied (`reason` null) or left out."""

    by: str
    number: int
    reason: str | None = None
    detail: str | None = None


class ShardEdits(msgspec.Struct, kw_only=True):
    """What came of the edits in a shard. `records`: how many are other records for it; `asked`: regions that its own
    edits want black, by picture; `uneven`: a record has less black in one than another wants; `made`: the pictures that
    took the place of others."""

    told: list[Told] = []
    records: int = 0
    asked: dict[str, list[Region]] = {}
    uneven: bool = False
    made: list[str] = []


class EditedReading:
    """The edits of one shard. `media_root`: where its source stores pictures; `rewriting`: what the stages will make of
    its records, asked of those with edits, for that is how a reviewer of a run saw them."""

    def __init__(self, root: Path, edits: ReadEdits, media_root: Path, rewriting: Rewriting) -> None:
        self._own, self._numbered, _ = _by_id(root, edits.key)
        self._black = edits.black
        self._media = MediaStore(media_root)
        self._rewriting = rewriting
        self._done = ShardEdits()
        self._asked: dict[str, list[list[Region]]] = defaultdict(list)

    def edited(self, record: Trajectory) -> Trajectory:
        """The record with the edits of its id, and with what others want black in its pictures."""
        edits, numbered = self._own.get(record.id, []), self._numbered.get(record.id, [])
        if not (edits or numbered or self._black):
            return record
        seen = self._seen(record) if edits or numbered else []
        edits = edits + [edit for edit in numbered if edit.of in (*seen, fingerprint(record))]
        found = apply(record, edits, self._media, seen, self._black)
        told = [*((edit, None, None) for edit in found.edits), *((o.edit, o.reason, o.detail) for o in found.left_out)]
        self._done.told += [Told(by=e.by, number=e.number, reason=why, detail=more) for e, why, more in told]
        self._done.records += found.record.lineage != record.lineage
        self._done.made = sorted({*self._done.made, *(one.now for one in found.blurred.values())})
        for ref, regions in found.asked.items():
            self._asked[ref].append(found.blurred[ref].regions)
            self._done.asked[ref] = sorted({*self._done.asked.get(ref, []), *regions})
        return found.record

    def write(self, folder: ShardFolder) -> None:
        """Store what came of it with the shard."""
        asked = self._done.asked
        self._done.uneven = any(regions != asked[ref] for ref, each in self._asked.items() for regions in each)
        write_json(folder.edits, self._done)

    def _seen(self, record: Trajectory) -> list[str]:
        (made,) = self._rewriting.rewritten([decode(encode(record))])
        return [] if isinstance(made, Refused) else [fingerprint(made)]


def shard_edits(folder: ShardFolder) -> ShardEdits:
    """What came of the edits in a shard that was read with some."""
    return read_marker(folder.edits, ShardEdits) or ShardEdits()


def has_blurs(root: Path, key: str) -> bool:
    """Whether any edit in force is a blur: then sources store pictures apart from the run."""
    return _by_id(root, key)[2]


@lru_cache(maxsize=2)
def _by_id(root: Path, key: str) -> tuple[_ById, _ById, bool]:
    """The edits of each id; those of `id#2` under the id too, for a run numbers records of one id in their order
    (engine.naming), which is known when all are read: until then the fingerprint tells which one was meant."""
    own: _ById = defaultdict(list)
    numbered: _ById = defaultdict(list)
    edits = stored_edits(root, key).edits
    for edit in edits:
        own[edit.id].append(edit)
        match = _NUMBERED.match(edit.id)
        if match is not None and edit.of is not None:
            numbered[match[1]].append(edit)
    return dict(own), dict(numbered), any(edit.kind == "blur" for edit in edits)
