"""What training formats cost: kept records to JSONL, against orjson writing the same bytes.

    python benchmarks/formats.py [--pairs 5] [--records 1500] [FORMAT...]

The records come from the corpus of CURATE_SHARED, their steps with a picture each (named, not there). Both sides write
the same lines to a file, one core: ours from the decoded records, orjson from the rows as plain Python objects, made
beforehand. CPU seconds of pairs run in turn; medians. A format holds when it writes 20,000 examples a second and takes
at most 4 times as long as orjson.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from run_all import SHARED  # noqa: E402

from curate.formats.base import Format, FormatOptions, formats, lines  # noqa: E402
from curate.model.trajectory import Trajectory, decode  # noqa: E402
from curate.stages.unroll import why_no_target  # noqa: E402

EACH_SECOND, TIMES = 20_000, 4.0
OPTIONS = {
    "opencua": [{}, {"coordinates": "absolute"}],
    "uitars": [{}, {"dialect": "v1"}],
    "ms-swift": [{}, {"dialect": "point"}],
}


def records(count: int) -> list[Trajectory]:
    """Records of the shared corpus, with pictures; their phones are left to tests."""
    with tempfile.TemporaryDirectory() as folder:
        made = [sys.executable, str(SHARED / "bench" / "corpus.py"), folder, "--jsonl", str(count)]
        subprocess.run(made, check=True, capture_output=True)
        found = [decode(line) for line in (Path(folder) / f"traj_{count}.jsonl").read_bytes().splitlines()]
    number = 0
    for record in found:
        for step in record.steps:
            number += 1
            step.image, step.image_size = f"media/{number % 256:02x}/{number:064x}.png", (1920, 1080)
    return found


def cpu(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def ours(form: Format, given: Sequence[tuple[Trajectory, list[int]]], options: FormatOptions, out: Path) -> None:
    with out.open("wb") as file:
        for record, targets in given:
            file.writelines(line + b"\n" for line in lines(form, record, targets, options))


def theirs(rows: Sequence[Any], out: Path) -> None:
    with out.open("wb") as file:
        file.writelines(orjson.dumps(row) + b"\n" for row in rows)


def measure(
    form: Format, options: FormatOptions, given: Sequence[tuple[Trajectory, list[int]]], pairs: int, folder: Path
) -> tuple[int, float, float, float]:
    """How many examples, how many bytes each, examples a second, times orjson."""
    one, other = folder / "ours.jsonl", folder / "theirs.jsonl"
    ours(form, given, options, one)
    rows = [orjson.loads(line) for line in one.read_bytes().splitlines()]
    times = [(cpu(lambda: ours(form, given, options, one)), cpu(lambda: theirs(rows, other))) for _ in range(pairs)]
    if abs(one.stat().st_size - other.stat().st_size) > 0.01 * one.stat().st_size:
        raise SystemExit(f"{form.name}: the two sides wrote different bytes")
    mine = statistics.median(a for a, _ in times)
    ratio = statistics.median(a / b for a, b in times)
    return len(rows), one.stat().st_size / len(rows), len(rows) / mine, ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--records", type=int, default=1500)
    told = parser.parse_args()
    given = [
        (record, [step.index for step in record.steps if why_no_target(step) is None])
        for record in records(told.records)
    ]
    targets = sum(len(steps) for _, steps in given)
    print(f"{len(given)} records, {targets} targets\n")
    print("| format | examples | bytes each | examples a second | times orjson | |\n|---|---|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, form in formats().items():
            if told.formats and name not in told.formats:
                continue
            for options in OPTIONS.get(name, [{}]):
                shown = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
                count, size, speed, ratio = measure(form, FormatOptions(**options), given, told.pairs, Path(folder))
                if form.by_run:  # a row of it stands for all the steps of its run
                    speed *= targets / count
                holds = speed >= EACH_SECOND and ratio <= TIMES
                failed += not holds
                verdict = "holds" if holds else "does not hold"
                print(f"| {shown} | {count} | {size:.0f} | {speed:,.0f} | {ratio:.2f} | {verdict} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
