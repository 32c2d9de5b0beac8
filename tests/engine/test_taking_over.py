"""What a kept run takes over from its copies comes into the dataset and into examples; other batches stay."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from curate.store.dataset import part_paths, read_records
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, write_records
from tests.runs import contents, run_here

ALIKE = ["nearcopies.evidence=actions", "nearcopies.action_people=drop", "split.test=0", "nearcopies.order=input"]
DOING = ["click File", "click Save", "click Open", "click OK", "click Next"]


def write(folder: Path, wording: str) -> Path:
    """Two runs of one kind, the second in other words, and one of another kind."""
    return write_records(
        folder / "in.jsonl",
        [
            make_trajectory("r:1", DOING, instruction="Save the report as PDF", app="notes"),
            make_trajectory("r:2", DOING, instruction=wording, app="notes"),
            make_trajectory("r:3", [f"click {name}" for name in "VWXYZ"], instruction="Open the map", app="maps"),
        ],
    )


def test_wordings_come_into_the_record_and_its_lineage(tmp_path: Path) -> None:
    tmp_path.joinpath("a").mkdir()
    given = write(tmp_path / "a", "Make a PDF of this report")
    run_here([given], tmp_path / "run", ALIKE)
    records = {record.id: record for record in read_records(tmp_path / "run")}
    assert list(records) == ["r:1", "r:2", "r:3"]
    assert list(records["r:1"].wordings.values()) == ["Make a PDF of this report"]
    assert any("r:2" in line for line in records["r:1"].lineage)
    assert not records["r:2"].wordings and not records["r:3"].wordings and not records["r:3"].lineage
    assert [row.id for row in RunFolder(tmp_path / "run").read_rejected()] == ["r:2"]
    before = contents(tmp_path / "run")
    again = run_here([given], tmp_path / "run", ALIKE)
    assert again.done.parts == 0 and not again.done.decisions and contents(tmp_path / "run") == before
    # a run that is over reads its own dataset: what was taken over is there once
    run_here([tmp_path / "run"], tmp_path / "twice", ALIKE)
    twice = {record.id: record for record in read_records(tmp_path / "twice")}
    assert twice["r:1"].wordings == records["r:1"].wordings


def test_a_batch_that_takes_nothing_over_is_not_written_anew(tmp_path: Path) -> None:
    tmp_path.joinpath("a").mkdir()
    given = write(tmp_path / "a", "Make a PDF of this report")
    run_here([given], tmp_path / "run", [*ALIKE, "nearcopies.threshold=1.0", "nearcopies.action=weight",
                                         "nearcopies.action_people=weight"])  # fmt: skip
    (part,) = part_paths(tmp_path / "run")
    assert part.stat().st_nlink == 2  # the batch of .work itself
    assert pq.read_metadata(part).num_rows == 3
