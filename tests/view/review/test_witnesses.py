"""A run beside its witness: aligned steps, test tasks, and witnesses that are nowhere."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from curate.stages.copies.tokens import token
from curate.store.dataset import read_records
from curate.view.evidence import aligned
from curate.view.review.data import ReviewData
from curate.view.review.detail import the_run
from curate.view.review.witnesses import the_witnesses
from tests.factories import make_trajectory

words = st.lists(st.sampled_from(["click A", "click B", "click C", "scroll -3", "write x"]), max_size=12)


@given(words, words)
def test_each_step_stands_in_one_row_in_its_order(left: list[str], right: list[str]) -> None:
    one, other = make_trajectory("one", left), make_trajectory("other", right)
    found = aligned(one, other)
    assert [a for a, _ in found if a is not None] == list(range(len(left)))
    assert [b for _, b in found if b is not None] == list(range(len(right)))
    assert (None, None) not in found
    if left == right:
        assert all(a == b for a, b in found if token(one.steps[a or 0]) is not None)


def test_a_copy_stands_beside_its_witness_with_what_both_did_in_one_row(run_folder: Path) -> None:
    data, records = ReviewData(run_folder), list(read_records(run_folder))
    copies = [k for k in range(len(data)) if (the_witnesses(data, k)["witnesses"] or [{}])[-1].get("kind") == "run"]
    assert copies, "the corpus shows too little"
    for position in copies:
        found = the_witnesses(data, position)["witnesses"][-1]
        other = records[found["other"]["position"]]
        assert found["other"]["id"] == other.id and found["other"]["instruction"] == other.instruction
        assert found["stage"] == "nearcopies" and 0.5 <= found["similarity"] <= 1
        own = [row["own"] for row in found["rows"] if row["own"]]
        assert [line["index"] for line in own] == [step.index for step in records[position].steps]
        assert [line["image"] for line in own] == [step.image for step in records[position].steps]
        for row in found["rows"]:
            same = {line["kind"] for line in (row["own"], row["other"]) if line and line["kind"] == "same"}
            if same:
                pair = [record.steps[line["index"]] for record, line in
                        ((records[position], row["own"]), (other, row["other"]))]  # fmt: skip
                assert token(pair[0]) == token(pair[1])
        assert {line["kind"] for line in own} >= {"same", "ignored"}


def test_a_leak_stands_beside_its_test_task(run_folder: Path) -> None:
    data = ReviewData(run_folder)
    leaks = [k for k in range(len(data)) if any(v["reason"] == "leaks.same_task" for v in the_run(data, k)["verdicts"])]
    assert leaks
    for position in leaks:
        verdict = next(v for v in the_run(data, position)["verdicts"] if v["reason"] == "leaks.same_task")
        assert verdict["witness"] == {"task": "bench-1"}
        (found,) = the_witnesses(data, position)["witnesses"]
        assert found["kind"] == "task" and found["task"] == {
            "id": "bench-1",
            "words": "Find the cheapest flight to Oslo",
        }
        strongest = found["evidence"][0]
        assert (strongest["kind"], strongest["strength"], strongest["share"]) == ("task", "strong", 1.0)
        assert found["sentence"] and "bench-1" in found["detail"]


def test_a_witness_that_is_left_out_is_named_and_not_shown(run_folder: Path) -> None:
    data = ReviewData(run_folder)
    position, other = next(
        (k, found["other"]["position"])
        for k in range(len(data))
        for found in the_witnesses(data, k)["witnesses"]
        if found["kind"] == "run" and found["other"]["position"] > k
    )
    few = ReviewData(run_folder, limit=position + 1)
    (found,) = the_witnesses(few, position)["witnesses"]
    assert found["other"]["id"] == data.ids[other].as_py()
    assert found["other"]["position"] is None and found["other"]["instruction"] is None and found["rows"] == []


def test_a_run_without_a_witness(run_folder: Path) -> None:
    data = ReviewData(run_folder)
    empty = [k for k in range(len(data)) if not any(v["witness"] for v in the_run(data, k)["verdicts"])]
    assert empty and all(the_witnesses(data, k)["witnesses"] == [] for k in empty)
