"""What `curate export` says of records that give no row at all: none is lost in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.cli._app import run
from curate.formats.base import formats
from curate.model.actions import Terminate
from curate.model.reasons import REASONS
from curate.store.dataset import DatasetWriter
from tests.factories import make_step, make_trajectory, png, write_records
from tests.runs import run_here


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


@pytest.mark.parametrize("name", formats())
def test_every_record_gives_a_row_or_has_a_line_with_its_reason(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        image = writer.media.add_bytes(png(), "png")
        writer.add(make_trajectory("made:none", steps=[]))
        writer.add(make_trajectory("made:end", steps=[make_step(0, Terminate(), image=image, image_size=(64, 36))]))
        writer.add(make_trajectory("made:bare", ["click A"]))
        writer.add(make_trajectory("made:whole", steps=[make_step(0, "click A", image=image, image_size=(64, 36))]))
    out = tmp_path / "train.jsonl"
    told = ["export", str(tmp_path / "ds"), "--format", name, "--out", str(out)]
    assert run([*told, "--by", "platform"]) == 0
    assert run(told) == 0
    said = capsys.readouterr().err
    gave = {row.get("trajectory") or row["id"] for row in _lines(out)}
    left = _lines(tmp_path / "train.records_left_out.jsonl")
    (of_set,) = tmp_path.glob("train-*.records_left_out.jsonl")  # all are of one platform
    assert left == _lines(of_set)
    assert sorted([*gave, *(row["id"] for row in left)]) == ["made:bare", "made:end", "made:none", "made:whole"]
    assert {row["reason"] for row in left} <= REASONS.keys() and {row["stage"] for row in left} == {"export"}
    (empty,) = [row for row in left if row["id"] == "made:none"]
    assert empty["detail"] == "The record has no steps."
    assert empty["reason"] == ("unroll.no_example" if formats()[name].by_run else "unroll.no_target_left")
    assert f"{len(left)} records gave none." in said and f"{empty['reason']}" in said


def test_the_file_goes_when_every_record_gives_a_row(tmp_path: Path) -> None:
    out, left = tmp_path / "out" / "train.jsonl", tmp_path / "out" / "train.records_left_out.jsonl"
    told = ["export", str(tmp_path / "ds"), "--format", "messages", "--out", str(out)]
    for steps, lines in (([], 1), ([make_step(0, "click A")], 0)):
        with DatasetWriter(tmp_path / "ds") as writer:
            writer.add(make_trajectory("made:1", steps=steps))
        assert run(told) == 0
        assert len(_lines(left)) == lines and left.exists() == bool(lines)
    left.write_text("mine")
    (tmp_path / "out" / ".exported.json").unlink()
    out.unlink()
    assert run(told) == 4 and left.read_text() == "mine"


def test_a_record_that_a_run_kept_and_a_format_cannot_say(tmp_path: Path) -> None:
    path = write_records(tmp_path / "records.jsonl", [make_trajectory("made:1", ["click A", "click B", "press enter"])])
    run_here([path], tmp_path / "run", [])
    out = tmp_path / "train.jsonl"
    assert run(["export", str(tmp_path / "run"), "--format", "opencua", "--out", str(out)]) == 0
    (left,) = _lines(tmp_path / "train.records_left_out.jsonl")
    assert not _lines(out) and left["id"] == "made:1" and left["reason"] == "unroll.no_target_left"
    assert (left["file"], left["line"]) == ("records.jsonl", 1), "its place"
    steps = _lines(tmp_path / "train.steps_left_out.jsonl")
    assert {row["reason"] for row in steps} == {"unroll.no_picture"} and len(steps) == 3
