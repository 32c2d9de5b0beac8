"""One engine that finds near-copies, measured in this process (see `nearcopies.py`):

    python nearcopies_engines.py ENGINE LABELS.parquet KEPT.npy

Prints {"cpu", "wall", "bytes"}: from lists of tokens in memory to the mask of kept runs, the peak of memory over what
was there before."""

from __future__ import annotations

import itertools
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

Engine = Callable[[Any], np.ndarray]


def curate(labels: Any) -> np.ndarray:
    from curate.stages.copies.search.keep_first import keep_first
    from curate.stages.copies.shingle_sets import shingle_sets
    from curate.stages.copies.types import Problem

    sets = shingle_sets(labels, 2)
    count = sets.count
    order, cap = np.arange(count), np.ones(count, np.int32)
    return ~keep_first(Problem(sets, order, Fraction(1, 2), None, None, None, 0, cap)).dropped


def bigrams(tokens: list[str]) -> list[str]:
    if len(tokens) < 2:
        return tokens
    return [f"{one}\x1f{two}" for one, two in itertools.pairwise(tokens)]


def rensa(labels: Any) -> np.ndarray:
    """Its streaming deduplicator, which keeps the first; many runs at a time."""
    from rensa import RMinHashDeduplicator

    dedup = RMinHashDeduplicator(0.5, 128, True, None, 42)
    runs = labels.to_pylist()
    kept: list[bool] = []
    for begin in range(0, len(runs), 10_000):
        part = runs[begin : begin + 10_000]
        kept += dedup.add_pairs([(str(begin + i), bigrams(tokens)) for i, tokens in enumerate(part)])
    return np.array(kept, bool)


def datasketch(labels: Any) -> np.ndarray:
    """Signatures in bulk, its own bands for 0.5, and every candidate verified: the best that is made of it."""
    from datasketch import MinHash, MinHashLSH

    runs = [bigrams(tokens) for tokens in labels.to_pylist()]
    index = MinHashLSH(threshold=0.5, num_perm=128)
    sets: dict[int, frozenset[str]] = {}
    kept = np.ones(len(runs), bool)
    encoded = ([gram.encode() for gram in grams] for grams in runs)
    for i, signature in enumerate(MinHash.generator(encoded, num_perm=128)):
        own = frozenset(runs[i])
        if own and any(2 * len(own & sets[j]) >= len(own | sets[j]) for j in index.query(signature)):
            kept[i] = False
        elif own:
            index.insert(i, signature)
            sets[i] = own
    return kept


def datatrove(labels: Any) -> np.ndarray:
    """Its four stages with its defaults (14 bands of 8), on one worker; only the shingles are ours: pairs of actions
    in place of words of a text."""
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        MinhashDedupBuckets,
        MinhashDedupCluster,
        MinhashDedupFilter,
        MinhashDedupSignature,
    )
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.utils.logging import logger
    from datatrove.utils.word_tokenizers import WhitespaceTokenizer

    logger.remove()
    config = MinhashConfig(n_grams=2)
    kept = np.zeros(len(labels), bool)

    class Signature(MinhashDedupSignature):  # type: ignore[misc]
        def get_shingles(self, text: str) -> np.ndarray:
            grams = [self._hash_func(gram.encode()) for gram in bigrams(text.split("\x1e") if text else [])]
            return np.fromiter(grams, np.uint64).reshape((-1, 1))

    def documents(data: Any = None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        for i, tokens in enumerate(labels.to_pylist()):
            yield Document(text="\x1e".join(tokens), id=str(i))

    def keep(data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        for document in data:
            kept[int(document.id)] = True
            yield document

    with tempfile.TemporaryDirectory() as name:
        signatures, buckets, removed = (f"{name}/{part}" for part in ("signatures", "buckets", "removed"))
        stages: list[tuple[list[Any], int]] = [
            ([documents, Signature(signatures, config, language=WhitespaceTokenizer())], 1),
            ([MinhashDedupBuckets(signatures, buckets, config=config)], config.num_buckets),
            ([MinhashDedupCluster(buckets, removed, config=config)], 1),
            ([documents, MinhashDedupFilter(removed), keep], 1),
        ]
        for number, (pipeline, tasks) in enumerate(stages):
            LocalPipelineExecutor(pipeline, tasks=tasks, workers=1, logging_dir=f"{name}/logs{number}").run()
    return kept


ENGINES: dict[str, Engine] = {
    "curate [fast]": curate,
    "curate without numba": curate,
    "rensa": rensa,
    "datasketch": datasketch,
    "datatrove": datatrove,
}


def cpu_seconds() -> float:
    """Of this process and its children."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total


def memory(field: str) -> int:
    """Bytes of this process: VmRSS now, VmHWM at its peak (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return 0


def main() -> None:
    engine, labels, kept = ENGINES[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3])
    from curate.stages.copies.kernels import compiled

    usual, compiled.COMPILED_FROM = (
        compiled.COMPILED_FROM,
        0,
    )  # what large corpora compile is made before the clock runs
    words = [f"click {i % 37}" for i in range(4_000)]
    engine(pa.chunked_array([pa.array([words[i : i + 8] for i in range(0, 2_000, 4)])]))  # imports, compiling
    compiled.COMPILED_FROM = usual
    column = pq.read_table(labels)["labels"]
    column.validate()
    Path("/proc/self/clear_refs").write_text("5")  # the peak from here on
    base, wall, cpu = memory("VmRSS"), time.perf_counter(), cpu_seconds()
    mask = engine(column)
    told = {"cpu": cpu_seconds() - cpu, "wall": time.perf_counter() - wall, "bytes": memory("VmHWM") - base}
    np.save(kept, mask)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
