"""The leak check against the peers: instructions a CPU second, and how many times as long a peer takes. Every round
runs all of them one after the other in one process, so that ratios come from pairs; medians of the rounds.

    python benchmarks/leaks.py [--corpus actions_100000.parquet] [--rounds 5]

The corpus is made with CURATE_SHARED/bench/corpus.py unless it is given; the 369 test tasks are OSWorld's from
CURATE_SHARED/data/test-tasks, the 10,000 are made of the corpus's own words, so that one instruction in eight shares a
phrase with one. What we time takes the normal form, finds every test task with its share, and writes the column of
hits; peers lower-case and split at blanks, and only say whether a phrase is shared. The per-task loop runs on few
instructions, its rate is what is compared. Peers that are not installed (dependency group `bench`) are left out."""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.arrow import SCHEMA
from curate.model.constants import BATCH_RECORDS
from curate.stages.arrays import list_array
from curate.stages.base import MeasureContext
from curate.stages.leakage.hits import hits_column
from curate.stages.leakage.measuring import measure, pack_of
from curate.stages.leakage.said import Said

SHARED = Path(os.environ.get("CURATE_SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))
BATCH = BATCH_RECORDS  # instructions held against the pack at once: as many as a batch of a run has at most
COMPARISONS = 60_000  # of an instruction with a test task, for the loop over test tasks


def main() -> int:
    """Prints a table for 369 and for 10,000 test tasks; 1 if a rate that must be reached was not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = given.corpus or made_corpus(Path(scratch))
        table = pq.read_table(corpus, columns=["id", "app", "instruction"]).combine_chunks()
        missed = 0
        for tasks, must in ((osworld_tasks(), 300_000), (made_tasks(table), 200_000)):
            pack = Path(scratch) / f"{len(tasks)}.jsonl"
            lines = (json.dumps({"id": i, "instruction": text}) + "\n" for i, text in enumerate(tasks))
            pack.write_text("".join(lines), encoding="utf-8")
            missed += compare(table, tasks, pack, given.rounds) < must
    return missed


def compare(table: pa.Table, tasks: list[str], pack: Path, rounds: int) -> float:
    """One table; the median rate of our whole stage."""
    instructions = table["instruction"].combine_chunks()
    texts: list[Any] = instructions.to_pylist()
    ours = {
        "ours": (lambda: held_against(instructions, str(pack)), len(texts)),
        "ours, the whole stage": (lambda: whole_stage(table, str(pack)), len(texts)),
    }
    peers = {name: (run, len(texts)) for name, run in phrase_peers(texts, tasks)}
    few = max(COMPARISONS // len(tasks), 1)
    loop = {"loop over test tasks (the lesson's)": (lambda: per_task(texts[:few], tasks), few)}
    candidates: dict[str, tuple[Callable[[], int], int]] = {**ours, **peers, **loop}
    rates: dict[str, list[float]] = {name: [] for name in candidates}
    found = {name: run() for name, (run, _) in candidates.items()}  # once, outside of the clock: imports, caches
    for _ in range(rounds):
        for name, (run, count) in candidates.items():
            gc.collect()
            start = time.process_time()
            run()
            rates[name].append(count / (time.process_time() - start))
    print(f"\n{len(texts):,} instructions against {len(tasks):,} test tasks")
    print(f"{'':38}{'a CPU second':>14}{'times as long':>15}{'share a phrase':>16}")
    for name, rate in rates.items():
        ratio = median(mine / peer for mine, peer in zip(rates["ours"], rate, strict=True))
        print(f"{name:38}{median(rate):14,.0f}{ratio:15.2f}{found[name]:16,}")
    return median(rates["ours, the whole stage"])


def held_against(instructions: Any, pack: str) -> int:
    """The leak check of instructions: normal forms, test tasks with shares, phrases and hits."""
    index = pack_of(pack, 3)
    shared = 0
    for first in range(0, len(instructions), BATCH):
        batch = instructions.slice(first, BATCH)
        said = Said(batch, np.arange(len(batch)), len(batch), index.index)
        given, counts = said.given()
        hits_column(said, given, index.ids, ())
        said.forms_by_run(), said.phrases_by_run()
        shared += int((counts > 0).sum())
    return shared


def whole_stage(table: pa.Table, pack: str) -> int:
    """Everything the stage measures, of records without steps: templates, ids, canaries, files, apps and sites too."""
    count = table.num_rows
    columns: dict[str, Any] = {field.name: nothing(field.type, count) for field in SCHEMA}
    columns["id"] = table["id"].combine_chunks().cast(pa.string())
    columns["instruction"] = table["instruction"].combine_chunks()
    columns["apps"] = list_array(np.arange(count + 1), table["app"].combine_chunks().cast(pa.string()))
    records = pa.table(columns, schema=SCHEMA)
    shared = 0
    for first in range(0, count, BATCH):
        context = MeasureContext(media_root=Path())
        measured = measure(records.slice(first, BATCH).combine_chunks(), pack_of(pack, 3), context)
        shared += int((measured["phrase_hits"].to_numpy() > 0).sum())
    return shared


def nothing(kind: pa.DataType, count: int) -> Any:
    """A column of empty lists or nulls."""
    if pa.types.is_list(kind) or pa.types.is_map(kind):
        empty: Any = pa.array([[]], kind)
        return empty.take(pa.array(np.zeros(count, np.int64)))
    make: Any = pa.nulls
    return make(count, kind)


def phrases(text: str) -> list[tuple[str, str, str]]:
    """The lesson's: each three consecutive words."""
    words = text.lower().split()
    return list(zip(words, words[1:], words[2:], strict=False))


def phrase_peers(texts: list[str], tasks: list[str]) -> Iterator[tuple[str, Callable[[], int]]]:
    """What finds out which instructions share a phrase with any test task."""
    union = {phrase for task in tasks for phrase in phrases(task)}
    spelt = [f" {' '.join(phrase)} " for phrase in union]
    yield "set of all phrases", lambda: sum(any(phrase in union for phrase in phrases(text)) for text in texts)
    try:
        import ahocorasick_rs

        machine = ahocorasick_rs.AhoCorasick(spelt)
        yield (
            "ahocorasick-rs",
            lambda: sum(bool(machine.find_matches_as_indexes(f" {text.lower()} ")) for text in texts),
        )
    except ImportError:
        print("ahocorasick-rs is not installed: left out")
    try:
        import ahocorasick

        tree = ahocorasick.Automaton()
        for number, phrase in enumerate(spelt):
            tree.add_word(phrase, number)
        tree.make_automaton()
        yield (
            "pyahocorasick",
            lambda: sum(next(tree.iter(f" {text.lower()} "), None) is not None for text in texts),
        )
    except ImportError:
        print("pyahocorasick is not installed: left out")


def per_task(texts: list[str], tasks: list[str]) -> int:
    """The lesson's own rule: every instruction against every test task."""
    return sum(any(set(phrases(text)) & set(phrases(task)) for task in tasks) for text in texts)


def osworld_tasks() -> list[str]:
    """OSWorld's 369 tasks (its list `test_all`)."""
    lines = (SHARED / "data/test-tasks/osworld_tasks.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["instruction"] for row in rows if "test_all" in row["lists"]]


def made_tasks(table: pa.Table, count: int = 10_000) -> list[str]:
    """Test tasks of the corpus's own words, in its apps."""
    draw = random.Random(1)
    texts: list[Any] = table["instruction"].slice(0, 20_000).to_pylist()
    words = sorted({word for text in texts for word in text.partition(", ")[2].split()})
    return [
        f"In App{draw.randrange(40)}, {' '.join(draw.choice(words) for _ in range(draw.randint(4, 10)))}"
        for _ in range(count)
    ]


def made_corpus(folder: Path) -> Path:
    subprocess.run([sys.executable, str(SHARED / "bench/corpus.py"), str(folder), "100000"], check=True)
    return next(folder.rglob("actions_100000.parquet"))


if __name__ == "__main__":
    sys.exit(main())
