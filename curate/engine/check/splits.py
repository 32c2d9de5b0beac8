"""The split that a record's own data puts it in: by the name of its file or folder (`train-00000.parquet`,
`test/ep_1.json`, `android_control_test.tfrecord`), or by a run folder's decision. Ids, near-copies and instructions
that are in two of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.engine.check.collect import Collected
from curate.engine.check.types import Row
from curate.model.constants import CHECK_ROWS
from curate.store.published import TRAJECTORIES_FOLDER, is_published
from curate.store.run_folder import is_run

pc: Any = pyarrow.compute  # its stubs know neither groups nor nulls
SPLITS = ("train", "validation", "test")
_NAMES = {
    "train": "train", "training": "train", "val": "validation", "valid": "validation", "validation": "validation",
    "dev": "validation", "eval": "test", "test": "test", "testing": "test", "heldout": "test",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+")


def split_of(name: str | None) -> str | None:
    """The split that a file's path names: the last of its words that is one (`train/test_app.json` is a test file),
    None where none does."""
    words = [word.lower() for word in _WORD.findall(name or "")]
    return next((_NAMES[word] for word in reversed(words) if word in _NAMES), None)


def stated_splits(path: Path) -> dict[str, str]:
    """The split of each record of a run folder or a published dataset by its id, as its tables state it; none of
    anything else. What cannot be read there is told where its records are read."""
    if is_published(path):
        files = sorted((path / TRAJECTORIES_FOLDER).glob("*.parquet"))
    elif is_run(path):
        files = sorted((path / "stages").glob("*-split.parquet"))
    else:
        return {}
    found: dict[str, str] = {}
    for file in files:
        try:
            table = pq.read_table(file, columns=["id", "split"])
        except (pa.ArrowException, OSError):
            continue
        stated = zip(table["id"].to_pylist(), table["split"].to_pylist(), strict=True)
        found.update((name, split) for name, split in stated if name is not None and split is not None)
    return found


class Corpus:
    """The columns by which records of a whole dataset are compared. `ids`: their own ids here; `came`: as their source
    gives them."""

    def __init__(self, ids: Any, came: Any, splits: Any, files: Any, lines: Any) -> None:
        self.ids, self.came, self.splits, self.files, self.lines = ids, came, splits, files, lines

    def row(self, at: int, what: str | None = None) -> Row:
        """The place of a record."""
        return Row(id=self.came[at].as_py(), file=self.files[at].as_py(), line=self.lines[at].as_py(), what=what)


def add_splits(
    found: Collected, corpus: Corpus, measures: pa.Table, copy: NDArray[np.int64], of: NDArray[np.int64]
) -> None:
    """What is in two splits. `measures`: of near-copies, by record; `copy`, `of`: pairs of near-copies by place."""
    names = sorted({name for name in corpus.splits.unique().to_pylist() if name is not None})
    if len(names) < 2:
        why = "the data has one split only." if names else "no file, folder or table says which split a record is of."
        found.cannot("splits", "ids, near-copies and instructions in two splits", why)
        return
    split = np.asarray(pc.fill_null(corpus.splits, ""))
    total = int((split != "").sum())
    _groups(found, "splits.same_id", corpus, corpus.came, split, total)
    _groups(found, "splits.same_task", corpus, measures["task"].combine_chunks(), split, total)
    across = np.flatnonzero((split[copy] != split[of]) & (split[copy] != "") & (split[of] != ""))
    for pair in across.tolist():
        one, other = int(copy[pair]), int(of[pair])
        what = f"{split[one]}: near-copy of {corpus.came[other].as_py()} in {split[other]}"
        found.add("splits.near_copy", corpus.row(one, what))
    found.say("splits.near_copy", of=total)


def _groups(found: Collected, kind: str, corpus: Corpus, key: Any, split: NDArray[Any], total: int) -> None:
    """Every value of a column that records of two splits have."""
    codes = np.asarray(pc.fill_null(key.dictionary_encode().indices, -1))
    known = np.flatnonzero((codes >= 0) & (split != ""))
    order = known[np.lexsort((split[known], codes[known]))]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-2))
    ends = np.append(starts[1:], len(order))
    mixed = np.flatnonzero(split[order[starts]] != split[order[ends - 1]]) if len(order) else starts
    for group in mixed.tolist():
        members = order[starts[group] : ends[group]]
        several = ", ".join(dict.fromkeys(split[members].tolist()))
        for at in members[: 2 * CHECK_ROWS].tolist():
            found.add(kind, corpus.row(at, f"in {several}"), times=0)
        found.add(kind, times=len(members))
    what = "Ids" if kind == "splits.same_id" else "Instructions"
    found.say(kind, f"{what} in two splits: {len(mixed):,}.", of=total)
