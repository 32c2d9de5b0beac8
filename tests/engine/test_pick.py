"""One record out of what a person names."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.engine.pick import pick_record
from curate.model.errors import InputError, UsageError
from curate.store.dataset import DatasetWriter
from curate.store.recording import read_info
from tests.factories import make_step, make_trajectory, write_records

DUMP = Path(__file__).resolve().parents[2] / "curate" / "_data" / "dump"


def records(*names: str) -> list[object]:
    return [make_trajectory(name, steps=[make_step(0, "click File")]) for name in names]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    with DatasetWriter(tmp_path / "dataset") as writer:
        for record in records("one", "two"):
            writer.add(record, [])  # type: ignore[arg-type]
    return tmp_path / "dataset"


def test_by_id_and_the_only_one(dataset: Path, tmp_path: Path) -> None:
    assert pick_record(dataset, "two").id == "two"
    alone = write_records(tmp_path / "alone.jsonl", records("three"))  # type: ignore[arg-type]
    assert pick_record(alone).id == "three"
    assert pick_record(alone, "three").id == "three"


def test_several_or_none_of_that_id_is_one_sentence(dataset: Path) -> None:
    with pytest.raises(UsageError, match="name one of one, two"):
        pick_record(dataset)
    with pytest.raises(UsageError, match="Did you mean 'two'"):
        pick_record(dataset, "twoo")


def test_a_recording_is_reduced_by_its_folder_in_a_dump_too() -> None:
    record = pick_record(DUMP, "calculator-tip")
    assert record.steps[-1].actions[0].__struct_config__.tag == "terminate"
    assert record.id == read_info(DUMP / "calculator-tip").id
    with pytest.raises(UsageError, match="holds 10 recordings"):
        pick_record(DUMP)


def test_what_is_no_record_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not there"):
        pick_record(tmp_path / "absent")
    (tmp_path / "x.jsonl").write_text("{\n", encoding="utf-8")
    with pytest.raises(InputError):
        pick_record(tmp_path / "x.jsonl")
