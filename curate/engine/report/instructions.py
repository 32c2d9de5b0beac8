"""Instructions of some runs of a folder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs do not know tables' columns


def instructions_of(run: RunFolder, ids: Iterable[str]) -> dict[str, str]:
    """The instructions of these runs, by id; nothing else of them is decoded."""
    wanted = pa.array(sorted(ids), pa.string())
    found: dict[str, str] = {}
    for path in part_paths(run.root) if len(wanted) else []:
        with pq.ParquetFile(path) as file:
            hit = pc.is_in(file.read(columns=["id"])["id"], value_set=wanted)
            if pc.any(hit).as_py():
                table = file.read(columns=["id", "instruction"]).filter(hit)
                found |= {str(row["id"]): str(row["instruction"]) for row in table.to_pylist()}
    return found
