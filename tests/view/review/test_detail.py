"""One trajectory of the page, held against the records, tables and examples that it is made from."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.model.actions import Click, DragTo, MoveTo, Scroll, Swipe
from curate.model.edits import fingerprint
from curate.store.dataset import part_paths, read_records
from curate.store.run_folder import RunFolder
from curate.view.drawn_action import marks_of, pointer_after
from curate.view.review.data import ChangedError, NotThereError, ReviewData
from curate.view.review.detail import the_run
from tests.factories import make_step, make_trajectory, png
from tests.runs import examples, rows
from tests.view.review.conftest import make_dataset


def test_records_examples_and_steps_left_out_are_those_of_the_run(run_folder: Path) -> None:
    data = ReviewData(run_folder)
    made = Counter(row["trajectory"] for row in examples(run_folder))
    out = {(row["id"], row["step"]): row["reason"] for row in rows(RunFolder(run_folder).steps_left_out)}
    assert made and out, "the corpus shows too little"
    for position, record in enumerate(read_records(run_folder)):
        found = the_run(data, position)
        assert found["record"] == record and found["fingerprint"] == fingerprint(record)
        assert found["examples"]["count"] == made[record.id]
        if made[record.id]:
            told = {step["index"]: step["left_out"]["reason"] for step in found["steps"] if step["left_out"]}
            assert told == {step: reason for (run, step), reason in out.items() if run == record.id}
    assert the_run(data, 0)["neighbours"] == {"prev": None, "next": 1}
    assert the_run(data, len(data) - 1)["neighbours"] == {"prev": len(data) - 2, "next": None}


def test_every_stage_that_a_run_came_to_says_its_verdict(run_folder: Path) -> None:
    data, run = ReviewData(run_folder), RunFolder(run_folder)
    said = {path.stem: run.read_stage(path).to_pylist() for path in run.stage_paths()}
    for position, identity in enumerate(data.ids.to_pylist()):
        expected = [
            (f"{name[3:]}", row["verdict"], row["reason"], row["detail"])
            for name, table in said.items()
            for row in table
            if row["id"] == identity and row["step"] is None
        ]
        found = the_run(data, position)["verdicts"]
        assert [(v["stage"], v["verdict"], v["reason"], v["detail"]) for v in found] == expected
        assert all(v["sentence"] for v in found if v["reason"])
    measures = the_run(data, 0)["verdicts"][0]["measures"]
    assert measures["steps"] == len(data.record(0).steps) and "verdict" not in measures


@pytest.mark.parametrize("size", [(96, 54), (54, 96), (1, 1), (4000, 30)])
def test_marks_are_fractions_of_the_picture_that_is_shown(tmp_path: Path, size: tuple[int, int]) -> None:
    does = [
        Click(x=0.25, y=0.5), [MoveTo(x=0.1, y=0.2), DragTo(x=0.9, y=0.8)], Scroll(amount=-3),
        Swipe(x=0.5, y=0.9, to_x=0.5, to_y=0.1),
    ]  # fmt: skip
    record = make_trajectory("m", does)
    data = ReviewData(make_dataset(tmp_path / "data", [record], picture=png(*size)))
    pointer = None
    for step, shown in zip(record.steps, the_run(data, 0)["steps"], strict=True):
        assert shown["image"] == {"src": step.image, "width": size[0], "height": size[1]}
        expected = marks_of(step, *size, pointer)
        assert len(shown["marks"]) == len(expected) > 0
        for one, mark in zip(shown["marks"], expected, strict=True):
            assert (one["kind"], one["label"], one["sure"]) == (mark.kind, mark.label, mark.sure)
            assert one["at"][0] * size[0] == pytest.approx(mark.at[0])
            assert one["at"][1] * size[1] == pytest.approx(mark.at[1])
            assert (one["to"] is None) == (mark.to is None)
            if mark.to is not None:
                assert one["to"][0] * size[0] == pytest.approx(mark.to[0])
                assert one["to"][1] * size[1] == pytest.approx(mark.to[1])
        pointer = pointer_after(step.actions, pointer)


def test_a_picture_that_is_not_there_or_leads_out_is_none(tmp_path: Path) -> None:
    gone = f"media/ab/{'ab' * 32}.png"
    steps = [make_step(0, image=gone), make_step(1, image="../secret.png"), make_step(2, image=None)]
    data = ReviewData(make_dataset(tmp_path / "data", [make_trajectory("m", steps=steps)]))
    assert [step["image"] for step in the_run(data, 0)["steps"]] == [None, None, None]


def test_a_trajectory_is_read_with_its_row_group_alone(tmp_path: Path) -> None:
    records = [make_trajectory(f"made:{k}", instruction=f"Task {k}") for k in range(200)]
    root = make_dataset(tmp_path / "data", records, part_rows=200)
    data = ReviewData(root)
    (path,) = part_paths(root)
    facts = path.stat()
    content = bytearray(path.read_bytes())
    about = pq.read_metadata(path)
    assert about.num_row_groups == 4
    for number in (0, 1, 3):  # everything of the others becomes noise
        for column in range(about.num_columns):
            chunk = about.row_group(number).column(column)
            start = chunk.dictionary_page_offset or chunk.data_page_offset
            content[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(content)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    for position in (128, 150, 191):
        assert the_run(data, position)["record"] == records[position]
    with pytest.raises(ChangedError):
        data.record(5)


def test_positions_that_are_not_there(run_folder: Path) -> None:
    data = ReviewData(run_folder)
    for position in (-1, len(data), 10**12):
        with pytest.raises(NotThereError, match="no trajectory"):
            the_run(data, position)
