"""Which records a name stands for: a run's id, or the pseudonym of who acted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute

from curate.engine.forgetting.tables import rows_of
from curate.model.errors import InputError
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know no structs


class Found(msgspec.Struct):
    """`ids` of the records; `names` that stand for any; `files`: where their records came from and no other record
    did; `actors`: pseudonyms that no other record has."""

    ids: set[str]
    names: set[str]
    files: set[str]
    actors: set[str]


def find(folder: Path, names: Sequence[str]) -> Found:
    """The records of a dataset or run folder that the names stand for, those that it could not read included. Raises
    InputError."""
    found = Found(set(), set(), set(), set())
    of_others: set[str] = set()
    wanted = pa.array(list(names), pa.string())
    for table in _records(folder):
        name = pc.struct_field(table["actor"], "name")
        file = pc.struct_field(table["source"], "file")
        by_id, by_name = pc.is_in(table["id"], value_set=wanted), pc.is_in(name, value_set=wanted)
        hit = pc.or_(by_id, by_name)
        found.ids.update(_texts(table["id"].filter(hit)))
        found.names.update(_texts(table["id"].filter(by_id)), _texts(name.filter(by_name)))
        found.files.update(_texts(file.filter(hit)))
        found.actors.update(_texts(name.filter(hit)))
        for column in (file, name):
            of_others.update(_texts(column.filter(pc.invert(hit))))
    found.files -= of_others
    found.actors -= of_others
    rejected = RunFolder(folder).rejected
    for row in RunFolder(folder).read_rejected() if rejected.is_file() else ():
        if row.id is not None and (row.id in names or row.id in found.ids):
            found.ids.add(row.id)
            found.names.update({row.id} & set(names))
    return found


def _texts(column: Any) -> Iterator[str]:
    """The different texts of a column."""
    yield from filter(None, pc.unique(column).to_pylist())


def _records(folder: Path) -> Iterator[pa.Table]:
    for part in part_paths(folder):
        yield from rows_of(part, ["id", "actor", "source"])


def media_of(folder: Path, ids: set[str]) -> tuple[set[str], set[str]]:
    """The pictures, trees and videos that the records name, and those that others name. Memory: their references.
    Raises InputError."""
    theirs: set[str] = set()
    others: set[str] = set()
    wanted = pa.array(sorted(ids), pa.string())
    step = [f"steps.list.element.{name}" for name in ("image", "image_after", "tree")]
    for part in part_paths(folder):
        for table in rows_of(part, ["id", *step, "final_image", "video", "trace"]):
            hit = pc.is_in(table["id"], value_set=wanted)
            theirs.update(_references(table.filter(hit)))
            others.update(_references(table.filter(pc.invert(hit))))
    return theirs, others


def _references(table: pa.Table) -> Iterator[str]:
    columns = [table[name] for name in ("final_image", "video", "trace") if name in table.column_names]
    steps = pc.list_flatten(table["steps"])
    columns += [pc.struct_field(steps, name) for name in ("image", "image_after", "tree")]
    for column in columns:
        yield from _texts(column)


def check(names: Sequence[str], found: set[str], folders: Sequence[Path]) -> None:
    """Raises InputError where a name stands for nothing."""
    missing = [name for name in names if name not in found]
    if missing:
        where = ", ".join(str(folder) for folder in folders)
        raise InputError(f"Nobody and no run is named {missing[0]!r} in {where}: `curate show` lists ids and actors.")
