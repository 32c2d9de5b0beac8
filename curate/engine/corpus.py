"""The corpus of a run once every shard is read: its ids in input order, and each stage's measures of all of it.

Memory: the ids, and the measures that are looked at (not the records). What a corpus stage measures over is the
projection it chose, which is the bound of that stage (docs/engine.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.fingerprint import fingerprint
from curate.engine.measuring import ToMeasure, failed_of, to_measure
from curate.engine.naming import Names, rename_ids, unique_names
from curate.engine.recipe import Recipe
from curate.engine.work import ShardFolder, ShardIndex, read_table
from curate.model.rejected import Rejected
from curate.stages.base import MeasureContext
from curate.store.dataset import write_parquet

_CHUNK = 2048  # records whose step measures a decision holds as Python rows: some 20 MB


class ReadShard(msgspec.Struct, kw_only=True):
    """A shard that was read. `key`: hash of what was read; `ids`: final ids of its records; `changed`: row -> (final
    id, id it came with), where those differ; `finals`: ids in the shard's files -> final ids, where those differ;
    `unread`: what could not be read, with final ids."""

    key: str
    folder: ShardFolder
    index: ShardIndex
    ids: list[str] = []
    changed: dict[int, tuple[str, str]] = {}
    finals: dict[str, str] = {}
    unread: list[Rejected] = []


class Corpus:
    """All shards of a run, in input order."""

    def __init__(self, root: Path, shards: list[ReadShard], recipe: Recipe) -> None:
        self.root = root
        self.shards = shards
        self.recipe = recipe
        self.todo = {one.stage.name: one for one in to_measure(recipe)}
        self.measured = 0
        _name_all(shards)
        self.ids = [id for shard in shards for id in shard.ids]
        self.key = fingerprint([(shard.key, sorted(shard.finals.items())) for shard in shards])

    def measures_key(self, stage: str) -> str:
        """What the stage's measures of the whole corpus depend on."""
        return fingerprint(self.key, self.todo[stage].key)[:16]

    def corpus_file(self, stage: str) -> Path:
        return self.root / ".work" / "corpus" / f"{stage}-{self.measures_key(stage)}.parquet"

    def chunks(self) -> list[list[ReadShard]]:
        """The shards in consecutive groups of some thousand records, for what looks at one run at a time."""
        found: list[list[ReadShard]] = []
        size = _CHUNK
        for shard in self.shards:
            if size >= _CHUNK:
                found.append([])
                size = 0
            found[-1].append(shard)
            size += len(shard.ids)
        return found

    def measures(self, stage: str, shards: list[ReadShard] | None = None) -> pa.Table:
        """The stage's measures of every record it could work on, in input order; of these shards alone, where only
        they are asked for and the stage measures by shard."""
        one = self.todo[stage]
        if one.stage.scope == "shard":
            return self._concatenated(one, self.shards if shards is None else shards)
        file = self.corpus_file(stage)
        if not file.is_file():
            context = MeasureContext(media_root=self.root, seed=self.recipe.seed)
            write_parquet(file, one.stage.measure(self._concatenated(one, self.shards), one.options, context))
            self.measured += 1
        return read_table(file)

    def _concatenated(self, one: ToMeasure, shards: list[ReadShard]) -> pa.Table:
        tables = [
            rename_ids(read_table(shard.folder.measures(one.stage.name, one.key)), shard.finals) for shard in shards
        ]
        filled = [table.replace_schema_metadata(None) for table in tables if table.num_rows]
        return pa.concat_tables(filled) if filled else _widest(tables)

    def failed(self) -> dict[str, str]:
        """Records that some stage could not work on, by final id: which stage, and what went wrong."""
        found: dict[str, str] = {}
        for shard in self.shards:
            for name, one in self.todo.items():
                schema = pq.read_schema(shard.folder.measures(name, one.key))
                for id, what in failed_of(schema).items():
                    found.setdefault(shard.finals.get(id, id), f"{name}: {what}")
        return found


class Measures(Mapping[str, pa.Table]):
    """Measures by stage name, read when they are looked at; of some shards alone, or of the corpus. `seen`: the
    stages that were looked at, each with the key of its measures: what a decision depends on is what it looked at."""

    def __init__(self, corpus: Corpus, shards: list[ReadShard] | None = None) -> None:
        self.corpus = corpus
        self.shards = shards
        self.seen: dict[str, str] = {}
        self._tables: dict[str, pa.Table] = {}

    def __getitem__(self, stage: str) -> pa.Table:
        if stage not in self.corpus.todo:
            raise KeyError(stage)
        self.seen[stage] = self.corpus.measures_key(stage)
        if stage not in self._tables:
            self._tables[stage] = self.corpus.measures(stage, self.shards)
        return self._tables[stage]

    def __iter__(self) -> Iterator[str]:
        return iter(self.corpus.todo)

    def __len__(self) -> int:
        return len(self.corpus.todo)


def _name_all(shards: list[ReadShard]) -> None:
    names = Names()
    for shard in shards:
        parts = (shard.folder.part(number) for number in range(len(shard.index.batches)))
        shard.ids = [str(id) for part in parts for id in pq.read_table(part, columns=["id"])["id"].to_pylist()]
        named = unique_names(names, shard.ids, shard.index.renamed, shard.index.unread)
        shard.changed = named.changed
        shard.unread = [
            one.row if id == one.row.id else msgspec.structs.replace(one.row, id=id)
            for one, id in zip(shard.index.unread, named.unread, strict=True)
        ]
        for row, (final, _) in named.changed.items():
            if final != shard.ids[row]:
                shard.finals[shard.ids[row]] = final
                shard.ids[row] = final


def _widest(tables: list[pa.Table]) -> pa.Table:
    """An empty table, with the columns of one that a stage made if there is one."""
    return max(tables, key=lambda table: len(table.column_names), default=pa.table({"id": pa.array([], pa.string())}))
