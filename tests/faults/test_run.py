"""Whole runs over inputs that are broken, hostile or too large, and on a disk that is full."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from curate.engine.run_identity import locked
from curate.model.trajectory import encode
from curate.store.dataset import read_records
from curate.store.media import encode_png
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory, png, write_records
from tests.runs import command, contents, curate, examples, rows, run_here

resource = pytest.importorskip("resource", reason="limits and signals of a process as POSIX has them")


def reasons(out: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows(RunFolder(out).rejected):
        found[row["reason"]] = found.get(row["reason"], 0) + 1
    return found


def test_broken_lines_are_told_by_file_and_line_and_stop_nothing(tmp_path: Path) -> None:
    good = make_trajectory("made:1")
    path = write_records(
        tmp_path / "a.jsonl", [good, b'{"schema": "trajectory.v1", "id": "x"', b"\xff\xfe\xfd", b"[1, 2]", b"", good]
    )
    run_here([path], tmp_path / "run")
    told = {row["line"]: row["reason"] for row in rows(RunFolder(tmp_path / "run").rejected)}
    assert told == {2: "read.json", 3: "read.encoding", 4: told[4], 6: "nearcopies.repeat"}
    assert told[4] in ("validate.schema", "read.json")
    assert [record.id for record in read_records(tmp_path / "run")] == ["made:1", "made:1#2"]


def test_an_empty_file_and_another_encoding_beside_good_ones(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_records(folder / "good.jsonl", [make_trajectory()])
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "wide.jsonl").write_bytes(encode(make_trajectory()).decode().encode("utf-16"))
    summary = run_here([folder], tmp_path / "run")
    assert summary.report["trajectories"] == 1
    # either the source names what is wrong with the file, or it is listed as not recognised: never silence
    told = {row["file"] for row in rows(RunFolder(tmp_path / "run").rejected)} | set(summary.not_recognised)
    assert {"empty.jsonl", "wide.jsonl"} <= told


def test_only_unreadable_inputs_are_an_error_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "notes.txt").write_text("hello")
    done = curate("run", tmp_path / "in", "--recipe", "web", "--out", tmp_path / "run")
    assert done.returncode == 3 and "Traceback" not in done.stderr and not (tmp_path / "run").exists()


def test_pictures_missing_absolute_or_leading_out(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (tmp_path / "secret.png").parent.mkdir(exist_ok=True)
    (tmp_path / "secret.png").write_bytes(png())
    folder.mkdir()
    (folder / "here.png").write_bytes(png(shade=40))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    pictures = {"here": "here.png", "missing": "gone.png", "up": "../secret.png", "link": "link.png",
                "absolute": str(tmp_path / "secret.png")}  # fmt: skip
    write_records(
        folder / "a.jsonl",
        [make_trajectory(f"made:{name}", steps=[make_step(0, image=image)], instruction=f"Open the file {name}")
         for name, image in pictures.items()],
    )  # fmt: skip
    run_here([folder], tmp_path / "run")
    stored = list((tmp_path / "run" / "media").rglob("*.png"))
    assert [path.read_bytes() for path in stored] == [png(shade=40)], "nothing from outside of the input is taken in"
    told = {row["id"]: row["reason"] for row in rows(RunFolder(tmp_path / "run").rejected)}
    for name in ("up", "link", "absolute"):
        assert told[f"made:{name}"] == "read.path_refused"
    left = {row["id"]: row["reason"] for row in rows(RunFolder(tmp_path / "run").steps_left_out)}
    assert "made:missing" in told or "made:missing" in left
    assert {row["trajectory"] for row in examples(tmp_path / "run")} >= {"made:here"}


def test_pictures_that_were_missing_are_taken_in_by_the_same_command(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    steps = [make_step(0, image="a.png"), make_step(1, "click Next", image="b.png")]
    write_records(folder / "a.jsonl", [make_trajectory("made:1", steps=steps), make_trajectory("made:2")])
    run_here([folder], tmp_path / "run")
    assert {row["id"]: row["reason"] for row in rows(RunFolder(tmp_path / "run").rejected)} == {
        "made:1": "read.media_missing"
    }
    for name in ("a", "b"):
        (folder / f"{name}.png").write_bytes(png(shade=30 if name == "a" else 60))
        run_here([folder], tmp_path / "run")
        run_here([folder], tmp_path / f"fresh-{name}")
        assert contents(tmp_path / "run") == contents(tmp_path / f"fresh-{name}")
    assert rows(RunFolder(tmp_path / "run").rejected) == []
    assert run_here([folder], tmp_path / "run").done.shards == 0


def test_names_beyond_ascii_and_of_300_characters(tmp_path: Path) -> None:
    folder = tmp_path / "Übung 日本" / ("x" * 100) / ("y" * 100)
    name = "日" * 80
    path = write_records(folder / f"{name}.jsonl", [make_trajectory("名前:" + "字" * 300, instruction="開く " * 100)])
    assert len(str(path)) > 300
    run_here([tmp_path / "Übung 日本"], tmp_path / "läuft")
    assert [record.id for record in read_records(tmp_path / "läuft")] == ["名前:" + "字" * 300]
    assert len(examples(tmp_path / "läuft")) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
def test_a_line_of_200_mb_is_passed_over_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(encode(make_trajectory("made:1")) + b"\n")
        file.write(b'{"schema": "trajectory.v1", "instruction": "')
        for _ in range(200):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n')
        file.write(encode(make_trajectory("made:2", ["click Other", "press tab"], instruction="Do it again")) + b"\n")
    small = write_records(tmp_path / "small.jsonl", [make_trajectory("made:1")])
    least, most = (_peak(one, tmp_path / f"run-{one.stem}") for one in (small, path))
    assert reasons(tmp_path / "run-a") == {"read.too_long": 1}
    assert [record.id for record in read_records(tmp_path / "run-a")] == ["made:1", "made:2"]
    assert most - least < 100 << 20, f"{(most - least) >> 20} MB more than a small file takes"


def _peak(path: Path, out: Path) -> int:
    """Peak resident bytes of `curate run` over the file, one process."""
    process = subprocess.Popen(command("run", path, "-r", "web", "-o", out, "-w", "1", "-q"), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte, where this process may mount one."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def many(path: Path, count: int = 400) -> Path:
    return write_records(path, [make_trajectory(f"made:{k}", instruction=f"Task number {k}") for k in range(count)])


def test_a_full_disk_is_a_sentence_and_the_run_goes_on_where_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "in"
    pictures.mkdir()
    noise = [encode_png(np.frombuffer(os.urandom(200_700), np.uint8).reshape(223, 300, 3)) for _ in range(8)]
    for k, data in enumerate(noise):
        (pictures / f"{k}.png").write_bytes(data)
    write_records(
        pictures / "a.jsonl",
        [make_trajectory(f"made:{k}", steps=[make_step(0, image=f"{k}.png")]) for k in range(len(noise))],
    )
    done = curate("run", pictures, "-r", "web", "-o", small_disk / "run")
    assert done.returncode == 1 and "the disk is full" in done.stderr and "Traceback" not in done.stderr
    left = [path for path in (small_disk / "run").rglob("*") if path.is_file()]
    assert not [path for path in left if path.name.startswith(".tmp-")], "nothing half written"
    for path in left:
        if path.suffix == ".png":
            assert path.read_bytes() in noise
    shutil.copytree(small_disk / "run", tmp_path / "run")
    again = curate("run", pictures, "-r", "web", "-o", tmp_path / "run")
    assert again.returncode == 0, again.stderr
    curate("run", pictures, "-r", "web", "-o", tmp_path / "fresh")
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")


def test_a_file_size_limit_is_a_sentence(tmp_path: Path) -> None:
    path = many(tmp_path / "a.jsonl")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = curate("run", path, "-r", "web", "-o", tmp_path / "run", "-w", "1", preexec_fn=limit)
    assert done.returncode == 1 and "larger than the system allows" in done.stderr and "Traceback" not in done.stderr


def test_a_folder_that_may_not_be_written_to_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here already")
    done = curate("run", many(tmp_path / "a.jsonl", 3), "-r", "web", "-o", tmp_path / "file" / "run")
    assert done.returncode == 1 and "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 2


def test_ctrl_c_leaves_with_130_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path = many(tmp_path / "a.jsonl", 1200)
    arguments = ["run", path, "-r", "web", "-w", "2"]
    process = subprocess.Popen(
        command(*arguments, "-o", tmp_path / "run"), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    while not (tmp_path / "run" / ".work").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "goes on" in said and "Traceback" not in said
    assert curate(*arguments, "-o", tmp_path / "run").returncode == 0
    assert curate(*arguments, "-o", tmp_path / "fresh").returncode == 0
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")


def test_one_run_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    path = many(tmp_path / "a.jsonl", 3)
    run_here([path], tmp_path / "run")
    with locked(tmp_path / "run"):
        second = curate("run", path, "-r", "web", "-o", tmp_path / "run")
        assert second.returncode == 1 and "Another run works in" in second.stderr
    assert curate("run", path, "-r", "web", "-o", tmp_path / "run").returncode == 0
