"""Which edits hold: those that nobody undid, the last word of each reviewer, and of a matter that two reviewers decided
differently none."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import msgspec

from curate.model.edits import Edit, Kind

_ADD_UP = ("blur", "note")
"""Kinds of which every edit holds beside the others."""
Matter = tuple[str, int, str]
"""What is decided: id, step (-1: the whole run), kind. A cut speaks of the run: where it ends."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What one reviewer says; of a cut the first step that is taken off."""

    by: str
    value: Any


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A matter that reviewers decided differently. `sides` by name."""

    id: str
    step: int | None
    kind: Kind
    sides: list[Side]


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """Every edit is in exactly one of the lists. `edits`: those that are applied; `disputed`: those of disagreements;
    `superseded`: a later one of the same reviewer stands in their place; `undone`; `undos`: the edits that undid, or
    were undone themselves."""

    edits: list[Edit]
    disputed: list[Edit]
    superseded: list[Edit]
    undone: list[Edit]
    undos: list[Edit]
    disagreements: list[Disagreement]


def in_force(edits: Iterable[Edit]) -> InForce:
    """What holds of these edits, whatever their order. Numbers are a reviewer's own (`store.edits.read_edits` sees to
    it); an undo that is undone undoes nothing."""
    ordered = sorted(edits, key=lambda edit: (edit.by, edit.number))
    undone = _undone(ordered)
    undos = [edit for edit in ordered if edit.kind == "undo"]
    standing = [edit for edit in ordered if edit.kind != "undo" and (edit.by, edit.number) not in undone]
    last: dict[tuple[str, Matter], Edit] = {(edit.by, matter_of(edit)): edit for edit in standing if _decides(edit)}
    holding = [edit for edit in standing if not _decides(edit) or last[edit.by, matter_of(edit)] is edit]
    disputed, disagreements = _disputed(last.values())
    return InForce(
        edits=[edit for edit in holding if not _decides(edit) or matter_of(edit) not in disputed],
        disputed=[edit for edit in holding if _decides(edit) and matter_of(edit) in disputed],
        superseded=[edit for edit in standing if _decides(edit) and last[edit.by, matter_of(edit)] is not edit],
        undone=[edit for edit in ordered if edit.kind != "undo" and (edit.by, edit.number) in undone],
        undos=undos,
        disagreements=disagreements,
    )


def matter_of(edit: Edit) -> Matter:
    """What an edit decides."""
    return edit.id, -1 if edit.step is None or edit.kind == "cut" else edit.step, edit.kind


def _decides(edit: Edit) -> bool:
    return edit.kind not in _ADD_UP


def _undone(ordered: list[Edit]) -> set[tuple[str, int]]:
    """Reviewer and number of what is undone. From the last to the first: whether an undo holds is known before what it
    undoes is looked at."""
    undone: set[tuple[str, int]] = set()
    for edit in reversed(ordered):
        if edit.undoes is not None and (edit.by, edit.number) not in undone:
            undone.add((edit.by, edit.undoes))
    return undone


def _disputed(last: Iterable[Edit]) -> tuple[set[Matter], list[Disagreement]]:
    """Matters of which the last words of reviewers differ."""
    disputed: set[Matter] = set()
    found = []
    ordered = sorted(last, key=lambda edit: (*matter_of(edit), edit.by))
    for matter, group in groupby(ordered, key=matter_of):
        said = list(group)
        sides = [Side(by=edit.by, value=edit.step if edit.kind == "cut" else edit.value) for edit in said]
        if any(side.value != sides[0].value for side in sides):
            disputed.add(matter)
            step = None if matter[1] < 0 else matter[1]
            found.append(Disagreement(id=matter[0], step=step, kind=said[0].kind, sides=sides))
    return disputed, found
