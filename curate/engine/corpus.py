"""The corpus of a run once every shard is read: its ids in input order, and each stage's measures, read in parts. A
run is named by its position.

Memory: the ids as one column, and the measures that are looked at (not the records). What a corpus stage measures
over is the projection it chose, which is the bound of that stage (docs/engine.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.fingerprint import fingerprint
from curate.engine.measuring import ToMeasure, failed_of, to_measure
from curate.engine.memory import give_back
from curate.engine.naming import name_all
from curate.engine.origins import read_origins
from curate.engine.projections import Projection, Projections
from curate.engine.recipe import Recipe
from curate.engine.work import ShardFolder, ShardIndex, measures_rows, measures_schema, read_measures
from curate.model.rejected import Rejected
from curate.stages.arrays import one_array
from curate.stages.base import ComparesRuns
from curate.stages.ids import Ids
from curate.store.arrow_file import ArrowBatches

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_CHUNK = (
    16384  # records that are decided at a time where a stage looks at one run at a time: their steps are some 20 MB
)


class ReadShard(msgspec.Struct, kw_only=True):
    """A shard that was read. `key`: hash of what was read; `first`: position of its first record; `ids`: final ids of
    its records; `changed`: row -> (final id, id it came with), where those differ; `finals`: ids in the shard's files
    -> final ids, where those differ; `unread`: what could not be read, with final ids."""

    key: str
    folder: ShardFolder
    index: ShardIndex
    first: int = 0
    ids: Ids = msgspec.field(default_factory=lambda: Ids(pa.array([], pa.string())))
    changed: dict[int, tuple[str, str]] = {}
    finals: dict[str, str] = {}
    unread: list[Rejected] = []

    @property
    def last(self) -> int:
        """The position behind its last record."""
        return self.first + self.index.rows


class Chunk(NamedTuple):
    """Consecutive shards that are looked at together: the records from position `first` to before `last`."""

    shards: Sequence[ReadShard]
    first: int
    last: int


class Measured(NamedTuple):
    """Measures, and by row the position of its run in the corpus."""

    table: pa.Table
    at: NDArray[np.int64]


class Corpus:
    """All shards of a run, in input order. `against`: files of signatures of runs published before, each with its
    hash."""

    def __init__(
        self, root: Path, shards: list[ReadShard], recipe: Recipe, against: Mapping[Path, str] | None = None
    ) -> None:
        self.root = root
        self.against = dict(against or {})
        self.shards = shards
        self.recipe = recipe
        self.todo = {one.stage.name: one for one in to_measure(recipe)}
        self.measured = 0
        self.ids = _name_shards(shards)
        self.key = fingerprint([(shard.key, sorted(shard.finals.items())) for shard in shards])

    @property
    def whole(self) -> Chunk:
        return Chunk(self.shards, 0, len(self.ids))

    def measures_key(self, stage: str) -> str:
        """What the stage's measures of the whole corpus depend on."""
        return fingerprint(self.key, self.todo[stage].key)[:16]

    def corpus_file(self, stage: str) -> Path:
        return self.root / ".work" / "corpus" / f"{stage}-{self.measures_key(stage)}.arrow"

    def chunks(self) -> list[Chunk]:
        """The shards in consecutive groups of some thousand records, for what looks at one run at a time; at least
        one."""
        groups: list[list[ReadShard]] = [[]]
        size = 0
        for shard in self.shards:
            if size >= _CHUNK:
                groups.append([])
                size = 0
            groups[-1].append(shard)
            size += shard.index.rows
        return [Chunk(some, some[0].first if some else 0, some[-1].last if some else 0) for some in groups]

    def measures(self, stage: str, chunk: Chunk | None = None, columns: Sequence[str] | None = None) -> Measured:
        """The stage's measures of every record of the chunk (None: of all) that it could work on, in input order:
        these columns (None: all), of those with `step` where rows are of steps. `id` is final."""
        part = self.whole if chunk is None else chunk
        one = self.todo[stage]
        if one.stage.scope == "corpus":
            return self._of_corpus(one, part, columns)
        found = [self._of_shard(one, shard, columns) for shard in part.shards]
        filled = [measured for measured in found if measured.table.num_rows]
        tables = [measured.table for measured in filled] or [_widest([measured.table for measured in found])]
        return Measured(pa.concat_tables(tables), np.concatenate([np.zeros(0, np.int64), *(one.at for one in filled)]))

    def names(self, stage: str) -> list[str]:
        """The columns of the stage's measures."""
        one = self.todo[stage]
        if one.stage.scope == "corpus":
            return list(measures_schema(self._corpus_table(one)).names)
        files = (measures_schema(shard.folder.measures(stage, one.key)).names for shard in self.shards)
        return max(files, key=len, default=["id"])

    def _of_shard(self, one: ToMeasure, shard: ReadShard, columns: Sequence[str] | None) -> Measured:
        file = shard.folder.measures(one.stage.name, one.key)
        table = read_measures(file, columns).replace_schema_metadata(None)
        ids, own = one_array(table["id"]), _ids_in_files(shard)
        steps = pa.types.is_dictionary(ids.type)  # an id for each row of a step
        rows = _rows_of(ids.dictionary, own)[ids.indices.to_numpy()] if steps else _rows_of(ids, own)
        at = shard.first + rows
        return Measured(_with_ids(table, self.ids.array, at), at)

    def _of_corpus(self, one: ToMeasure, chunk: Chunk, columns: Sequence[str] | None) -> Measured:
        """Of what a corpus stage measured, the rows of these records."""
        file = self._corpus_table(one)
        if chunk.last - chunk.first == len(self.ids):
            table = read_measures(file, columns)
            return Measured(table, _rows_of(table["id"].combine_chunks(), self.ids.array))
        whole = measures_rows(file) == len(self.ids)  # a row for each record, or some failed
        table = read_measures(file, columns, chunk.first, chunk.last) if whole else read_measures(file, columns)
        ids = self.ids.array.slice(chunk.first, chunk.last - chunk.first)
        at = _rows_of(table["id"].combine_chunks(), ids)
        known = at >= 0
        table = table if known.all() else table.filter(pa.array(known))
        return Measured(table.replace_schema_metadata(None), at[known] + chunk.first)

    def _corpus_table(self, one: ToMeasure) -> Path:
        """What a corpus stage measures, made unless it is there. Only what runs are compared by is held for all
        runs at once; the others go through shard by shard."""
        file = self.corpus_file(one.stage.name)
        if not file.is_file():
            stage = cast(ComparesRuns, one.stage)
            own = [(shard.folder.measures(one.stage.name, one.key), shard.finals) for shard in self.shards]
            projections = Projections([Projection(*each) for each in own])
            compared = stage.compare(pa.concat_tables(projections.tables(stage.compared)).combine_chunks(), one.options)
            give_back()
            first = 0
            with ArrowBatches(file) as writer:
                for table in projections.tables():
                    writer.add(stage.joined(table, compared.slice(first, table.num_rows)))
                    first += table.num_rows
            give_back()
            self.measured += 1
        return file

    def failed(self) -> dict[str, str]:
        """Records that some stage could not work on, by final id: which stage, and what went wrong."""
        found: dict[str, str] = {}
        for shard in self.shards:
            for name, one in self.todo.items():
                schema = measures_schema(shard.folder.measures(name, one.key))
                for id, what in failed_of(schema).items():
                    found.setdefault(shard.finals.get(id, id), f"{name}: {what}")
        return found


def _name_shards(shards: list[ReadShard]) -> Ids:
    """Give every record its final id; all ids."""
    first = 0
    arrays: list[Any] = [pa.array([], pa.string())]
    for shard in shards:
        shard.first = first
        first += shard.index.rows
        arrays += read_origins(shard.folder)["id"].chunks
    own = pa.concat_arrays(arrays)
    final, finals = name_all(own, [(shard.first, shard.index) for shard in shards])
    for shard, named in zip(shards, finals, strict=True):
        shard.ids = Ids(final.slice(shard.first, shard.index.rows))
        shard.changed = named.changed
        shard.unread = [
            one.row if id == one.row.id else msgspec.structs.replace(one.row, id=id)
            for one, id in zip(shard.index.unread, named.unread, strict=True)
        ]
        for row, (id, _) in named.changed.items():
            before = own[shard.first + row].as_py()
            if id != before:
                shard.finals[before] = id
    return Ids(final)


def _ids_in_files(shard: ReadShard) -> Any:
    """The ids of the shard's records as its files have them."""
    if not shard.finals:
        return shard.ids.array
    before = {final: id for id, final in shard.finals.items()}
    return pa.array([before.get(id, id) for id in shard.ids], pa.string())


def _rows_of(ids: Any, among: Any) -> NDArray[np.int64]:
    """Where each id stands among others; -1 for one that is not there. Equal columns are the common case."""
    if len(ids) == len(among) and ids.equals(among):
        return np.arange(len(ids))
    found: NDArray[np.int64] = pc.fill_null(pc.index_in(ids, value_set=among), -1).to_numpy().astype(np.int64)
    return found


def _with_ids(table: pa.Table, ids: Any, at: NDArray[np.int64]) -> pa.Table:
    """The table with final ids in the place of those of its shard."""
    same = len(at) and at[-1] - at[0] == len(at) - 1 and (np.diff(at) == 1).all()
    final = ids.slice(int(at[0]), len(at)) if same else ids.take(pa.array(at))
    return table.set_column(table.column_names.index("id"), "id", final)


def _widest(tables: list[pa.Table]) -> pa.Table:
    """An empty table, with the columns of one that a stage made if there is one."""
    return max(tables, key=lambda table: len(table.column_names), default=pa.table({"id": pa.array([], pa.string())}))
