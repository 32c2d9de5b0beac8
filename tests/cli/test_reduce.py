"""`curate reduce`: raw recordings to a dataset, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.model.trajectory import Trajectory, encode
from curate.store.dataset import file_sha256, read_manifest, read_records
from tests.factories import make_trajectory, write_records
from tests.runs import command, curate
from tests.sources.folders import click, make_folder, make_video


def tree(root: Path) -> dict[str, str]:
    return {p.relative_to(root).as_posix(): file_sha256(p) for p in sorted(root.rglob("*")) if p.is_file()}


def test_a_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_video(make_folder(tmp_path / "dump" / "a" / "one") / "v.mp4")
    make_folder(tmp_path / "dump" / "two", click(1, 100, 100))
    broken = make_folder(tmp_path / "dump" / "three", b"")
    write_records(tmp_path / "dump" / "records.jsonl", [make_trajectory()])
    out = tmp_path / "ds"
    assert run(["reduce", str(tmp_path / "dump"), "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == "" and "2 recordings, 6 steps" in captured.err and "read.empty" in captured.err
    assert f"Next: curate show {out}" in captured.err
    records = list(read_records(out, check_hashes=True))
    assert [len(record.steps) for record in records] == [4, 2]
    assert all((out / step.image).is_file() for step in records[0].steps if step.image)
    (row,) = [json.loads(line) for line in (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert row["reason"] == "read.empty" and broken.name not in row["file"]
    assert "rejected.jsonl" not in read_manifest(out).files


def test_the_order_of_the_arguments_does_not_matter_and_twice_is_the_same(tmp_path: Path) -> None:
    one, two = make_folder(tmp_path / "one"), make_folder(tmp_path / "two", click(1, 100, 100))
    make_video(one / "v.mp4")
    assert run(["reduce", str(one), str(two), "--out", str(tmp_path / "a")]) == 0
    assert run(["reduce", str(two), str(one), "--out", str(tmp_path / "b")]) == 0
    before = tree(tmp_path / "a")
    assert before == tree(tmp_path / "b") and len(before) > 3
    assert run(["reduce", str(one), str(two), "--out", str(tmp_path / "a")]) == 0
    assert tree(tmp_path / "a") == before


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_killed_at_any_moment_the_same_command_ends_with_the_same_bytes(tmp_path: Path) -> None:
    for number in range(3):
        make_video(
            make_folder(tmp_path / "dump" / f"{number}", click(2 + number, 600, 300)) / "v.mp4", size=(1280, 720)
        )
    whole = curate("reduce", tmp_path / "dump", "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "killed"
    for wait in (0.8, 1.6, 2.2, 2.8, 3.5):
        process = subprocess.Popen(command("reduce", tmp_path / "dump", "--out", out), stderr=subprocess.DEVNULL)
        time.sleep(wait)
        process.kill()
        process.wait()
    assert curate("reduce", tmp_path / "dump", "--out", out).returncode == 0
    assert tree(out) == tree(tmp_path / "whole")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
@pytest.mark.parametrize("limit", [1_000, 12_000])
def test_a_disk_that_takes_no_more(tmp_path: Path, limit: int) -> None:
    """Whichever file meets the limit first, a picture or a table."""
    import resource

    make_video(make_folder(tmp_path / "one") / "v.mp4")
    done = curate(
        "-q", "reduce", tmp_path / "one", "--out", tmp_path / "ds",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("Error: Cannot write ") and done.stderr.count("\n") == 1
    assert not (tmp_path / "ds" / "dataset.json").exists()
    assert not [path for path in (tmp_path / "ds").rglob("*") if path.name.startswith(".tmp-")]
    assert curate("-q", "reduce", tmp_path / "one", "--out", tmp_path / "ds").returncode == 0


def test_a_recording_copied_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_folder(tmp_path / "dump" / "one")
    make_folder(tmp_path / "dump" / "copy")
    assert run(["reduce", str(tmp_path / "dump"), "--out", str(tmp_path / "ds")]) == 0
    assert "read.duplicate_id" in capsys.readouterr().err
    assert read_manifest(tmp_path / "ds").trajectories == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--set", "reduce.revew=ignore"], 2, "review"),
        (["--set", "reduce.review=maybe"], 2, "honour"),
        (["--set", "images.erased=keep"], 2, "reduce and keyframes"),
        (["--set", "nothing"], 2, "--set"),
    ],
)
def test_wrong_settings(
    tmp_path: Path, arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_folder(tmp_path / "one")
    assert run(["reduce", str(folder), "--out", str(tmp_path / "ds"), *arguments]) == code
    assert said in capsys.readouterr().err and not (tmp_path / "ds").exists()


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "ds")
    assert run(["reduce", str(tmp_path / "missing"), "--out", out]) == 3
    write_records(tmp_path / "r.jsonl", [make_trajectory()])
    assert run(["reduce", str(tmp_path / "r.jsonl"), "--out", out]) == 3
    assert "curate run" in capsys.readouterr().err
    assert run(["reduce", str(make_folder(tmp_path / "one", b"")), "--out", out]) == 3
    assert "events.jsonl is missing or empty" in capsys.readouterr().err
    assert not (tmp_path / "ds" / "dataset.json").exists()


def test_another_dataset_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = make_folder(tmp_path / "one"), make_folder(tmp_path / "two", click(1, 100, 100))
    out = tmp_path / "ds"
    assert run(["reduce", str(one), "--out", str(out)]) == 0
    before = tree(out)
    for arguments in ([str(two)], [str(one), "--set", "reduce.review=ignore"]):
        assert run(["reduce", *arguments, "--out", str(out)]) == 4
        assert "choose a new --out" in capsys.readouterr().err
    assert tree(out) == before


def test_the_real_recording(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The 25 actions that a careful reader of the raw events finds, in pixels of 1366 x 768."""
    out = tmp_path / "ds"
    folder = str(shared / "data/agentnet-recording")
    assert run(["reduce", folder, "--out", str(out), "--set", "reduce.review=ignore"]) == 0
    capsys.readouterr()
    assert run(["show", str(out), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    (record,) = read_records(out)
    assert encode(record).decode() == line
    assert [pixels(record, index) for index in range(26)] == EXPECTED
    assert record.steps[25].code == "computer.terminate()" and record.outcome.completed is None
    assert all(step.image is not None for step in record.steps)
    assert "18-56-31" not in line and "agentnet-recording" not in line  # names of the video and the folder


EXPECTED = [
    "click 1328,745", "rightClick 1305,393", "click 1268,406", "moveTo 621,206 dragTo 561,213", "click 360,256",
    "moveTo 541,602 scroll -3", "click 562,277", "click 544,316", "click 732,563", "click 640,176", "click 1039,556",
    "click 846,782", "click 827,843", "click 835,872", "click 435,790", "click 436,708", "click 1056,566",
    "click 773,785", "click 773,785", "moveTo 1212,756 scroll -6", "click 218,636", "click 756,306", "click 697,680",
    "moveTo 1084,779 scroll -6", "moveTo 1085,779 scroll 4", "terminate",
]  # fmt: skip


def pixels(record: Trajectory, index: int) -> str:
    parts = []
    for action in json.loads(encode(record))["steps"][index]["actions"]:
        words = [action["type"]]
        if "x" in action:
            x, y = action.get("raw_point") or (action["x"] * 1366, action["y"] * 768)
            words.append(f"{round(x)},{round(y)}")
        if "amount" in action:
            words.append(f"{action['amount']:g}")
        parts.append(" ".join(words))
    return " ".join(parts)
