"""The list is what the records and the stages' tables say, read here in the slow way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.model.trajectory import Origin, Score
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder
from curate.view.review.columns import coded, the_list, the_text
from curate.view.review.data import ReviewData
from tests.factories import make_step, make_trajectory
from tests.view.review.conftest import make_dataset


def plain(column: Any) -> list[Any]:
    """A column, whether coded or not."""
    return [column["values"][code] for code in column["codes"]] if isinstance(column, dict) else column


def by_run(root: Path) -> list[dict[str, Any]]:
    """What became of each run, from all rows of all tables."""
    run = RunFolder(root)
    ids = [record.id for record in read_records(root)]
    found: dict[str, dict[str, Any]] = {i: {"fate": "kept", "flags": set(), "weight": 1.0} for i in ids}
    for path in run.stage_paths():
        for row in run.read_stage(path).to_pylist():
            if row["step"] is not None:
                continue
            one = found[row["id"]]
            if row["verdict"] != "keep":
                one |= {"fate": "dropped" if row["verdict"] == "drop" else "quarantined", "reason": row["reason"]}
                one["stage"] = path.stem[3:]
            if row["witness"] in ids:
                one["witness"] = ids.index(row["witness"])
            one["flags"] |= set(row.get("flags") or ())
            one["split"] = row.get("split") or one.get("split")
            one["weight"] = row["weight"] if row.get("weight") is not None else one["weight"]
    for record in read_records(root):
        found[record.id]["flags"] |= {flag for step in record.steps for flag in step.flags}
    return list(found.values())


def test_the_list_of_a_run_is_what_its_tables_say(run_folder: Path) -> None:
    found = the_list(ReviewData(run_folder))
    records = list(read_records(run_folder))
    fates = by_run(run_folder)
    assert {fate["fate"] for fate in fates} == {"kept", "dropped"}, "the corpus shows too little"
    assert {fate.get("reason") for fate in fates} >= {None, "leaks.same_task", "outcome.not_completed"}
    assert any("witness" in fate for fate in fates)
    assert found["count"] == len(records)
    assert all(len(plain(column)) == len(records) for name, column in found.items() if name != "count")
    assert plain(found["id"]) == [record.id for record in records]
    assert plain(found["instruction"]) == [record.instruction for record in records]
    assert plain(found["source"]) == [record.source.name for record in records]
    assert plain(found["apps"]) == [record.apps for record in records]
    assert plain(found["actor"]) == [record.actor.kind for record in records]
    assert plain(found["completed"]) == [record.outcome.completed for record in records]
    assert plain(found["steps"]) == [len(record.steps) for record in records]
    assert plain(found["pictures"]) == [sum(step.image is not None for step in record.steps) for record in records]
    assert plain(found["flags"]) == [sorted(fate["flags"]) for fate in fates]
    for name in ("fate", "stage", "reason", "witness", "weight"):
        assert plain(found[name]) == [fate.get(name) for fate in fates], name
    kept = [fate.get("split") if fate["fate"] == "kept" else None for fate in fates]
    assert plain(found["split"]) == kept


def test_a_dataset_has_no_fates(tmp_path: Path) -> None:
    score = Score(name="alignment", value=7, min=0, max=10, higher_is_better=True)
    records = [
        make_trajectory("one", scores=[score], video="media/x.mp4"),
        make_trajectory("two", steps=[], apps=[], source=Origin(name="aitw")),
    ]
    found = the_list(ReviewData(make_dataset(tmp_path / "data", records)))
    assert [plain(found[name]) for name in ("fate", "stage", "reason", "split", "witness")] == [[None, None]] * 5
    assert plain(found["score"]) == [7.0, None] and plain(found["score_name"]) == ["alignment", None]
    assert plain(found["video"]) == [True, False] and plain(found["steps"]) == [5, 0]
    assert plain(found["flags"]) == [[], []] and plain(found["pictures"]) == [0, 0]


def test_the_list_reads_no_picture(run_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(run_folder, tmp_path / "run")
    before = the_list(ReviewData(run_folder))
    shutil.rmtree(tmp_path / "run" / "media")
    assert the_list(ReviewData(tmp_path / "run")) == before


@pytest.mark.parametrize("rows", [1, 3, 300])
def test_however_the_parts_are_cut_the_list_is_the_same(tmp_path: Path, rows: int) -> None:
    records = [make_trajectory(f"made:{k}", [f"click {k}"] * (k % 4), instruction=f"Task {k}") for k in range(9)]
    data = ReviewData(make_dataset(tmp_path / "data", records, part_rows=rows))
    assert plain(the_list(data)["steps"]) == [k % 4 for k in range(9)]
    assert [data.record(k).id for k in range(9)] == [f"made:{k}" for k in range(9)]
    assert [data.position(f"made:{k}") for k in range(9)] == list(range(9))


def test_as_if_there_were_no_more_than_the_limit(run_folder: Path) -> None:
    whole, few = ReviewData(run_folder), ReviewData(run_folder, limit=5)
    found, all_of_it = the_list(few), the_list(whole)
    for name in set(found) - {"count", "witness"}:
        assert plain(found[name]) == plain(all_of_it[name])[:5], name
    inside = [at if at is not None and at < 5 else None for at in plain(all_of_it["witness"])[:5]]
    assert plain(found["witness"]) == inside
    assert few.stages[0].of(4) is not None and few.stages[0].of(5) is None


def test_texts_are_cut_and_in_small_letters(tmp_path: Path) -> None:
    long = "Ä" * 1_000_000
    typed = [make_step(0, "click Save"), make_step(1, f"write {long}"), make_step(2, "write LAST")]
    records = [
        make_trajectory("long", steps=typed, instruction="Write MUCH"),
        make_trajectory("longer", steps=[], instruction=long),
    ]
    data = ReviewData(make_dataset(tmp_path / "data", records))
    one, other = the_text(data)["text"]
    assert one.startswith("write much notes click save ") and "ää" in one and len(one) <= 2000 and len(other) == 2000
    shown = the_list(data)["instruction"]
    assert shown[0] == "Write MUCH" and len(shown[1]) == 200 and shown[1].endswith("…")


def test_what_repeats_stands_once() -> None:
    values = [["a"], [], None, ["a"], ["a", "b"], []]
    found = coded(values)
    assert [found["values"][code] for code in found["codes"]] == values
    assert len(found["values"]) == 4 and json.dumps(found)
