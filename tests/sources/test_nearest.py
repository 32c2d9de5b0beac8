"""What a path looks like that nobody recognises."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.sources.nearest import MARKS, names_of, nearest
from curate.sources.registry import sources

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("name", sorted(MARKS))
def test_the_names_are_those_that_a_file_of_the_source_holds(name: str) -> None:
    """Against the source's own fixtures, so that a hint never sends somebody to look for a name that is not there."""
    assert name in sources()
    raw = [file for raw in FIXTURES.glob(f"{name}/**/raw") for file in sorted(raw.rglob("*")) if file.is_file()]
    if name == "records":
        return  # the project's own form: `model.trajectory`
    assert raw, f"{name} has no fixture"
    held = [names_of(file) for file in raw]
    assert any(set(MARKS[name]) <= names for names in held), sorted(max(held, key=lambda n: len(n & set(MARKS[name]))))


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"task_id": "1", "instruction": "x", "steps": []}), encoding="utf-8")
    assert nearest(tmp_path / "x.json") is None or "x.json" not in str(nearest(tmp_path / "x.json"))
    (tmp_path / "y.jsonl").write_text('{"instruction": "x", "task_id": 1, "other": [', encoding="utf-8")
    assert nearest(tmp_path / "y.jsonl") == "it looks most like agentnet, but has no traj"


def test_columns_of_a_table(tmp_path: Path) -> None:
    columns = {"confirmed_task": ["x"], "annotation_id": ["y"], "target_action_index": ["0"], "operation": ["{}"]}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    assert "multimodal_mind2web" in str(nearest(tmp_path)) and "pos_candidates" in str(nearest(tmp_path))


@pytest.mark.parametrize(("name", "said"), [("a.pt", "never opened"), ("b.zip", "archive"), ("c.tar", "unpack")])
def test_files_that_are_no_text(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_bytes(b"\x80\x02}q\x00.")
    assert said in str(nearest(tmp_path / name))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[[[[[[", b'{"a": NaN}', b"[" * 100_000])
def test_anything_at_all(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    (tmp_path / "x.parquet").write_bytes(content)
    assert nearest(tmp_path) is None


def test_a_list_of_files_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "dataset_info.json"
    path.write_text('{"cua": {"file_name": "cua.json", "formatting": "sharegpt"}}')
    assert "give the files that it names" in (nearest(path) or "")
    path.write_text('{"cua": {"columns": {}}}')
    assert nearest(path) is None
