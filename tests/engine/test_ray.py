"""Runs on a Ray of this machine with two workers give the bytes of a run without; also when a worker is killed in the
middle, and when the command is killed and given again. One Ray for the whole module, on loopback."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curate.cli._app import run as curate
from curate.engine.distributed_copies import DistributedCopies
from curate.engine.plan import make_plan
from curate.engine.ray_workers import LOCAL, RayWorkers, _connected
from curate.engine.recipe import load_recipe
from curate.engine.remote_out import place_of
from curate.engine.run import run
from curate.engine.workers import WorkersError
from curate.model.errors import InputError
from curate.stages.copies.search.keep_first import keep_first
from curate.stages.copies.types import Problem, Sets
from tests.factories import make_trajectory, write_records
from tests.runs import command, contents, run_here
from tests.store.s3 import objects, s3_server, upload

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra [ray] is not installed")


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    """Before the cluster, whose workers find it by the environment they were started in."""
    with s3_server(tmp_path_factory.mktemp("cache")) as patch:
        yield patch


@pytest.fixture(scope="module")
def cluster(s3: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Ray of two workers, as `--ray local` starts it: on loopback."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        ray, started = _connected(LOCAL, 2)
        address: str = ray.get_runtime_context().gcs_address
        assert started and address.startswith("127.0.0.1:")
        yield address
        ray.shutdown()


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of runs of which some are copies of each other, and lines that are none."""
    folder = tmp_path_factory.mktemp("dump")
    for file in range(8):
        records = [
            make_trajectory(
                f"made:{file}:{k}", instruction=f"Do the thing number {k % 25}",
                does=[f"click {(k * step) % 17}" for step in range(1, 8)], app=f"app {k % 3}",
            )
            for k in range(60)
        ]  # fmt: skip
        write_records(folder / f"{file}.jsonl", [*records, b"{", b"null"])
    return folder


@pytest.fixture(scope="module")
def alone(dump: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The run folder that one machine makes."""
    out = tmp_path_factory.mktemp("alone") / "run"
    run_here([dump], out)
    return contents(out)


def on_ray(dump: Path, out: Path) -> Any:
    return run(make_plan([dump], load_recipe("web"), out, ray=LOCAL, workers=2))


def test_same_bytes_and_found_again(cluster: str, dump: Path, alone: dict[str, str], tmp_path: Path) -> None:
    summary = on_ray(dump, tmp_path / "run")
    assert summary.done.shards == 8 and contents(tmp_path / "run") == alone
    again = on_ray(dump, tmp_path / "run")
    assert again.done.shards == again.done.examples == 0 and contents(tmp_path / "run") == alone


def test_same_bytes_where_near_copies_are_worked_out_in_parts(
    cluster: str, dump: Path, alone: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("PARTITIONED_FROM", 1), ("PARTITION_SHARD_RUNS", 100), ("PARTITION_RUNS", 150)):
        monkeypatch.setattr(f"curate.engine.distributed_copies.{name}", size)
    solved: list[int] = []
    decided = DistributedCopies._decided

    def counted(self: DistributedCopies, problem: Problem, folder: Path) -> Any:
        solved.append(problem.sets.count)
        return decided(self, problem, folder)

    monkeypatch.setattr(DistributedCopies, "_decided", counted)
    on_ray(dump, tmp_path / "run")
    assert solved and contents(tmp_path / "run") == alone


def keys(draw: np.random.Generator, count: int, most: int) -> Sets:
    rows = [np.unique(draw.integers(0, 6, draw.integers(0, most))) for _ in range(count)]
    return Sets(np.concatenate(rows).astype(np.int32), np.cumsum([0, *map(len, rows)]).astype(np.int64))


@pytest.mark.parametrize("seed", range(4))
def test_any_problem_in_parts_on_ray_as_on_one_machine(cluster: str, seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    count = 600
    rows = [np.unique(draw.geometric(0.08, draw.integers(0, 14)) - 1) for _ in range(count)]
    problem = Problem(
        sets=Sets(np.concatenate(rows).astype(np.int32), np.cumsum([0, *map(len, rows)]).astype(np.int64)),
        order=draw.permutation(count).astype(np.int64),
        threshold=Fraction(1 + seed % 2, 3),
        scopes=keys(draw, count, 3) if seed % 2 else None,
        evidence=keys(draw, count, 3) if seed > 1 else None,
        needs=keys(draw, count, 2) if seed == 3 else None,
        short=4 * (seed % 2),
        cap=draw.integers(0, 3, count).astype(np.int32),
    )
    with pytest.MonkeyPatch.context() as small, RayWorkers(LOCAL, 2, tmp_path) as workers:
        small.setattr("curate.engine.distributed_copies.PARTITION_SHARD_RUNS", 170)
        small.setattr("curate.engine.distributed_copies.PARTITION_RUNS", 200)
        found = DistributedCopies(tmp_path, workers, large=0)(problem)
    for one, other in zip(found, keep_first(problem), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not (tmp_path / ".work" / "copies").exists()


def workers_at_work(name: str) -> list[int]:
    """Processes of Ray's that run a task of that name, which Ray writes into their titles."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes().startswith(f"ray::{name}".encode()):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


needs_proc = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="tasks are found in /proc")


def kill_one(name: str, killed: list[int]) -> threading.Thread:
    """Kills the first worker that is seen at a task of that name."""

    def watch() -> None:
        deadline = time.monotonic() + 240
        while not killed and time.monotonic() < deadline:
            for process in workers_at_work(name)[:1]:
                os.kill(process, signal.SIGKILL)
                killed.append(process)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


@needs_proc
def test_a_worker_killed_in_the_middle(cluster: str, dump: Path, alone: dict[str, str], tmp_path: Path) -> None:
    killed: list[int] = []
    killer = kill_one("read_shard", killed)
    on_ray(dump, tmp_path / "run")
    killer.join()
    assert killed and contents(tmp_path / "run") == alone


@needs_proc
def test_nodes_that_share_no_disk(cluster: str, dump: Path, alone: dict[str, str], tmp_path: Path) -> None:
    """What is read and the run folder are in an object store; each worker has a folder of its own. One is killed."""
    upload(dump, "s3://cluster/in")
    place = place_of("s3://cluster/run")
    killed: list[int] = []
    killer = kill_one("read_shard", killed)  # Ray shows what a worker does by that name
    arguments = ["run", "s3://cluster/in", "-r", "web", "-o", "s3://cluster/run", "--ray", cluster]
    assert curate(arguments) == 0
    killer.join()
    here = contents(place.folder)
    here.pop("report.html")
    assert killed and here == alone
    put = objects("s3://cluster/run")
    assert put.keys() == {name for name in [*here, "report.html"] if not name.startswith(".work/")}
    assert all(put[name] == (place.folder / name).read_bytes() for name in put)


def test_the_command_killed_and_given_again(cluster: str, dump: Path, alone: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen(
        command("run", dump, "-r", "web", "-o", out, "--ray", cluster),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 240  # of a machine that is busy with other things
    read = out / ".work" / "read"
    while time.monotonic() < deadline and process.poll() is None and len(list(read.glob("*/index.json"))) < 2:
        time.sleep(0.01)
    process.kill()
    process.wait()
    finished = {path: path.stat().st_mtime_ns for path in read.glob("*/index.json")}
    assert len(finished) >= 2, "killed before anything was finished"
    summary = on_ray(dump, out)
    assert summary.done.shards <= 8 - len(finished)
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert contents(out) == alone


def test_an_error_of_a_job_is_the_error_of_the_run(cluster: str, tmp_path: Path) -> None:
    with RayWorkers(LOCAL, 2, tmp_path) as workers, pytest.raises(InputError, match=r"^number 3 is no job$"):
        list(workers.run(fails_on_three, list(range(6))))


def test_a_job_that_kills_every_worker_ends_the_run_in_a_sentence(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curate.engine.ray_workers.RAY_TASK_RETRIES", 1)
    with RayWorkers(LOCAL, 2, tmp_path) as workers, pytest.raises(WorkersError, match="each time its worker died"):
        list(workers.run(kills_itself, [0]))


def test_a_cluster_that_is_not_there_is_said(cluster: str, tmp_path: Path) -> None:
    with socket.socket() as taken, pytest.MonkeyPatch.context() as alone:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        alone.setattr("ray.is_initialized", lambda: False)  # as in a process without a connection
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with RayWorkers(address, 2, tmp_path) as workers, pytest.raises(WorkersError, match=f"at {address} \\("):
            list(workers.run(fails_on_three, [0]))


def test_a_run_folder_that_a_node_does_not_see_is_said(cluster: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setattr("curate.engine.ray_workers._token", lambda _: contextlib.nullcontext(tmp_path / "other disk"))
        with RayWorkers(LOCAL, 2, tmp_path) as workers, pytest.raises(WorkersError, match=r"does not see .* all nodes"):
            list(workers.run(fails_on_three, [0]))


def fails_on_three(job: int) -> int:
    if job == 3:
        raise InputError("number 3 is no job")
    return job


def kills_itself(job: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
