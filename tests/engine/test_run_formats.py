"""Whole runs in the formats of model families: what a language cannot say is left out with its reason, wherever the
examples are made from (drafts, or the records), and an export of the run is what the run wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.model import actions as act
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory, png, write_records
from tests.runs import run_here

FORMATS = ["aguvis", "opencua", "qwen25vl", "qwen3vl", "scalecua", "uitars"]


def corpus(folder: Path) -> Path:
    """Records of a computer, with one step that no language says and one that leaves the history when it is missing."""
    (folder / "a.png").write_bytes(png(64, 36))
    shown = {"image": "a.png", "image_size": (64, 36)}
    records = []
    for number in range(6):
        does = [f"click A{number}", act.Goto(f"https://{number}.example"), "press enter", f"click B{number}"]
        steps = [make_step(n, one, **shown) for n, one in enumerate(does)]
        steps[3].image = "gone.png"
        records.append(make_trajectory(f"made:{number}", instruction=f"Sort list {number} by day", steps=steps))
    return write_records(folder / "r.jsonl", records)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("sets", [[], ["images.missing=drop_step"]], ids=["drafts", "records"])
def test_what_a_language_cannot_say_is_left_out(tmp_path: Path, name: str, sets: list[str]) -> None:
    path = corpus(tmp_path)
    alone = ["nearcopies.action=cap:9", f"unroll.format={name}", *sets]
    run_here([path], tmp_path / "run", alone)
    folder = RunFolder(tmp_path / "run")
    rows = list(folder.read_examples())
    left = {(one.id, one.step): one.reason for one in folder.read_steps_left_out()}
    assert {(row["trajectory"], row["step"]) for row in rows} == {(f"made:{n}", at) for n in range(6) for at in (0, 2)}
    assert {left[f"made:{n}", 1] for n in range(6)} == {"unroll.not_in_format"}
    assert set(left) == {(f"made:{n}", at) for n in range(6) for at in (1, 3)}
    out = tmp_path / "out.jsonl"
    assert run(["export", str(tmp_path / "run"), "--format", name, "--keep-pictures", "--out", str(out)]) == 0
    exported = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted(exported, key=str) == sorted(rows, key=str)
    assert not (tmp_path / "out.steps_left_out.jsonl").exists(), "the run has told it all"


def test_another_format_of_a_run_tells_what_it_leaves_out_beyond_the_run(tmp_path: Path) -> None:
    run_here([corpus(tmp_path)], tmp_path / "run", ["nearcopies.action=cap:9"])
    out = tmp_path / "out" / "o.jsonl"
    assert run(["export", str(tmp_path / "run"), "--format", "qwen3vl", "--out", str(out)]) == 0
    told = [json.loads(line) for line in (out.parent / "o.steps_left_out.jsonl").read_text("utf-8").splitlines()]
    own = {(one.id, one.step) for one in RunFolder(tmp_path / "run").read_steps_left_out()}
    assert {(row["id"], row["step"]) for row in told} == {(f"made:{n}", 1) for n in range(6)}
    assert {row["reason"] for row in told} == {"unroll.not_in_format"} and not own & {("made:0", 1)}


def test_options_of_another_format_are_told_before_anything_is_read(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    for wrong in ("unroll.dialect=v1", "unroll.max_pixels=10"):
        out = tmp_path / "run"
        command = ["run", str(path), "--recipe", "web", "--out", str(out), "--set", "unroll.format=qwen25vl"]
        assert run([*command, "--set", wrong]) == 2
        assert not out.exists()
