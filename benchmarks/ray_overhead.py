"""Core tasks or Ray Data for jobs over shards: overhead, and what happens when a worker dies. On a Ray of this machine.

    python benchmarks/ray_overhead.py [--jobs 64] [--pairs 5]

Both run the same jobs (50 milliseconds each, on 2 workers), in turn, five times; then once each while a worker is
killed: whether all results came, and how many jobs ran more than once."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # loopback only

import ray
import ray.data

SECONDS = 0.05


def job(number: int, marks: str) -> int:
    """Leaves a mark for each time it ran."""
    Path(marks, f"{number}-{os.getpid()}-{time.time_ns()}").touch()
    time.sleep(SECONDS)
    return number


def by_tasks(jobs: int, marks: str) -> int:
    """Core tasks, four in flight."""
    task = ray.remote(job).options(max_retries=3)
    running, waiting, done = [], iter(range(jobs)), 0
    while True:
        while len(running) < 4 and (number := next(waiting, None)) is not None:
            running.append(task.remote(number, marks))
        if not running:
            return done
        (ready,), running = ray.wait(running, num_returns=1)
        ray.get(ready)
        done += 1


def by_data(jobs: int, marks: str) -> int:
    """Ray Data over the list of jobs."""
    rows = ray.data.from_items([{"number": number} for number in range(jobs)], override_num_blocks=jobs)

    def batch(given: dict[str, Any]) -> dict[str, Any]:
        return {"number": [job(int(number), marks) for number in given["number"]]}

    return len(rows.map_batches(batch, batch_size=1, num_cpus=1).take_all())


def kill_one(marks: str) -> None:
    """Kills the process of the first job that has run."""
    while not (found := sorted(Path(marks).iterdir())):
        time.sleep(0.005)
    os.kill(int(found[0].name.split("-")[1]), signal.SIGKILL)


def timed(way: Callable[[int, str], int], jobs: int, kill: bool = False) -> tuple[float, int, int]:
    """Seconds, results, and jobs that ran more than once."""
    with tempfile.TemporaryDirectory() as marks:
        killer = threading.Thread(target=kill_one, args=(marks,))
        if kill:
            killer.start()
        start = time.monotonic()
        done = way(jobs, marks)
        seconds = time.monotonic() - start
        if kill:
            killer.join()
        return seconds, done, len(list(Path(marks).iterdir())) - jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=64)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR,
             object_store_memory=256 << 20)  # fmt: skip
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ways = {"core tasks": by_tasks, "Ray Data": by_data}
    for way in ways.values():
        timed(way, 4)
    least = options.jobs * SECONDS / 2
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.pairs):
        for name, way in ways.items():
            found[name].append(timed(way, options.jobs)[0] - least)
    for name, way in ways.items():
        over = found[name]
        seconds, done, again = timed(way, options.jobs, kill=True)
        print(f"{name}: {1000 * statistics.median(over) / options.jobs:.1f} ms over the least a job "
              f"({1000 * min(over) / options.jobs:.1f} to {1000 * max(over) / options.jobs:.1f}); "
              f"with a worker killed {done} of {options.jobs} results, {again} jobs ran again, "
              f"{seconds - least:.1f} s over the least")  # fmt: skip


if __name__ == "__main__":
    main()
