"""What a decision reads of a run: measures and earlier verdicts by position, from disk, the columns that are asked
for; of the whole corpus, or of some shards. The answers are those of `stages.base.DecisionInput`, without looking up
a million ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.corpus import Chunk, Corpus, Measured
from curate.engine.memory import give_back
from curate.engine.places import Place, Positions
from curate.stages.base import DecisionInput, first_of_each
from curate.stages.ids import ids_of
from curate.stages.tables import nulls, places

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_LARGE = 1 << 15  # runs: what was read for so many is worth giving back, which takes some milliseconds


class Measures(Mapping[str, pa.Table]):
    """Measures by stage name, read when they are looked at; of a chunk, or of the corpus. `seen`: the stages that
    were looked at, each with the key of its measures: what a decision depends on is what it looked at."""

    def __init__(self, corpus: Corpus, chunk: Chunk | None = None) -> None:
        self.corpus, self.chunk = corpus, chunk
        self.seen: dict[str, str] = {}
        self._whole: dict[str, Measured] = {}

    def __getitem__(self, stage: str) -> pa.Table:
        return self.columns(stage, None)

    def columns(self, stage: str, columns: Sequence[str] | None) -> pa.Table:
        return self.measured(stage, columns)[0]

    def names(self, stage: str) -> Sequence[str]:
        self._look(stage)
        return self.corpus.names(stage)

    def measured(self, stage: str, columns: Sequence[str] | None) -> Measured:
        """These columns, and by row the position of its run."""
        self._look(stage)
        whole = self._whole.get(stage)
        if whole is None or columns is None:
            return whole or self.corpus.measures(stage, self.chunk, columns)
        names = [name for name in ("id", "step") if name in whole.table.column_names]
        return Measured(whole.table.select([*names, *(name for name in columns if name not in names)]), whole.at)

    def keep(self, stage: str) -> Measured:
        """All that the stage measured of the chunk, read now and kept."""
        self._whole[stage] = self.corpus.measures(stage, self.chunk)
        return self._whole[stage]

    def _look(self, stage: str) -> None:
        if stage not in self.corpus.todo:
            raise KeyError(stage)
        self.seen[stage] = self.corpus.measures_key(stage)

    def __contains__(self, stage: object) -> bool:
        return stage in self.corpus.todo

    def __iter__(self) -> Iterator[str]:
        return iter(self.corpus.todo)

    def __len__(self) -> int:
        return len(self.corpus.todo)


class Told(Mapping[str, pa.Table]):
    """The verdicts of the decisions so far, read when they are looked at; of a chunk, or of the corpus."""

    def __init__(self, so_far: Sequence[Place], corpus: Corpus, chunk: Chunk) -> None:
        self.places = {place.name: place for place in so_far}
        self.corpus, self.chunk = corpus, chunk

    def __getitem__(self, name: str) -> pa.Table:
        return self.columns(name, None)

    def columns(self, name: str, columns: Sequence[str] | None) -> pa.Table:
        place = self.places[name]
        wanted = place.columns if columns is None else list(columns)
        table, at = place.rows([column for column in wanted if column != "id"], self.chunk.first, self.chunk.last)
        if "id" in wanted and "id" not in table.column_names:
            table = table.append_column("id", self.corpus.ids.array.take(places(at)))
        return table.select(wanted)

    def names(self, name: str) -> Sequence[str]:
        return self.places[name].columns

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class CorpusInput(DecisionInput, kw_only=True):
    """As DecisionInput. `at`: positions in the corpus of the runs alive, ascending."""

    measures: Measures
    verdicts: Told
    chunk: Chunk
    at: Positions

    def of_runs(self, stage: str, columns: Sequence[str] | None = None) -> pa.Table:
        table, rows = self.measures.measured(stage, columns)
        at = self.positions
        if len(rows) == len(at) and np.array_equal(rows, at):
            return table
        place = np.full(self.chunk.last - self.chunk.first, -1, np.int64)
        place[rows - self.chunk.first] = np.arange(len(rows))
        taken = place[at - self.chunk.first]
        table = table.take(places(taken, taken < 0))
        if len(taken) > _LARGE:
            give_back()  # what was read of all, before those alive were taken
        return table.set_column(table.column_names.index("id"), "id", ids_of(self.alive))

    def of_steps(self, stage: str, columns: Sequence[str] | None = None) -> tuple[pa.Table, NDArray[np.int64]]:
        return self._alive_rows(*self.measures.measured(stage, columns))

    def so_far(self, column: str) -> Any:
        found: Any = None
        for place in self.verdicts.places.values():
            if column in place.columns:
                rows = self._alive_rows(*place.of_runs([column], self.chunk.first, self.chunk.last))
                found = _over(found, rows[0][column].combine_chunks(), rows[1], len(self.alive))
        return found

    def left_out_so_far(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
        said = [
            self._alive_rows(*place.of_steps(["reason"], self.chunk.first, self.chunk.last))
            for place in self.verdicts.places.values()
        ]
        return first_of_each([(at, rows["step"], rows["reason"]) for rows, at in said])

    @property
    def positions(self) -> NDArray[Any]:
        """`at`; looked up where somebody asks for other runs than those alive."""
        if len(self.at) == len(self.alive):
            return self.at
        found: NDArray[Any] = pc.index_in(ids_of(self.alive), value_set=self.measures.corpus.ids.array).to_numpy()
        return found

    def _alive_rows(self, table: pa.Table, rows: NDArray[np.int64]) -> tuple[pa.Table, NDArray[np.int64]]:
        """The rows of runs alive, and the place of each one's run in `alive`."""
        alive = np.full(self.chunk.last - self.chunk.first, -1, np.int64)
        at = self.positions
        alive[at - self.chunk.first] = np.arange(len(at))
        found = alive[rows - self.chunk.first]
        known = found >= 0
        return (table, found) if known.all() else (table.filter(pa.array(known)), found[known])


def _over(before: Any, said: Any, at: NDArray[np.int64], count: int) -> Any:
    """A column of `count` rows with what was said now, and where that is null what was said before."""
    place = np.full(count, -1, np.int64)
    valid = np.asarray(said.is_valid())
    place[at[valid]] = np.flatnonzero(valid)
    now = said.take(places(place, place < 0)) if len(said) else nulls(count, said.type)
    return now if before is None else pc.coalesce(now, before)
