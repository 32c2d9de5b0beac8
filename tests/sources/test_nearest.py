"""What a path looks like that nobody recognises."""

from __future__ import annotations

import json
import re
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
    (tmp_path / "y.jsonl").write_text('{"instruction": "x", "task_id": 1, "other": []}', encoding="utf-8")
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
    assert (nearest(tmp_path) or "").startswith("x.json is ")


def test_a_list_of_files_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "dataset_info.json"
    path.write_text('{"cua": {"file_name": "cua.json", "formatting": "sharegpt"}}')
    assert "give the files that it names" in (nearest(path) or "")
    path.write_text('{"cua": {"columns": {}}}')
    assert nearest(path) is None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", '[{"traj": []}]'.encode("utf-16-be"), "UTF-16 or UTF-32; write it as UTF-8"),
        ("a.json", '[{"traj": []}]'.encode("utf-16"), "UTF-16; write it as UTF-8"),
        ("a.jsonl", b'{"a": 1}\r{"a": 2}\r', "carriage return alone: end them with a line feed"),
        ("a.jsonl", b'{"a": "cut he', "no JSON in its first line: Input data was truncated"),
        ("a.json", b'[{"a": 1}, {"a": "cut he', "no JSON: Input data was truncated"),
        ("a.json", b"[" * 300_000, "no JSON: it is nested too deeply"),
        ("a.json", b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture, whatever its name says"),
        ("a.jsonl", b"\x80\x04\x95" + bytes(100), "a pickle, .* never opened here"),
        ("a.jsonl", b"PAR1" + bytes(100), "a parquet table: end its name with .parquet"),
        ("a.json", b"\x1f\x8b\x08" + bytes(100), "packed with gzip: end its name with .gz, or unpack it"),
        ("a.jsonl", "{\"a\": \"Z\u00fcrich\"}\n".encode("latin-1"), "not UTF-8: write it as UTF-8"),
        ("a.jsonl", b"\n \n", "is empty"),
        ("a.parquet", b'{"a": 1}\n', "is JSON, whatever its name says: end it with .jsonl"),
        ("a.parquet", b"PAR1" + bytes(100), "no whole table: Parquet magic bytes not found"),
        ("a.arrow", bytes(range(200)), "no whole table"),
        ("x-00000-of-00002", b"\x1f\x8b" + bytes(100), "no TFRecord, whatever its name says"),
        ("a.json", b"[]", "holds no rows"),
        ("a.json", b"null", "holds no rows"),
        ("a.txt", b'{"a": 1}\n', "rows of JSON: end its name with .jsonl"),
        ("a.npz", b"PK\x03\x04", "may hold a pickle and is never opened here"),
        ("splits.json", b'{"train": [1, 2], "test": [3]}', "lists of ids, as splits are published"),
        ("tasks.txt", b"Find a restaurant\nShow the news\n", "`curate tests add`"),
    ],
)  # fmt: skip
def test_a_file_that_breaks_or_lists_things_is_said_to(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Alone, and by its name where it lies in a folder that holds nothing else."""
    (tmp_path / name).write_bytes(content)
    assert re.search(said, nearest(tmp_path / name) or ""), nearest(tmp_path / name)
    assert re.search(f"{name} .*({said})", nearest(tmp_path) or ""), nearest(tmp_path)


def test_an_empty_folder_is_said_to_be_one(tmp_path: Path) -> None:
    assert nearest(tmp_path) == "it is empty"


def test_a_file_of_a_source_that_breaks_is_named_with_its_source(tmp_path: Path) -> None:
    row = json.dumps({"task_id": "1", "instruction": "x", "traj": []})
    (tmp_path / "x.json").write_text(f"[{row}, {row[:-9]}", encoding="utf-8")
    assert nearest(tmp_path) == "x.json looks like agentnet, but is no JSON: Input data was truncated"


@pytest.mark.parametrize("content", [b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b"[" * 200_000, b"[" * 90_000])
def test_a_file_nested_without_end_is_looked_at_by_every_source(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    (tmp_path / "x.jsonl").write_bytes(content)
    assert not [name for name, one in sources().items() if one.recognise(tmp_path / "x.json")]
    for one in sources().values():
        one.recognise(tmp_path / "x.jsonl")  # the source of records takes it, to say in which line it breaks
