"""What near-copies cost on a cluster, measured in small runs: bytes shuffled, pairs, what is gathered, CPU seconds.

    python benchmarks/cluster_costs.py [--sizes 10000 100000 1000000] [--hard] [--corpus FOLDER]

Each size is worked out in parts as `curate run --ray` does it (stages.copies.partitions), in this process. Constants
and their growth are fitted on all sizes but the largest; what they predict for the largest stands beside what was
measured there, and what they say of 100 million trajectories (docs/cluster.md). Corpora are made by
CURATE_SHARED/bench/corpus.py where FOLDER has none."""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.constants import PARTITION_RUNS, PARTITION_SHARD_RUNS
from curate.stages.copies.partitions.hashed_shingles import frequencies, hashed_rows, in_order, together
from curate.stages.copies.partitions.partition_join import Partition, similar_rows
from curate.stages.copies.partitions.partitioned import Rules, contents, first_kept, kinds, prefix_rows

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))
LARGE = 100_000_000


class Costs:
    """Adds up bytes, rows and CPU seconds by name."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.sums: dict[str, float] = {}

    def add(self, name: str, amount: float) -> None:
        self.sums[name] = self.sums.get(name, 0.0) + amount

    def most(self, name: str, amount: float) -> None:
        self.sums[name] = max(self.sums.get(name, 0.0), amount)

    def timed(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        start = time.process_time()
        made = work(*arguments)
        self.add(f"CPU microseconds: {name}", 1e6 * (time.process_time() - start))
        return made


PEAK = "rows of the largest partition, of an average one"
FEWEST_PARTITIONS = 16  # rows of a run that go the same way are packed together: a few partitions would look cheap
LOOKED_AT, FOUND = "pairs looked at in joins", "pairs gathered"
JOIN, ROWS_OUT = "CPU microseconds: join", "rows shuffled"
GROWS = {
    LOOKED_AT: LOOKED_AT, FOUND: FOUND, "bytes gathered: pairs": FOUND,
    "CPU microseconds: gather": FOUND, "share dropped": "share dropped",
}  # fmt: skip
"""What a trajectory costs more of in a larger corpus, and what that grows with; the rest hangs on it alone."""


def stored(table: pa.Table) -> int:
    """Bytes of a table as it goes over the network."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    return int(sink.getvalue().size)


def measured(path: Path, runs: int) -> dict[str, float]:
    """The costs of one corpus, a trajectory."""
    costs = Costs(runs)
    table = pq.read_table(path, columns=["app", "actions"])
    rules = Rules(p=1, q=2, scopes=True, evidence=False, needs=False, short=4)
    starts = range(0, runs, PARTITION_SHARD_RUNS)
    hashed = []
    for start in starts:
        part = table.slice(start, PARTITION_SHARD_RUNS)
        labels = pa.table({"run": np.arange(start, start + len(part)), "labels": part["actions"]})
        hashed.append(costs.timed("shingles", hashed_rows, labels, 2))
    frequency = costs.timed("frequencies", counted, hashed)
    rows, told = [], []
    for start, one in zip(starts, hashed, strict=True):
        keys = keys_of(table.slice(start, PARTITION_SHARD_RUNS))
        rows.append(costs.timed("order", in_order, one, frequency, keys))
        costs.add("bytes of sets", stored(rows[-1]))
        told.append(costs.timed("contents", contents, rows[-1], rules))
    gathered = pa.concat_tables(told)
    costs.add("bytes gathered: contents", gathered.nbytes)
    stand = costs.timed("kinds", kinds, gathered) == np.arange(runs)
    partitions = max(FEWEST_PARTITIONS, -(-runs // PARTITION_RUNS))
    mapped: list[list[pa.Table]] = [[] for _ in range(partitions)]
    for one in rows:
        prefixes = costs.timed("prefixes", prefix_rows, one, rules, stand[one["run"].to_numpy()], partitions)
        bounds = np.searchsorted(prefixes["partition"].to_numpy(), np.arange(partitions + 1))
        costs.add("rows shuffled", prefixes.num_rows)
        for number in range(partitions):
            mapped[number].append(prefixes.slice(bounds[number], bounds[number + 1] - bounds[number]))
            costs.add("bytes shuffled", stored(mapped[number][-1]))
    del rows, hashed
    pairs = []
    for number in range(partitions):
        joined = pa.concat_tables(mapped[number]).combine_chunks()
        mapped[number] = []
        costs.most(PEAK, joined.num_rows)
        pairs.append(costs.timed("join", similar_rows, joined, rules))
        costs.add(LOOKED_AT, sum(len(a) for a, _ in Partition(joined, rules).candidates()))
    every = pa.concat_tables(pairs)
    costs.add("pairs gathered", every.num_rows)
    costs.add("bytes gathered: pairs", every.nbytes)
    order, cap = np.arange(runs, dtype=np.int64), np.ones(runs, np.int32)
    decided = costs.timed("gather", first_kept, every, gathered, order, cap)
    costs.add("share dropped", int(decided.dropped.sum()))
    costs.sums[PEAK] *= runs * partitions / costs.sums["rows shuffled"]
    return {name: amount / runs for name, amount in costs.sums.items()}


def counted(hashed: list[pa.Table]) -> Any:
    """Frequencies over all shards."""
    return together(frequencies(one) for one in hashed)


def keys_of(part: pa.Table) -> list[tuple[str, Any]]:
    """The columns of keys: the app of each run is its scope."""
    code = np.array([hash_of(app) for app in part["app"].to_pylist()], np.int64)
    offsets = pa.array(np.arange(len(part) + 1, dtype=np.int32))
    none = pa.ListArray.from_arrays(pa.array(np.zeros(len(part) + 1, np.int32)), pa.array([], pa.int64()))
    return [("scopes", pa.ListArray.from_arrays(offsets, pa.array(code))), ("evidence", none), ("needs", none)]


def hash_of(text: str) -> int:
    """The same in every shard."""
    import zlib

    return zlib.crc32(text.encode())


def corpus(folder: Path | None, runs: int, hard: bool) -> Path:
    """The corpus of so many runs, made where it is not there."""
    folder = folder or Path(tempfile.gettempdir()) / "cluster_costs" / ("hard" if hard else "plain")
    path = folder / f"actions_{runs}.parquet"
    if not path.is_file():
        script = SHARED / "bench" / "corpus.py"
        if not script.is_file():
            raise SystemExit(f"{path} is not there, and neither is {script} that makes it: set CURATE_SHARED.")
        subprocess.run([sys.executable, str(script), str(folder), str(runs), *(["--hard"] if hard else [])], check=True)
    return path


def predicted(name: str, sizes: list[int], found: list[dict[str, float]], size: int) -> float:
    """The last value; of what grows, carried on with the last growth (as a power of the size) of what it grows with."""
    if name == JOIN and len(found) > 1:  # so much for each row, so much for each pair that is looked at
        parts = [[one[ROWS_OUT], one[LOOKED_AT]] for one in found]
        each = np.linalg.lstsq(np.array(parts), np.array([one[JOIN] for one in found]), rcond=None)[0]
        return sum(c * predicted(part, sizes, found, size) for c, part in zip(each, (ROWS_OUT, LOOKED_AT), strict=True))
    last, driver = found[-1][name], GROWS.get(name)
    if driver is None or len(found) == 1 or not found[-2][driver]:
        return last
    power = math.log(found[-1][driver] / found[-2][driver]) / math.log(sizes[-1] / sizes[-2])
    return float(last * (size / sizes[-1]) ** power)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--hard", action="store_true", help="Few apps and elements: shingles that many runs share.")
    parser.add_argument("--corpus", type=Path, help="Folder with actions_N.parquet.")
    options = parser.parse_args()
    sizes = sorted(options.sizes)
    found = [measured(corpus(options.corpus, size, options.hard), size) for size in sizes]
    fitted, last = sizes[:-1] or sizes, sizes[-1]
    print(
        "| a trajectory | "
        + " | ".join(f"{size:,}" for size in sizes)
        + f" | predicted | measured / predicted | {LARGE:,} |"
    )
    print("|---" * (len(sizes) + 4) + "|")
    for name in found[0]:
        values = [one[name] for one in found]
        guess = predicted(name, fitted, found[: len(fitted)], last)
        large = predicted(name, sizes, found, LARGE)
        ratio = f"{values[-1] / guess:.2f}" if guess else "-"
        print(
            f"| {name} | "
            + " | ".join(f"{value:.4g}" for value in values)
            + f" | {guess:.4g} | {ratio} | {large:.4g} |"
        )
    cpu = [sum(value for name, value in one.items() if name.startswith("CPU")) for one in found]
    print(f"\nCPU microseconds a trajectory in all: {', '.join(f'{value:.1f}' for value in cpu)}; ", end="")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (all parts in one process)")


if __name__ == "__main__":
    main()
