"""Decides in the recipe's order, each stage over what the ones before it left. A decision that was made before on
the same measures, options and decisions is read back from the stage's table instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.corpus import Chunk, Corpus, Measured
from curate.engine.decision_input import CorpusInput, Measures, Told
from curate.engine.fingerprint import fingerprint
from curate.engine.memory import give_back
from curate.engine.places import Place, Positions, codes_of, read_place, restored
from curate.engine.progress import Tells
from curate.engine.stage_table import DecisionKey, StageWriter, joined, read_key
from curate.engine.workers import no_collecting
from curate.model.errors import InputError
from curate.model.reasons import REASONS
from curate.stages import registry
from curate.stages.base import Stage
from curate.stages.ids import Ids
from curate.stages.tables import places as rows_at
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_FAILED = "validate.stage_failed"


def decide_all(corpus: Corpus, folder: RunFolder, tells: Tells) -> list[Place]:
    """Every decision of the recipe in order, each with its table written."""
    failed = corpus.failed()
    came: Positions = np.arange(len(corpus.ids), dtype=np.int32)
    places: list[Place] = []
    tells.phase("stages decide", len(corpus.recipe.order))
    published = sorted(corpus.against.values())
    before = fingerprint(corpus.key, corpus.recipe.seed, sorted(failed.items()), published)
    for number, (
        name,
        stage,
    ) in enumerate(corpus.recipe.places(), start=1):
        before = fingerprint(before, name, stage, registry.stage(stage).version, corpus.recipe.section(stage))
        path = folder.stage_path(number, name)
        place = _found(corpus, path, name, stage, number, came, before)
        if place is None:
            deciding = _Deciding(corpus, registry.stage(stage), places, came, failed)
            with no_collecting():
                place = deciding.decide(path, name, number, before)
        places.append(place)
        kept = place.kept
        came = came if len(kept) == len(came) else kept
        give_back()
        before = fingerprint(place.key)  # what it looked at too: test tasks may have changed under one option
        tells.advance()
    return places


def _found(
    corpus: Corpus, path: Path, name: str, stage: str, number: int, came: Positions, before: str
) -> Place | None:
    """The decision as it was made before on the same; None when there is none."""
    key = read_key(path)
    if key is None or key.before != before or not _same_measures(corpus, key):
        return None
    try:
        return restored(read_place(path, name, stage, number, key, came))
    except (InputError, KeyError, OSError, pa.ArrowException):
        return None


def _same_measures(corpus: Corpus, key: DecisionKey) -> bool:
    return all(
        stage in corpus.todo and corpus.measures_key(stage) == measured for stage, measured in key.looked_at.items()
    )


class _Deciding:
    """One stage deciding over the runs that came to it. `failed`: runs that some stage could not work on, by id."""

    def __init__(
        self, corpus: Corpus, stage: Stage, so_far: list[Place], came: Positions, failed: dict[str, str]
    ) -> None:
        self.corpus, self.stage, self.so_far, self.came = corpus, stage, so_far, came
        at = _positions(list(failed), corpus.ids)
        self.failed = {position: why for position, why in zip(at, failed.values(), strict=True) if position in came}
        self.able = came[~np.isin(came, list(self.failed))] if self.failed else came
        self.seen = {stage.name: corpus.measures_key(stage.name)}

    def decide(self, path: Path, name: str, number: int, before: str) -> Place:
        """Let the stage decide, and write its table: over the corpus, or chunk by chunk where it looks at one run at
        a time."""
        verdict, reason = [np.zeros(0, np.int8)], [np.zeros(0, np.int16)]
        columns: list[str] = []
        with StageWriter(path) as writer:
            for chunk, measured, decided, at in self._decided():
                give_back()
                of_measures = self._came(chunk, measured.at)
                writer.add(joined(decided, at, measured.table, of_measures, self.corpus.ids.array))
                of_chunk = codes_of(decided.filter(pc.is_null(decided["step"])))
                verdict.append(of_chunk[0])
                reason.append(of_chunk[1])
                columns = [column for column in decided.column_names if column not in ("id", "step")]
            key = DecisionKey(before=before, looked_at=dict(sorted(self.seen.items())), columns=columns)
            writer.close(key)
        return Place(
            name=name, stage=self.stage.name, number=number, path=path, key=key, made=True, came=self.came,
            verdict=np.concatenate(verdict), reason=np.concatenate(reason),
        )  # fmt: skip

    def _decided(self) -> Iterator[tuple[Chunk, Measured, pa.Table, NDArray[np.int64]]]:
        """The stage's measures and its verdicts of each chunk, and by row of these the position of its run."""
        if getattr(self.stage, "decides_by_run", False):
            for chunk in self.corpus.chunks():
                measures = Measures(self.corpus, chunk)
                yield chunk, measures.keep(self.stage.name), *self._decide(chunk, measures)
            return
        whole, at = self._decide(self.corpus.whole, Measures(self.corpus))
        for chunk in self.corpus.chunks():
            low, high = np.searchsorted(at, (chunk.first, chunk.last))
            measured = self.corpus.measures(self.stage.name, chunk)
            yield chunk, measured, whole.slice(low, high - low), at[low:high]

    def _decide(self, chunk: Chunk, measures: Measures) -> tuple[pa.Table, NDArray[np.int64]]:
        """The verdicts on the runs of a chunk, in order, and by row the position of its run."""
        at = _within(self.able, chunk)
        alive = Ids(
            self.corpus.ids.array.take(pa.array(at)) if len(at) < len(self.corpus.ids) else self.corpus.ids.array
        )
        told = Told(self.so_far, self.corpus, chunk)
        given = CorpusInput(
            alive=alive,
            measures=measures,
            verdicts=told,
            seed=self.corpus.recipe.seed,
            chunk=chunk,
            at=at,
            against=list(self.corpus.against),
        )
        decided = self.stage.decide(given, self.corpus.recipe.options[self.stage.name])
        self.seen |= measures.seen
        run = _checked(decided, alive, self.stage.name)
        rows = at[run].astype(np.int64)
        came = _within(self.came, chunk)
        return (decided, rows) if len(came) == len(at) else self._with_failed(decided, rows, came)

    def _with_failed(
        self, decided: pa.Table, rows: NDArray[np.int64], came: Positions
    ) -> tuple[pa.Table, NDArray[np.int64]]:
        """The verdicts with a row for each run that some stage could not work on."""
        here = [position for position in came.tolist() if position in self.failed]
        ids = self.corpus.ids
        told = [{"id": ids[at], "verdict": "quarantine", "reason": _FAILED, "detail": self.failed[at]} for at in here]
        both = pa.concat_tables([decided, pa.Table.from_pylist(told, schema=decided.schema)])
        at = np.concatenate([rows, np.array(here, np.int64)])
        order = np.argsort(at, kind="stable")
        return both.take(rows_at(order)), at[order]

    def _came(self, chunk: Chunk, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of runs of a chunk; -1 for those that did not come."""
        came = np.zeros(chunk.last - chunk.first, bool)
        came[_within(self.came, chunk) - chunk.first] = True
        return np.where(came[at - chunk.first], at, -1)


def _within(positions: Positions, chunk: Chunk) -> Positions:
    start, stop = np.searchsorted(positions, (chunk.first, chunk.last))
    return positions[start:stop]


def _positions(ids: list[str], among: Ids) -> list[int]:
    found: list[int] = pc.index_in(pa.array(ids, pa.string()), value_set=among.array).to_pylist() if ids else []
    return found


def _checked(verdicts: pa.Table, alive: Ids, stage: str) -> NDArray[np.int64]:
    """By row, which of the runs alive it is of. A stage answers for every run it was given, in order, with reasons
    that are listed: else it is at fault."""
    is_run = np.asarray(pc.is_null(verdicts["step"]))
    runs = verdicts["id"] if is_run.all() else verdicts["id"].filter(pa.array(is_run))
    if not runs.combine_chunks().equals(alive.array):
        raise RuntimeError(f"the stage {stage} did not give one verdict for each run, in order")
    unlisted = {str(code) for code in verdicts["reason"].unique().to_pylist() if code is not None} - REASONS.keys()
    if unlisted:
        raise RuntimeError(f"the stage {stage} gave the reason {min(unlisted)!r}, which model/reasons.py lacks")
    found: NDArray[np.int64] = np.cumsum(is_run) - 1
    return found


def positions_of(ids: list[str], corpus: Corpus) -> Positions:
    """Where these runs stand in the corpus."""
    return np.array(_positions(ids, corpus.ids), np.int32)
