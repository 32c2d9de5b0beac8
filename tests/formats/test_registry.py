"""Formats are found by their files, keep their golden rows, and load as typed columns."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curate.formats.base import FormatOptions, columns, format_named, formats, options_from, rows
from curate.model.errors import UsageError
from curate.stages.unroll import UnrollOptions
from tests.formats.records import note_record

GOLDEN = Path(__file__).parent / "golden"
TARGETS = [0, 2, 4]


def _lines(name: str, **options: Any) -> str:
    record = note_record()
    textual = note_record(id="note:2")
    for step in textual.steps:
        step.image = None
    form = format_named(name)
    made = [row for given in (textual, record) for row in rows(form, given, TARGETS, FormatOptions(**options))]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made)


def test_formats_are_found() -> None:
    assert {"messages", "opencua", "lesson"} <= set(formats())
    assert all(name == here.name for name, here in formats().items())
    with pytest.raises(UsageError, match="messages"):
        format_named("message")


@pytest.mark.parametrize("name", ["lesson", "messages", "opencua"])
def test_golden_rows(name: str) -> None:
    """Change a format on purpose, look at the difference, and write the file anew with CURATE_WRITE_GOLDEN=1."""
    path = GOLDEN / f"{name}.jsonl"
    made = _lines(name, images=2)
    if os.environ.get("CURATE_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(made, encoding="utf-8", newline="\n")
    assert made == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["lesson", "messages", "opencua"])
def test_rows_load_with_datasets(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    path = tmp_path / "train-00000.jsonl"
    path.write_text(_lines(name, images=2), encoding="utf-8")
    loaded = load_dataset("json", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
    pictured = name == "opencua"  # which has no row without a picture
    assert len(loaded) == (1 if pictured else 2) * len(TARGETS)
    for row, line in zip(loaded, path.read_text("utf-8").splitlines(), strict=True):
        assert _without_nulls(row) == _without_nulls(json.loads(line))


@pytest.mark.parametrize("name", ["lesson", "messages"])
def test_typed_columns_load_files_that_begin_without_pictures(name: str, tmp_path: Path) -> None:
    from datasets import Features, load_dataset

    textless, pictured = (line + "\n" for line in (_lines(name).splitlines()[0], _lines(name).splitlines()[-1]))
    path = tmp_path / "train.jsonl"
    path.write_text(textless * 40 + pictured * 40, encoding="utf-8")
    features = Features.from_arrow_schema(columns(name))
    arguments = {"data_files": str(path), "split": "train", "cache_dir": str(tmp_path / "cache"), "chunksize": 2000}
    loaded = load_dataset("json", features=features, **arguments)
    assert _without_nulls(loaded[79]) == _without_nulls(json.loads(pictured))
    assert _without_nulls(loaded[0]) == _without_nulls(json.loads(textless))


def test_the_readmes_way_reads_a_runs_shards_that_begin_without_pictures(tmp_path: Path) -> None:
    """The code of the README as it stands there: a shard without any picture, then one with more than 10 MB of rows
    before its first."""
    bare, pictured = (json.loads(_lines("messages").splitlines()[at]) for at in (0, -1))
    bare["messages"][1]["content"][0]["text"] = "x" * 1_000_000
    for number, shard in enumerate(([bare], [bare] * 11 + [pictured])):
        path = tmp_path / "RUN" / "examples" / f"train-{number:05d}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in shard), encoding="utf-8")
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    (code,) = [part for part in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if 'Path("RUN")' in part]
    code = code.replace('Path("RUN")', f"Path({str(tmp_path / 'RUN')!r})") + "print(len(rows), rows[12]['id'])"
    around = {**os.environ, "HF_DATASETS_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["13", pictured["id"]]


def test_a_format_of_mixed_types_has_no_columns() -> None:
    assert columns("opencua") is None


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def test_rows_have_the_same_keys_and_types_in_every_line() -> None:
    def kinds(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: kinds(inner) for name, inner in value.items()}
        return "list" if isinstance(value, list) else type(value).__name__

    for name in formats():
        rows = [kinds(json.loads(line)) for line in _lines(name).splitlines()]
        for row in rows:
            if name == "lesson":
                row["input"]["image"] = "str"  # null for a step without a picture
            if name == "transitions":
                row["image_path"] = row["next_image"] = "str"  # null where no picture is known to follow
        assert all(row == rows[0] for row in rows), name


def test_options_come_from_the_recipe() -> None:
    options = options_from(UnrollOptions(history=-1, images=2, untrained="keep"), split="test")
    assert (options.history, options.images, options.untrained, options.split) == (-1, 2, "keep", "test")
