"""Near-copies against the peers: CPU seconds from lists of tokens to the runs that stay, in pairs, on the corpora of
CURATE_SHARED/bench/corpus.py (plain, and --hard: few, very popular shingles).

    python benchmarks/nearcopies.py [--sizes 10000 100000 1000000] [--rounds 5] [--corpus DIR] [--whole]

Every measurement is a process of its own, the engines in turn within a round, so that a drift of the machine's speed
hits all; imports and the compiling of kernels are outside the clock. Ratios are medians of pairs of one round. Slow
peers are measured in one round (datasketch and datatrove at a million only with --whole: many minutes each).
Precision and recall are taken against the exact similarity: a drop is right if a run that stays is similar at 0.5 or
more; a miss is a run that stays though an earlier one that stays is similar. Peers come with
`uv pip install --group bench`; one that is not here is left out and said so.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("CURATE_SHARED", HERE.parent.parent / "shared"))
OURS, BARE = "curate [fast]", "curate without numba"
PEERS = {"rensa": 5, "datasketch": 50, "datatrove": 40}  # and how many times as fast the issue wants ours to be
RATES = {"plain": 80_000, "hard": 60_000}  # trajectories a CPU second, with [fast]
BARE_RATE = 8_000
EXPONENTS = {"plain": 1.3, "hard": 1.45}
BYTES = 600  # a trajectory, over the loaded input
LAST = {"datasketch": 100_000, "datatrove": 100_000}  # the largest size that is measured without --whole
IGNORED = ("scroll", "wait")  # what the corpus has of steps that are no tokens


def make_corpus(folder: Path, kind: str, size: int) -> Path:
    """The labels of a corpus as a parquet file, made if it is not in the folder yet."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    labels = folder / kind / f"labels_{size}.parquet"
    if labels.is_file():
        return labels
    actions = folder / kind / f"actions_{size}.parquet"
    if not actions.is_file():
        actions.parent.mkdir(parents=True, exist_ok=True)
        hard = ["--hard"] if kind == "hard" else []
        script = str(SHARED / "bench" / "corpus.py")
        subprocess.run([sys.executable, script, str(actions.parent), str(size), *hard], check=True, capture_output=True)
    lists: Any = pq.read_table(actions, columns=["actions"])["actions"].combine_chunks()
    flat, bounds = lists.flatten(), lists.offsets.to_numpy()
    ignored: Any = pc.is_in(flat, pa.array(IGNORED))
    stays = ~ignored.to_numpy(zero_copy_only=False)
    ends = np.concatenate([[0], np.cumsum(stays)])[bounds].astype(np.int32)
    made = pa.ListArray.from_arrays(pa.array(ends), flat.filter(pa.array(stays)))
    pq.write_table(pa.table({"labels": made}), labels)
    return labels


def measure(engine: str, labels: Path, kept: Path) -> dict[str, float] | None:
    """CPU seconds, seconds by the clock and bytes a trajectory of one engine in a process of its own, which writes the
    mask of kept runs; None where it failed."""
    env = {**os.environ, "CURATE_NO_NUMBA": "1" if engine == BARE else ""}
    command = [sys.executable, str(HERE / "nearcopies_engines.py"), engine, str(labels), str(kept)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        print(f"   {engine} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}", flush=True)
        return None
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def quality(labels: Path, kept: np.ndarray) -> tuple[float, float]:
    """(recall, precision) of a mask of kept runs."""
    import pyarrow.parquet as pq

    from curate.stages.copies.search.keep_first import keep_first
    from curate.stages.copies.shingle_sets import shingle_sets
    from curate.stages.copies.types import Problem

    sets = shingle_sets(pq.read_table(labels)["labels"], 2)
    stay, out = np.flatnonzero(kept), np.flatnonzero(~kept)
    cap = np.ones(sets.count, np.int32)
    missed = int(keep_first(Problem(sets, stay, Fraction(1, 2), None, None, None, 0, cap)).dropped.sum())
    cap[stay] = 0  # they stay whatever they are similar to, and come first
    order = np.concatenate([stay, out])
    witness = keep_first(Problem(sets, order, Fraction(1, 2), None, None, None, 0, cap)).witness[out]
    right = int(((witness >= 0) & kept[witness]).sum())
    return right / max(1, right + missed), right / max(1, len(out))


def available(engine: str) -> bool:
    try:
        return engine in (OURS, BARE) or bool(version(engine))
    except PackageNotFoundError:
        return False


def rounds_of(engine: str, size: int, rounds: int, whole: bool) -> int:
    """How often an engine is measured at a size."""
    if size > LAST.get(engine, size) and not whole:
        return 0
    if engine in ("datasketch", "datatrove") and size >= 100_000:
        return 1
    return 1 if engine in ("rensa", BARE) and size >= 1_000_000 else rounds


Found = dict[str, list[dict[str, float]]]


def one_corpus(kind: str, size: int, folder: Path, given: argparse.Namespace) -> Found:
    """All engines on one corpus, in turn; prints the table's lines."""
    rounds, whole = given.rounds, given.whole
    labels = make_corpus(folder, kind, size)
    engines = [engine for engine in (OURS, BARE, *PEERS) if engine in {OURS, *given.engines} and available(engine)]
    found: Found = {engine: [] for engine in engines}
    with tempfile.TemporaryDirectory() as name:
        for turn in range(rounds):
            for engine in engines:
                if turn < rounds_of(engine, size, rounds, whole):
                    told = measure(engine, labels, Path(name) / f"{engines.index(engine)}.npy")
                    found[engine] += [told] if told else []
        for engine in engines:
            if not found[engine]:
                print(f"{kind:6}{size:>9}  {engine:21} not measured at this size")
                continue
            kept = np.load(Path(name) / f"{engines.index(engine)}.npy")
            recall, precision = quality(labels, kept)
            cpu = statistics.median(told["cpu"] for told in found[engine])
            memory = statistics.median(told["bytes"] for told in found[engine]) / size
            slower = statistics.median(
                own["cpu"] / ours["cpu"] for own, ours in zip(found[engine], found[OURS], strict=False)
            )
            print(
                f"{kind:6}{size:>9}  {engine:21}{cpu:9.3f} s CPU {size / cpu:>10,.0f}/s  {slower:7.1f} times ours  "
                f"recall {recall:.5f}  precision {precision:.5f}  kept {int(kept.sum()):>7}  {memory:6.0f} B a run  "
                f"{len(found[engine])} round{'s' * (len(found[engine]) != 1)}",
                flush=True,
            )
    return found


def verdicts(results: dict[tuple[str, int], Found], sizes: list[int]) -> None:
    """What was wanted, line by line, and whether it was reached."""

    def say(what: str, value: float, wanted: float, reached: bool) -> None:
        print(f"{what:75}{value:>12,.2f}  wanted {wanted:>9,}  {'reached' if reached else 'NOT reached'}")

    for kind in RATES:
        cpu = {size: statistics.median(t["cpu"] for t in results[kind, size][OURS]) for size in sizes}
        for size in sizes:
            found = results[kind, size]
            if size >= 100_000:
                say(f"{kind} {size:,}: trajectories a CPU second", size / cpu[size], RATES[kind],
                    size / cpu[size] >= RATES[kind])  # fmt: skip
            for engine, wanted in PEERS.items():
                if found.get(engine) and size >= 100_000:
                    pairs = zip(found[engine], found[OURS], strict=False)
                    times = statistics.median(own["cpu"] / ours["cpu"] for own, ours in pairs)
                    say(f"{kind} {size:,}: times {engine}", times, wanted, times >= wanted)
            if found.get(BARE):
                rate = size / statistics.median(t["cpu"] for t in found[BARE])
                say(f"{kind} {size:,}: a CPU second without numba", rate, BARE_RATE, rate >= BARE_RATE)
            if size >= 100_000:
                memory = statistics.median(t["bytes"] for t in found[OURS]) / size
                say(f"{kind} {size:,}: bytes a trajectory over the base", memory, BYTES, memory <= BYTES)
        for small, large in itertools.pairwise(sizes):
            grown = math.log(cpu[large] / cpu[small]) / math.log(large / small)
            say(f"{kind} {small:,} to {large:,}: exponent", grown, EXPONENTS[kind], grown <= EXPONENTS[kind])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engines", nargs="*", default=[BARE, *PEERS], help="those beside ours with [fast]")
    parser.add_argument("--corpus", type=Path, help="a folder where corpora are, or are made and left")
    parser.add_argument("--whole", action="store_true", help="every peer at every size")
    given = parser.parse_args()
    if not (SHARED / "bench" / "corpus.py").is_file():
        print("no corpus at CURATE_SHARED: the near-copies benchmark is left out")
        return
    known = [name for name in ("numpy", "pyarrow", "numba", *PEERS) if available(name)]
    print("versions: " + ", ".join(f"{name} {version(name)}" for name in known), flush=True)
    for engine in PEERS:
        if not available(engine):
            print(f"{engine} is not installed (uv pip install --group bench): left out")
    with tempfile.TemporaryDirectory() as name:
        folder = given.corpus or Path(name)
        results = {(kind, size): one_corpus(kind, size, folder, given) for kind in RATES for size in given.sizes}
    verdicts(results, given.sizes)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    main()
