"""Decides which near-copies stay: for a given order and evidence, a run is out if and only if enough runs that come
before it and stay are similar to it with evidence (one for `drop`, K for `cap:K`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from curate.model.constants import SHORT_SHINGLES
from curate.stages.base import DecisionInput
from curate.stages.measures.clusters import Groups
from curate.stages.measures.picture_facts import Look, look_alike
from curate.stages.verdicts import Verdicts, rows_by_id

Row = Mapping[str, Any]


class CopyOptions(Protocol):
    """The part of the stage's options that deciding reads."""

    @property
    def evidence(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def action_people(self) -> str: ...


def best_first(rows: Sequence[Row]) -> list[Row]:
    """Completed, then unknown, then failed; higher score, better keyframes, larger pictures (unknown last each time);
    then as they came. Mistakes do not count: a recovered one is worth having."""

    def rank(row: Row) -> tuple[float, ...]:
        ended = {True: 0.0, None: 1.0, False: 2.0}[row["completed"]]
        return (ended, *(-(row[name] if row[name] is not None else -1.0) for name in ("score", "keyframes", "pixels")))

    return sorted(rows, key=rank)


def same_task(one: Row, other: Row) -> bool:
    """The same instruction, or the same template, with the same arguments."""
    return any(one[key] is not None and one[key] == other[key] for key in ("task", "template"))


def same_screens(one: Row, other: Row, looks: Mapping[str, Look]) -> bool:
    """Both the first and the last pictures are equal, or look alike."""

    def alike(a: str | None, b: str | None) -> bool:
        if a is None or b is None:
            return False
        return a == b or (a in looks and b in looks and look_alike(looks[a], looks[b]))

    return alike(one["first_image"], other["first_image"]) and alike(one["last_image"], other["last_image"])


def has_evidence(one: Row, other: Row, equal: bool, evidence: str, looks: Mapping[str, Look]) -> bool:
    """Whether two similar runs are copies. `equal`: their shingles are the same. Under any evidence but actions
    alone, runs of fewer than SHORT_SHINGLES have to be equal and of the same task."""
    if evidence == "actions":
        return True
    if min(one["shingles"], other["shingles"]) < SHORT_SHINGLES and not (equal and same_task(one, other)):
        return False
    return same_task(one, other) if evidence == "actions+task" else same_screens(one, other, looks)


def adds_a_recovery(run: Row, witness: Row) -> bool:
    """Whether the run recovers from a mistake that the witness never made."""
    return not set(run["mistakes"] or ()) <= set(witness["mistakes"] or ())


class _Kept:
    """The runs kept so far, by group and, where the evidence is the task, by task: a group of thousands of equal runs
    of different tasks is not searched through for each of them."""

    def __init__(self, evidence: str, looks: Mapping[str, Look], groups: Mapping[str, list[tuple[str, bool]]]) -> None:
        self._evidence, self._looks, self._groups = evidence, looks, groups
        self._runs: dict[tuple[str, str | None], list[tuple[int, Row]]] = defaultdict(list)

    def _keys(self, run: Row) -> list[str | None]:
        if self._evidence != "actions+task":
            return [None]
        return [f"{name} {run[name]}" for name in ("task", "template") if run[name] is not None]

    def add(self, position: int, run: Row) -> None:
        for key in self._keys(run):
            self._runs[run["group"], key].append((position, run))

    def _listed(self, group: str, key: str | None, equal: bool) -> Iterator[tuple[int, Row, bool]]:
        return ((position, other, equal) for position, other in self._runs.get((group, key), ()))

    def witnesses(self, run: Row) -> Iterator[Row]:
        """Kept runs that are similar with evidence and have every recovered mistake of this one, first kept first."""
        near = [(run["group"], True), *self._groups.get(run["group"], ())]
        lists = [self._listed(group, key, equal) for group, equal in near for key in self._keys(run)]
        seen: set[str] = set()
        for _, other, equal in merge(*lists, key=itemgetter(0)):
            if other["id"] in seen:
                continue
            seen.add(other["id"])
            if has_evidence(run, other, equal, self._evidence, self._looks) and not adds_a_recovery(run, other):
                yield other


def decide_copies(given: DecisionInput, options: CopyOptions, images: pa.Table | None) -> pa.Table:
    """The stage's verdicts (see `stages.nearcopies`)."""
    rows = rows_by_id(given.measures["nearcopies"])
    verdicts = Verdicts(given.alive, {"copy_weight": pa.float64(), "copies": pa.int64()})
    runs = [rows[run] for run in given.alive]
    kept = _Kept(options.evidence, _looks(images), _similar(rows))
    shared = Groups()
    for position, run in enumerate(best_first(runs) if options.order == "best" else runs):
        if run["group"] is None:  # nothing is known of what it did: never a copy
            continue
        action = options.action_people if run["people"] else options.action
        witnesses = kept.witnesses(run)
        first = next(witnesses, None)
        if first is not None and action == "weight":
            shared.join(run["id"], first["id"])
            verdicts.note(run["id"], detail=_likeness(rows, run, first), witness=first["id"])
        elif first is not None:
            cap = int(action.removeprefix("cap:")) if action.startswith("cap:") else 1
            if len(list(islice(witnesses, cap - 1))) == cap - 1:
                code = "nearcopies.copy_of" if cap == 1 else "nearcopies.over_cap"
                verdicts.drop(run["id"], code, _likeness(rows, run, first), first["id"])
                continue
        kept.add(position, run)
    for members in shared.groups().values():
        for member in members:
            verdicts.note(member, copy_weight=1 / len(members), copies=len(members))
    return verdicts.table()


def _similar(rows: Mapping[str, Row]) -> dict[str, list[tuple[str, bool]]]:
    """By group, the groups similar to it and whether their shingles are equal (then only their scope differs)."""
    pairs = ((row["group"], pair) for row in rows.values() for pair in row["pairs"] or ())
    similar: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for group, pair in pairs:
        similar[group].append((pair["other"], pair["similarity"] == 1.0))
    return similar


def _looks(images: pa.Table | None) -> dict[str, Look]:
    """What first and last pictures look like, as the stage images measured them."""
    if images is None:
        return {}
    known = images.select(["image", "dhash", "thumbnail"]).filter(pc.is_valid(images["thumbnail"]))
    return {row["image"]: Look(int(row["dhash"], 16), row["thumbnail"]) for row in known.to_pylist()}


def _likeness(rows: Mapping[str, Row], run: Row, witness: Row) -> str:
    """Jaccard similarity of the two, in words."""
    pairs = rows[run["group"]]["pairs"] or ()
    shared = next((pair["shared"] for pair in pairs if pair["other"] == witness["group"]), run["shingles"])
    union = run["shingles"] + witness["shingles"] - shared
    return f"{shared} of {union} shingles shared with {witness['id']}, similarity {shared / union:.3f}"
