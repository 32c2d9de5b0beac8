"""Paths of a run folder, and reading it back."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from curate.model.errors import InputError
from curate.model.rejected import Rejected, StepLeftOut
from curate.store.atomic import write_json, write_jsonl
from curate.store.run_folder import RunFolder, is_run


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    rejected = Rejected(id=None, file="a.jsonl", line=2, stage="validate", reason="read.json", detail="é")
    step = StepLeftOut(id="x", step=3, file=None, line=None, stage="images", reason="images.missing")
    write_jsonl(run.rejected, [rejected])
    write_jsonl(run.steps_left_out, [step])
    write_json(run.run_json, {"seed": 0})
    write_json(run.report_json, {"read": 1})
    table = pa.table({"id": ["x"], "verdict": ["keep"]})
    assert run.write_stage(3, "images", table).name == "03-images.parquet"
    run.write_stage(10, "unroll", table)
    for name in ("train-00000", "train-00001", "test-00000"):
        write_jsonl(run.examples / f"{name}.jsonl", [{"name": name}])
    assert (list(run.read_rejected()), list(run.read_steps_left_out())) == ([rejected], [step])
    assert (run.read_run(), run.read_report()) == ({"seed": 0}, {"read": 1})
    assert [path.name for path in run.stage_paths()] == ["03-images.parquet", "10-unroll.parquet"]
    assert run.read_stage(run.stage_paths()[0]).equals(table)
    assert [row["name"] for row in run.read_examples("train")] == ["train-00000", "train-00001"]
    assert len(list(run.read_examples())) == 3


def test_what_is_missing_or_broken_is_said_with_its_place(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    with pytest.raises(InputError, match=r"run\.json"):
        run.read_run()
    run.rejected.write_text('{"id":null,"file":"a","line":1,"stage":"validate","reason":"read.json"}\n{"id": 3}\n')
    with pytest.raises(InputError, match=r"rejected\.jsonl, line 2"):
        list(run.read_rejected())
    run.stages.mkdir()
    (run.stages / "01-images.parquet").write_bytes(b"x")
    with pytest.raises(InputError, match="01-images"):
        run.read_stage(run.stage_paths()[0])


def test_which_folder_is_a_run(tmp_path: Path) -> None:
    assert not is_run(tmp_path) and not is_run(tmp_path / "none")
    write_json(tmp_path / "run.json", {})
    (tmp_path / "trajectories").mkdir()
    assert is_run(tmp_path)
