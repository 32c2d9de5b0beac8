"""The training examples that the run wrote: byte for byte as JSONL, which trainers read, and the same rows as a table,
the config `examples`. A repository's configs must all be files of one kind: `datasets` looks at the first of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from curate.engine.work import link_or_copy
from curate.model.constants import PUBLISH_GROUP_BYTES, PUBLISH_TEXT_GROUP_ROWS
from curate.model.errors import InputError
from curate.publish.features import json_features
from curate.publish.json_columns import NESTED, columns_of, settled
from curate.publish.tables.shards import Groups, Shards
from curate.store.run_folder import RunFolder

FOLDER = "examples"
TABLE_FOLDER = "data/examples"
_BATCH = 256  # lines that become a table at a time
_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Examples(msgspec.Struct, kw_only=True, frozen=True):
    """`lines`: of the JSONL, by path below the publication. `rows`, `sizes`: of the tables (`sizes`: bytes in memory).
    `columns`: with their types."""

    lines: dict[str, int]
    rows: dict[str, int]
    sizes: dict[str, int]
    columns: dict[str, str]


def stage_examples(run: RunFolder, out: Path) -> Examples:
    """Bring the files and write the tables. Raises InputError for a file that is no JSONL of objects, StoreError."""
    lines: dict[str, int] = {}
    found: dict[str, str] = {}
    splits: dict[str, list[Path]] = {}
    for path in run.example_paths():
        shown = f"{FOLDER}/{path.name}"
        lines[shown] = sum(len(batch) for batch in _lines(path, found))
        link_or_copy(path, out / shown)
        splits.setdefault(path.name.rpartition("-")[0], []).append(path)
    columns = settled(found)
    rows: dict[str, int] = {}
    sizes: dict[str, int] = {}
    if columns:
        schema = json_features(columns).arrow_schema
        groups = Groups(rows=PUBLISH_TEXT_GROUP_ROWS, bytes=PUBLISH_GROUP_BYTES)
        for split, paths in splits.items():
            with Shards(out, TABLE_FOLDER, split, schema, groups) as shards:
                for path in paths:
                    for batch in _lines(path):
                        shards.add(_table(batch, columns, schema), [*map(len, batch)])
            rows |= shards.rows
            sizes |= shards.sizes
    return Examples(lines=lines, rows=rows, sizes=sizes, columns=columns)


def _lines(path: Path, columns: dict[str, str] | None = None) -> Iterator[list[bytes]]:
    """The lines of a file, some at a time; their columns are noted in `columns`."""
    number, batch = 0, list[bytes]()
    try:
        with contextlib.ExitStack() as stack:
            for number, line in enumerate(stack.enter_context(path.open("rb")), 1):  # noqa: B007
                batch.append(line)
                if columns is not None:
                    columns_of([line], columns)
                if len(batch) == _BATCH:
                    yield batch
                    batch = []
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}, line {number}: {error}.") from error
    if batch:
        yield batch


def _table(lines: list[bytes], columns: dict[str, str], schema: pa.Schema) -> Any:
    decoded = [_decoder.decode(line) for line in lines]
    arrays = []
    for name, kind in columns.items():
        raw = [row.get(name) for row in decoded]
        if kind == NESTED:
            values: list[Any] = [None if one is None or bytes(one) == b"null" else bytes(one).decode() for one in raw]
            arrays.append(pa.array(values, pa.string()).cast(schema.field(name).type))
        else:
            values = [None if one is None else msgspec.json.decode(one) for one in raw]
            arrays.append(pa.array(values, schema.field(name).type))
    return pa.Table.from_arrays(arrays, schema=schema)
