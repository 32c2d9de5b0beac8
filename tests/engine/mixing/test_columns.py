"""What is held of a mixture's records: columns, and no object of a record's own."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

from curate.engine.mixing.candidates import Checks, look_at
from curate.engine.mixing.columns import Candidates, Outs, Part, Why
from curate.engine.progress import Silent
from curate.stages.leakage.options import LeaksOptions
from curate.stages.nearcopies import NearcopiesOptions
from tests.engine.mixing.test_mix import dataset, made
from tests.factories import make_trajectory

PACK = '{"id": "t1", "instruction": "rename the q file number 1!"}\n'


def looked_at(folders: list[Path], pack: Path, scratch: Path) -> Candidates:
    parts = [Part(name=folder.name, folder=folder) for folder in folders]
    checks = Checks(NearcopiesOptions(action_people="drop"), LeaksOptions(tests=[str(pack)]))
    return look_at(parts, checks, scratch, Silent())


def held(folders: list[Path], pack: Path, scratch: Path) -> tuple[int, int, int]:
    """How many objects go with the candidates, the median of three; how many records these are, and are out."""
    looked_at(folders, pack, scratch)  # what is made once is made
    counts = []
    for _ in range(3):  # blocks are those of the whole process, where other things come and go
        found = looked_at(folders, pack, scratch)
        found.outs.of(0)
        records, out = len(found), int(found.outs.out.sum())
        gc.collect()
        there = sys.getallocatedblocks()
        del found
        gc.collect()
        counts.append(there - sys.getallocatedblocks())
    return sorted(counts)[1], records, out


def test_no_object_of_a_record_is_kept(tmp_path: Path) -> None:
    pack = tmp_path / "pack.jsonl"
    pack.write_text(PACK, encoding="utf-8")
    counts = []
    for size in (200, 1000):
        one = dataset(tmp_path / f"a{size}", made("p", size))
        again = [make_trajectory(f"q:{n}", instruction=run.instruction, steps=run.steps)
                 for n, run in enumerate(made("p", size))]  # fmt: skip
        other = dataset(tmp_path / f"b{size}", [*again, *made("q", 9)])
        counts.append(held([one, other], pack, tmp_path))
    (few, records, copies), (many, more, more_copies) = counts
    assert more - records == 1600 and more_copies - copies == 800
    assert many - few < 0.5 * (more - records), f"{many - few} objects for {more - records} records"


def test_the_first_reason_stands_and_its_detail_is_found_again() -> None:
    outs = Outs(6)
    outs.add(np.array([4]), "mix.not_kept")
    outs.add(np.array([5, 1]), "mix.copy_across_parts", pa.array(["of a", "of b"]))
    outs.add(np.array([1, 2, 4]), pa.array(["leaks.id", "leaks.file", "leaks.id"]), pa.array(["x", "y", "z"]))
    assert [outs.of(row) for row in range(6)] == [
        None, Why("mix.copy_across_parts", "of b"), Why("leaks.file", "y"), None, Why("mix.not_kept"),
        Why("mix.copy_across_parts", "of a"),
    ]  # fmt: skip
    assert outs.out.tolist() == [False, True, True, False, True, True]
    outs.add(np.array([0]), "mix.copy_across_parts", pa.array(["of c"]))
    assert outs.of(0) == Why("mix.copy_across_parts", "of c") and outs.of(2) == Why("leaks.file", "y")
