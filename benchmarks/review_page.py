"""What the review page's answers take: CPU seconds (median of five), bytes, and the memory of opening and listing.

    python benchmarks/review_page.py [--sizes 1000 10000] [RUN]

Without a run folder, datasets of made records of 20 steps. Each size has a process of its own, so that its peak of
memory is its own; `peak MB` is that over the process before anything was opened."""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
STEPS = 20


def make(root: Path, count: int) -> Path:
    """A dataset of that many records."""
    from curate.store.dataset import DatasetWriter
    from tests.factories import make_trajectory

    words = ("budget", "report", "invoice", "folder", "ticket", "lamp", "flight", "song", "notes", "board")
    with DatasetWriter(root, made={"by": "benchmark"}) as writer:
        for k in range(count):
            chosen = [words[(k * 7 + n * 3 + n * n) % 10] for n in range(STEPS)]
            does = [f"click {word} {n}" if n % 3 else f"write {word} {k}" for n, word in enumerate(chosen)]
            writer.add(make_trajectory(f"made:{k}", does, instruction=f"{chosen[0]} {chosen[1]} {k}", app=chosen[2]))
    return root


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of this process, median of five."""
    taken = []
    for _ in range(5):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return median(taken)


def measure(root: Path) -> dict[str, float]:
    """The figures of one folder, in this process."""
    from curate.store.spare_pandas import spare_pandas
    from curate.view.review.answers import Answers, Options, encoded
    from curate.view.review.data import ReviewData

    spare_pandas()
    idle = _peak()
    data = ReviewData(root)
    answers = Answers(data, Options(), root)
    listed = encoded(answers.named("list"))
    peak = _peak() - idle
    found: dict[str, float] = {"trajectories": len(data), "peak MB": peak / 1024}
    found["list MB"], found["list.gz MB"] = len(listed) / 1e6, len(gzip.compress(listed, 3)) / 1e6
    found["open s"] = cpu(lambda: ReviewData(root))
    found["list s"] = cpu(lambda: encoded(Answers(ReviewData(root), Options(), root).named("list"))) - found["open s"]
    found["text s"] = cpu(lambda: encoded(answers.named("text")))
    places = iter(range(len(data) // 7, len(data), max(1, len(data) // 11)))  # other row groups each time
    found["run ms"] = 1000 * cpu(lambda: encoded(answers.named(f"run/{next(places)}")))
    found["next run ms"] = 1000 * cpu(lambda: encoded(answers.named("run/1")))
    return found


def _peak() -> int:
    """KB. Linux's own count, for what getrusage says goes over from the process that started this one."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used // 1024 if sys.platform == "darwin" else used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?", type=Path)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1_000, 10_000])
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure is not None:
        print(json.dumps(measure(given.measure)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folders = (make(Path(scratch) / str(size), size) for size in given.sizes) if given.run is None else [given.run]
        for folder in folders:
            asked = [sys.executable, __file__, "--measure", str(folder)]
            found = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
            print(
                "  ".join(
                    f"{name} {value:,.3g}" if value < 1000 else f"{name} {value:,.0f}" for name, value in found.items()
                )
            )


if __name__ == "__main__":
    main()
