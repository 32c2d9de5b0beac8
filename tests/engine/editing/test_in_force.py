"""Which edits hold: told a second time by replaying the reviewers one after the other, as a person would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curate.engine.editing.in_force import Disagreement, InForce, Side, in_force
from curate.model.edits import Edit

AT = "2026-11-30T10:00:00Z"
KINDS: list[tuple[str, int | None, Any]] = [
    ("outcome", None, True), ("outcome", None, False), ("outcome", None, None), ("correct", 1, False),
    ("correct", 1, True), ("correct", 2, False), ("redundant", 1, True), ("cut", 2, None), ("cut", 3, None),
    ("instruction", None, "Do this"), ("instruction", None, "Do that"), ("blur", 1, (0.0, 0.0, 0.5, 0.5)),
    ("blur", 1, (0.5, 0.5, 1.0, 1.0)), ("note", None, "odd"),
]  # fmt: skip


def edit(number: int, kind: str, step: int | None = None, value: Any = None, by: str = "anna", id: str = "a") -> Edit:
    return Edit(number=number, id=id, step=step, kind=kind, value=value, by=by, at=AT)  # type: ignore[arg-type]


def undo(number: int, undoes: int, by: str = "anna") -> Edit:
    return Edit(number=number, id="a", kind="undo", undoes=undoes, by=by, at=AT)


@st.composite
def reviews(draw: st.DrawFn) -> list[Edit]:
    found: list[Edit] = []
    for by in ("anna", "ben", "cem")[: draw(st.integers(1, 3))]:
        for number in range(1, draw(st.integers(0, 9)) + 1):
            if number > 1 and draw(st.booleans()):
                found.append(undo(number, draw(st.integers(1, number - 1)), by))
            else:
                kind, step, value = draw(st.sampled_from(KINDS))
                found.append(edit(number, kind, step, value, by, draw(st.sampled_from(["a", "b"]))))
    return found


def replayed(edits: list[Edit]) -> Iterator[Edit]:
    """One reviewer's edits that hold: an edit holds unless an undo that holds names it; told by recursion."""

    def holds(one: Edit) -> bool:
        return not any(other.undoes == one.number and holds(other) for other in edits)

    standing = [one for one in edits if one.kind != "undo" and holds(one)]
    for place, one in enumerate(standing):
        later = standing[place + 1 :]
        same_cut = one.kind == "cut" and any(other.kind == "cut" and other.id == one.id for other in later)
        same = any((other.id, other.step, other.kind) == (one.id, one.step, one.kind) for other in later)
        if one.kind in ("blur", "note") or not (same or same_cut):
            yield one


@given(reviews(), st.randoms())
def test_every_edit_is_told_once_and_as_replayed(edits: list[Edit], chance: Any) -> None:
    shuffled = list(edits)
    chance.shuffle(shuffled)
    found = in_force(shuffled)
    assert found == in_force(edits)
    told = [*found.edits, *found.disputed, *found.superseded, *found.undone, *found.undos]
    assert sorted(told, key=str) == sorted(edits, key=str)
    holding = [one for by in ("anna", "ben", "cem") for one in replayed([e for e in edits if e.by == by])]
    assert sorted([*found.edits, *found.disputed], key=str) == sorted(holding, key=str)
    for one in found.disputed:
        assert any(
            (other.id, other.kind) == (one.id, one.kind)
            and other.by != one.by
            and (other.value, other.step if one.kind == "cut" else None)
            != (one.value, one.step if one.kind == "cut" else None)
            for other in found.disputed
        )
    for one in found.edits:
        if one.kind not in ("blur", "note"):
            assert all(
                (other.step, other.value) == (one.step, one.value)
                for other in found.edits
                if (other.id, other.kind) == (one.id, one.kind) and (one.kind == "cut" or other.step == one.step)
            )


@given(reviews())
def test_undoing_an_undo_is_as_if_nothing_was_undone(edits: list[Edit]) -> None:
    own = [one for one in edits if one.by == "anna"]
    if not own:
        return
    last = own[-1].number
    twice = [*edits, undo(last + 1, last), undo(last + 2, last + 1)]
    before, after = in_force(edits), in_force(twice)
    assert (after.edits, after.disputed, after.disagreements) == (before.edits, before.disputed, before.disagreements)


def of(*edits: Edit) -> InForce:
    return in_force(edits)


def test_two_who_differ_are_listed_and_neither_holds() -> None:
    found = of(edit(1, "outcome", None, True), edit(1, "outcome", None, False, "ben"), edit(2, "correct", 1, False))
    sides = [Side(by="anna", value=True), Side(by="ben", value=False)]
    assert found.disagreements == [Disagreement(id="a", step=None, kind="outcome", sides=sides)]
    assert [one.kind for one in found.edits] == ["correct"]


def test_cuts_at_two_places_are_a_disagreement_about_the_run() -> None:
    found = of(edit(1, "cut", 3), edit(1, "cut", 5, by="ben"))
    assert found.disagreements[0].step is None
    assert [side.value for side in found.disagreements[0].sides] == [3, 5]


def test_one_who_comes_round_ends_the_disagreement() -> None:
    anna, ben = edit(1, "outcome", None, True), edit(1, "outcome", None, False, "ben")
    assert not of(anna, ben, edit(2, "outcome", None, False)).disagreements
    assert not of(anna, ben, undo(2, 1)).disagreements
    assert [one.by for one in of(anna, edit(1, "outcome", None, True, "ben")).edits] == ["anna", "ben"]
