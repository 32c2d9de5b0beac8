"""What edits in force do to one record: pure but for the new pictures, which go into the media store.

Blurs come first and the cut last, for a step that is cut off may show the same picture as one that stays. Applying
edits to a record that they were applied to before changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from curate.engine.editing.blackening import blacken_picture, blacken_tree
from curate.model.edits import Edit, Region, fingerprint
from curate.model.trajectory import Outcome, Step, Trajectory
from curate.store.media import MediaStore

FLAG = "blurred"
REVIEW = "review"
"""Who says how a run ended (`outcome.by`): a person who reviewed it."""
BEFORE = "before_review"
"""The key in a record's `wordings` of the instruction that a reviewer changed."""
Regions = Mapping[str, Sequence[Region]]
"""By picture, what is to be black in it, wherever a record shows it."""


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that was not applied: a code of `model.reasons`, and what there is to say."""

    edit: Edit
    reason: str
    detail: str | None = None


class Blurred(msgspec.Struct, frozen=True, kw_only=True):
    """What is black in a picture now, and the picture that took its place."""

    regions: list[Region]
    now: str


class Applied(msgspec.Struct, kw_only=True):
    """What came of it. `edits`: those that hold in the record now; `asked`: by picture, what these want black in it;
    `blurred`: by picture, what took its place."""

    record: Trajectory
    edits: list[Edit] = []
    left_out: list[LeftOut] = []
    asked: dict[str, list[Region]] = {}
    blurred: dict[str, Blurred] = {}


def apply(
    record: Trajectory,
    edits: Sequence[Edit],
    media: MediaStore,
    seen: Sequence[str] = (),
    elsewhere: Regions | None = None,
) -> Applied:
    """The record with the edits; the one given is not changed. `edits`: those in force of this record (`in_force`).
    `seen`: fingerprints that the record has beside its own, as stages rewrite it; the first one is how its lineage
    says it looked. `elsewhere`: what is black in pictures that other records show too."""
    was = [*seen, fingerprint(record)]
    edited = msgspec.structs.replace(record, steps=[_copied(step) for step in record.steps])
    done = Applied(record=edited)
    cut = min((edit.step or 0 for edit in edits if edit.kind == "cut" and _fits(edit, was)), default=None)
    for edit in sorted(edits, key=lambda edit: (edit.by, edit.number)):
        told = _why_not(edit, record, cut) if _fits(edit, was) else LeftOut(edit=edit, reason="edits.other_record")
        if told is None:
            done.edits.append(edit)
        else:
            done.left_out.append(told)
    _blur(done, media, elsewhere or {})
    if cut is not None:
        _cut(edited, cut)
    changed = [edit for edit in done.edits if _change(edited, edit, done.blurred, record)]
    if changed or done.blurred:
        edited.lineage = [*record.lineage, _line(changed, was[0])]
    return done


def _fits(edit: Edit, was: Collection[str]) -> bool:
    return edit.of is None or edit.of in was


def _copied(step: Step) -> Step:
    return msgspec.structs.replace(step, flags=list(step.flags))


def _why_not(edit: Edit, record: Trajectory, cut: int | None) -> LeftOut | None:
    """Why an edit that speaks of a step has none. A cut that was made before is a cut all the same."""
    if edit.step is None or edit.kind == "note":
        return None
    beyond = cut is not None and edit.step >= cut
    if beyond and edit.kind in ("correct", "redundant"):
        return LeftOut(edit=edit, reason="edits.cut_off", detail=f"cut off from step {cut} on")
    if any(step.index == edit.step for step in record.steps):
        return None
    if beyond and fingerprint(record) != fingerprint(msgspec.structs.replace(record, lineage=[])):
        return None if edit.kind == "cut" else LeftOut(edit=edit, reason="edits.cut_off", detail="cut off before")
    return LeftOut(edit=edit, reason="edits.no_step", detail=f"it has {len(record.steps)} steps")


def _line(changed: Sequence[Edit], was: str) -> str:
    """What the lineage says of it (`model.edits.EDITED`)."""
    if not changed:
        return f"edited: a picture that another record shows too; it was {was}"
    kinds = Counter(edit.kind for edit in changed)
    what = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return f"edited: {what} by {', '.join(sorted({edit.by for edit in changed}))}; it was {was}"


# --- pictures -------------------------------------------------------------------------------------------------------


def _blur(done: Applied, media: MediaStore, elsewhere: Regions) -> None:
    """Blacken the regions of each step's picture in every place of the record that shows the same stored picture."""
    record = done.record
    asked: dict[str, set[Region]] = {}
    for edit in done.edits:
        ref = _picture(record, edit) if edit.kind == "blur" else None
        if ref is not None:
            asked.setdefault(ref, set()).add(edit.value)  # type: ignore[arg-type]
    shown = {ref for ref in pictures_of(record) if ref in elsewhere or ref in asked}
    regions = {ref: {*asked.get(ref, ()), *elsewhere.get(ref, ())} for ref in shown}
    new = {ref: blacken_picture(media, ref, sorted(regions[ref])) for ref in sorted(regions)}
    made = {ref: other for ref, other in new.items() if other is not None}
    failed = [edit for edit in done.edits if edit.kind == "blur" and _picture(record, edit) not in made]
    done.edits = [edit for edit in done.edits if edit not in failed]
    done.left_out += [LeftOut(edit=edit, reason="edits.no_picture") for edit in failed]
    done.asked = {ref: sorted(found) for ref, found in asked.items() if made.get(ref, ref) != ref}
    done.blurred = {ref: Blurred(regions=sorted(regions[ref]), now=now) for ref, now in made.items() if now != ref}
    if made:
        _exchange(record, made, regions, media)


def _picture(record: Trajectory, edit: Edit) -> str | None:
    return next((step.image for step in record.steps if step.index == edit.step), None)


def pictures_of(record: Trajectory) -> set[str]:
    """The stored pictures that a record shows anywhere."""
    named = [ref for step in record.steps for ref in (step.image, step.image_after)]
    return {ref for ref in [*named, record.final_image] if ref is not None}


def _exchange(
    record: Trajectory, new: Mapping[str, str], regions: Mapping[str, set[Region]], media: MediaStore
) -> None:
    for step in record.steps:
        if step.image is not None and step.image in new:
            if step.tree is not None:
                step.tree = blacken_tree(media, step.tree, sorted(regions[step.image]))
            step.image = new[step.image]
            step.flags = step.flags if FLAG in step.flags else sorted([*step.flags, FLAG])
        step.image_after = new.get(step.image_after or "", step.image_after)
    record.final_image = new.get(record.final_image or "", record.final_image)
    record.video = record.trace = None  # they show it too


# --- everything else ------------------------------------------------------------------------------------------------


def _cut(record: Trajectory, first: int) -> None:
    """Take the steps from `first` on off. How the run ends is not known any more (who cuts it can say so by an edit of
    its outcome); the screen it ends with is the one before the first step that is gone."""
    gone = [step for step in record.steps if step.index >= first]
    if gone:
        record.steps = [step for step in record.steps if step.index < first]
        record.final_image = gone[0].image
        record.outcome = Outcome()


def _change(record: Trajectory, edit: Edit, blurred: Mapping[str, Blurred], before: Trajectory) -> bool:
    """Do to the record what an edit says and is not done yet; whether it is another record for it."""
    match edit.kind:
        case "outcome":
            return _judge(record, edit.value is True if edit.value is not None else None, before)
        case "correct" | "redundant":
            step = next(step for step in record.steps if step.index == edit.step)
            same = getattr(step, edit.kind) is edit.value
            setattr(step, edit.kind, edit.value)
            return not same
        case "instruction":
            return _reword(record, str(edit.value))
        case "cut":
            return len(record.steps) < len(before.steps)
        case "blur":
            return _picture(before, edit) in blurred
    return False  # a note


def _judge(record: Trajectory, completed: bool | None, before: Trajectory) -> bool:
    record.outcome = Outcome(completed=completed, by=REVIEW)
    return record.outcome != before.outcome


def _reword(record: Trajectory, text: str) -> bool:
    """The new instruction; the old one stays among the wordings."""
    if record.instruction == text:
        return False
    if record.instruction not in record.wordings.values():
        names = (BEFORE if number == 1 else f"{BEFORE}_{number}" for number in range(1, len(record.wordings) + 2))
        free = next(name for name in names if name not in record.wordings)
        record.wordings = {**record.wordings, free: record.instruction}
    record.instruction = text
    return True
