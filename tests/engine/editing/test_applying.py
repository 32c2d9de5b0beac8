"""What edits do to a record, said by what is in it afterwards, and that doing them twice is doing them once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine.editing.applying import Applied, apply
from curate.engine.editing.in_force import in_force
from curate.model.edits import Edit, fingerprint
from curate.model.trajectory import Trajectory, decode, encode
from curate.model.tree import Node, Tree
from curate.store.media import MediaStore, read_rgb
from curate.store.trees import add_text_tree, add_tree, read_tree
from tests.engine.editing.test_in_force import edit, reviews
from tests.factories import make_step, make_trajectory

SMALL = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def noise(seed: int, width: int = 31, height: int = 17) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(1, 256, (height, width, 3), dtype=np.uint8)


@pytest.fixture
def media(tmp_path: Path) -> MediaStore:
    return MediaStore(tmp_path)


def record(media: MediaStore) -> Trajectory:
    """Four steps; the picture after the second is the third's."""
    refs = [media.add_png(noise(seed)) for seed in range(4)]
    steps = [
        make_step(k, image=refs[k], image_after=refs[2] if k == 1 else None, image_size=(31, 17)) for k in range(4)
    ]
    return make_trajectory("a", steps=steps, final_image=refs[2])


def pixels(media: MediaStore, ref: str | None) -> np.ndarray[Any, Any]:
    found = read_rgb(media.read(ref or ""))
    assert found is not None
    return found


def done(media: MediaStore, *edits: Edit, to: Trajectory | None = None) -> Applied:
    before = to or record(media)
    line = encode(before)
    found = apply(before, edits, media)
    assert encode(before) == line, "the one given is not changed"
    return found


def test_nothing_to_do_is_the_same_record(media: MediaStore) -> None:
    assert encode(done(media).record) == encode(record(media))
    assert encode(done(media, edit(1, "note", None, "odd")).record) == encode(record(media))


def test_marks_and_outcome(media: MediaStore) -> None:
    found = done(media, edit(1, "correct", 1, False), edit(2, "redundant", 2, True), edit(3, "outcome", None, False))
    assert [step.correct for step in found.record.steps] == [None, False, None, None]
    assert [step.redundant for step in found.record.steps] == [None, None, True, None]
    assert (found.record.outcome.completed, found.record.outcome.by) == (False, "review")
    was = fingerprint(record(media))
    assert found.record.lineage == [f"edited: 1 correct, 1 outcome, 1 redundant by anna; it was {was}"]


def test_the_old_instruction_is_kept(media: MediaStore) -> None:
    old = record(media).instruction
    found = done(media, edit(1, "instruction", None, "Say it better")).record
    assert (found.instruction, found.wordings) == ("Say it better", {"before_review": old})
    again = done(media, edit(1, "instruction", None, "Best"), to=found).record
    assert again.wordings == {"before_review": old, "before_review_2": "Say it better"}


def test_a_cut_takes_the_end_off_and_what_was_said_of_it(media: MediaStore) -> None:
    before = record(media)
    found = done(media, edit(1, "cut", 2), edit(2, "correct", 3, False)).record
    assert [step.index for step in found.steps] == [0, 1]
    assert found.final_image == before.steps[2].image
    assert found.outcome.completed is None
    assert done(media, edit(1, "cut", 2), edit(2, "outcome", None, True)).record.outcome.completed is True
    assert [one.reason for one in done(media, edit(1, "cut", 2), edit(2, "correct", 3, False)).left_out] == [
        "edits.cut_off"
    ]


def test_black_is_every_pixel_that_the_region_touches_and_no_other(media: MediaStore) -> None:
    before = record(media)
    found = done(media, edit(1, "blur", 2, (0.1, 0.25, 0.5, 0.75))).record
    new = found.steps[2].image
    assert new != before.steps[2].image
    assert found.steps[1].image_after == new == found.final_image
    black = (pixels(media, new) == 0).all(axis=2)
    wanted = np.zeros((17, 31), bool)
    for y in range(17):
        for x in range(31):
            wanted[y, x] = x + 1 > 0.1 * 31 and x < 0.5 * 31 and y + 1 > 0.25 * 17 and y < 0.75 * 17
    assert (black == wanted).all()
    assert (pixels(media, new)[~wanted] == pixels(media, before.steps[2].image)[~wanted]).all()
    assert [step.flags for step in found.steps] == [[], [], ["blurred"], []]
    assert [step.image for step in found.steps[:2]] == [step.image for step in before.steps[:2]]


def test_a_picture_that_a_cut_step_shows_is_black_where_it_stays(media: MediaStore) -> None:
    found = done(media, edit(1, "cut", 2), edit(2, "blur", 2, (0.0, 0.0, 1.0, 1.0))).record
    assert not pixels(media, found.steps[1].image_after).any()
    assert not pixels(media, found.final_image).any()


def test_regions_add_up_whoever_drew_them(media: MediaStore) -> None:
    one, other = (0.0, 0.0, 0.3, 1.0), (0.2, 0.0, 1.0, 0.5)
    both = done(media, edit(1, "blur", 0, one), edit(1, "blur", 0, other, "ben")).record.steps[0].image
    first = done(media, edit(1, "blur", 0, other)).record
    assert done(media, edit(1, "blur", 0, one), to=first).record.steps[0].image == both


def test_what_was_drawn_there_is_not_said_by_the_tree(media: MediaStore) -> None:
    nodes = [
        Node(role="window", name="Mail", box=(0.0, 0.0, 1.0, 1.0)),
        Node(parent=0, role="text", name="Anna", value="a@b.c", description="d", box=(0.1, 0.1, 0.3, 0.2)),
        Node(parent=0, role="button", name="Send", box=(0.5, 0.5, 0.6, 0.6)),
        Node(parent=0, role="text", name="nowhere"),
    ]
    before = record(media)
    before.steps[0].tree = add_tree(media, Tree(nodes=nodes))
    before.steps[1].tree = add_text_tree(media, "Anna")
    before.video = media.add_bytes(b"film", "mkv")
    edits = (edit(1, "blur", 0, (0.0, 0.0, 0.4, 0.4)), edit(2, "blur", 1, (0.0, 0.0, 0.4, 0.4)))
    found = done(media, *edits, to=before).record
    left = read_tree(media, found.steps[0].tree or "").nodes
    assert [(node.name, node.value, node.description) for node in left] == [
        ("Mail", None, None), (None, None, None), ("Send", None, None), ("nowhere", None, None),
    ]  # fmt: skip
    assert found.steps[1].tree is None
    assert found.video is None


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (edit(1, "correct", 9, True), "edits.no_step"),
        (edit(1, "cut", 9), "edits.no_step"),
        (edit(1, "blur", 9, (0.0, 0.0, 1.0, 1.0)), "edits.no_step"),
    ],
)
def test_a_step_that_is_not_there_is_told(media: MediaStore, what: Edit, reason: str) -> None:
    found = done(media, what)
    assert [(one.edit, one.reason) for one in found.left_out] == [(what, reason)]
    assert encode(found.record) == encode(record(media))


def test_a_picture_that_cannot_be_blackened_is_told(media: MediaStore) -> None:
    before = record(media)
    before.steps[0].image = None
    before.steps[1].image = media.add_bytes(b"no picture", "png")
    found = done(media, *(edit(k + 1, "blur", k, (0.0, 0.0, 1.0, 1.0)) for k in range(2)), to=before)
    assert [one.reason for one in found.left_out] == ["edits.no_picture"] * 2


def test_an_edit_of_another_record_is_left_out(media: MediaStore) -> None:
    before = record(media)
    of_it = msgspec.structs.replace(edit(1, "outcome", None, False), of=fingerprint(before))
    assert done(media, of_it).edits == [of_it]
    changed = decode(encode(before))
    changed.steps.pop()
    assert [one.reason for one in done(media, of_it, to=changed).left_out] == ["edits.other_record"]
    assert apply(changed, [of_it], media, [fingerprint(before)]).edits == [of_it]


@SMALL
@given(edits=reviews(), data=st.data())
def test_twice_is_once_and_no_edit_is_lost(media: MediaStore, edits: list[Edit], data: st.DataObject) -> None:
    holding = [one for one in in_force(edits).edits if one.id == "a"]
    once = done(media, *holding)
    assert sorted([*once.edits, *(one.edit for one in once.left_out)], key=str) == sorted(holding, key=str)
    shuffled = data.draw(st.permutations(holding))
    assert encode(done(media, *shuffled).record) == encode(once.record)
    twice = done(media, *holding, to=once.record)
    assert encode(twice.record) == encode(once.record)
    assert fingerprint(once.record) == fingerprint(record(media))
