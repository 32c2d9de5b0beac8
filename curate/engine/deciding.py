"""Decides in the recipe's order, each stage over what the ones before it left. A decision that was made before on
the same measures, options and decisions is read back from the stage's table instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.corpus import Corpus, Measures, ReadShard
from curate.engine.fingerprint import fingerprint
from curate.engine.progress import Tells
from curate.engine.stage_table import DecisionKey, read_key, read_verdicts, write_stage_table
from curate.engine.workers import no_collecting
from curate.model.reasons import REASONS
from curate.stages import registry
from curate.stages.base import DecisionInput
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_NO_EXAMPLE = "unroll.no_example"


class Place(msgspec.Struct, kw_only=True):
    """One decision: its name (`leaks_2`), its stage, its verdicts, what it depended on (`key`), and whether it was
    `made` now. The last one is written when the examples are made: a run the format cannot write is out."""

    name: str
    stage: str
    number: int
    verdicts: pa.Table
    came: list[str]
    key: DecisionKey
    made: bool

    def counts(self) -> dict[str, dict[str, int]]:
        """Runs by verdict and reason."""
        found: dict[str, Counter[str]] = {"keep": Counter(), "drop": Counter(), "quarantine": Counter()}
        grouped = self._runs().group_by(["verdict", "reason"]).aggregate([([], "count_all")])
        for row in grouped.to_pylist():
            found[row["verdict"]][row["reason"] or ""] += row["count_all"]
        return {verdict: dict(reasons) for verdict, reasons in found.items()}

    def gone(self) -> list[dict[str, Any]]:
        """Rows of the runs that are not kept."""
        runs = self._runs()
        rows: list[dict[str, Any]] = runs.filter(pc.not_equal(runs["verdict"], "keep")).to_pylist()
        return rows

    def _runs(self) -> pa.Table:
        runs = self.verdicts.filter(pc.is_null(self.verdicts["step"]))
        return runs.select(["id", "verdict", "reason", "detail", "witness"])

    def write(self, corpus: Corpus, folder: RunFolder) -> None:
        """Write the stage's table, unless it is there."""
        if self.made:
            path = folder.stage_path(self.number, self.name)
            write_stage_table(path, self.verdicts, corpus.measures(self.stage), self.came, self.key)

    def amend(self, without: set[str]) -> None:
        """Runs that gave no example are out."""
        if not without:
            return
        rows: list[dict[str, Any]] = self.verdicts.to_pylist()
        for row in rows:
            if row["step"] is None and row["id"] in without and row["verdict"] == "keep":
                row.update(verdict="drop", reason=_NO_EXAMPLE)
        self.verdicts = pa.Table.from_pylist(rows, schema=self.verdicts.schema)


def decide_all(corpus: Corpus, folder: RunFolder, tells: Tells) -> list[Place]:
    """Every decision of the recipe in order."""
    failed = corpus.failed()
    alive = corpus.ids
    places: list[Place] = []
    tells.phase("stages decide", len(corpus.recipe.order))
    before = fingerprint(corpus.key, corpus.recipe.seed, sorted(failed.items()))
    for number, (name, stage_name) in enumerate(corpus.recipe.places(), start=1):
        before = fingerprint(before, name, stage_name, registry.stage(stage_name).version,
                             corpus.recipe.section(stage_name))  # fmt: skip
        place = _found(corpus, folder.stage_path(number, name), name, stage_name, number, alive, before)
        if place is None:
            with no_collecting():
                place = _decided(corpus, name, stage_name, number, alive, before, places, failed)
            if stage_name != "unroll":
                place.write(corpus, folder)
        places.append(place)
        alive = kept(place.verdicts)
        before = fingerprint(place.key)  # what it looked at too: test tasks may have changed under one option
        tells.advance()
    return places


def _found(
    corpus: Corpus, path: Path, name: str, stage: str, number: int, came: list[str], before: str
) -> Place | None:
    """The decision as it was made before on the same; None when there is none."""
    key = read_key(path)
    if key is None or key.before != before or not _same_measures(corpus, key):
        return None
    verdicts = _without_amendments(read_verdicts(path, key))
    return Place(name=name, stage=stage, number=number, verdicts=verdicts, came=came, key=key, made=False)


def _decided(
    corpus: Corpus, name: str, stage_name: str, number: int, came: list[str], before: str, places: list[Place],
    failed: dict[str, str],
) -> Place:  # fmt: skip
    """Let the stage decide: over the corpus, or chunk by chunk where it looks at one run at a time."""
    stage = registry.stage(stage_name)
    able = [id for id in came if id not in failed]
    told = {place.name: place.verdicts for place in places}
    seen: dict[str, str] = {stage_name: corpus.measures_key(stage_name)}
    tables = []
    by_run = getattr(stage, "decides_by_run", False)
    for shards, alive, verdicts in _in_chunks(corpus, able, told) if by_run else [(None, able, told)]:
        measures = Measures(corpus, shards)
        given = DecisionInput(alive=alive, measures=measures, verdicts=verdicts, seed=corpus.recipe.seed)
        tables.append(stage.decide(given, corpus.recipe.options[stage_name]))
        seen |= measures.seen
    decided = pa.concat_tables(tables)
    _check(decided, able, stage_name)
    if len(able) < len(came):
        decided = _with_failed(decided, came, failed)
    own = [column for column in decided.column_names if column not in ("id", "step")]
    key = DecisionKey(before=before, looked_at=dict(sorted(seen.items())), columns=own)
    return Place(name=name, stage=stage_name, number=number, verdicts=decided, came=came, key=key, made=True)


def _in_chunks(
    corpus: Corpus, alive: list[str], told: dict[str, pa.Table]
) -> Iterator[tuple[list[ReadShard], list[str], dict[str, pa.Table]]]:
    """The corpus in groups of shards: the shards, their runs of those alive, their rows of the verdicts so far."""
    ids = pa.array(corpus.ids, pa.string())
    places = {name: _positions(table["id"], ids) for name, table in told.items()}
    of_alive = _positions(pa.array(alive, pa.string()), ids)
    first = 0
    for shards in corpus.chunks() or [[]]:
        last = first + sum(len(shard.ids) for shard in shards)
        start, stop = np.searchsorted(of_alive, (first, last))
        verdicts = {}
        for name, table in told.items():
            low, high = np.searchsorted(places[name], (first, last))
            verdicts[name] = table.slice(low, high - low)
        yield shards, alive[start:stop], verdicts
        first = last


def _positions(column: Any, ids: Any) -> NDArray[np.int64]:
    """Where the ids of a column in input order stand among all; ascending, as verdicts are in input order."""
    found: NDArray[np.int64] = pc.index_in(column, value_set=ids).to_numpy().astype(np.int64)
    return found


def kept(verdicts: pa.Table) -> list[str]:
    """Ids of the runs that verdicts keep, in order."""
    runs = pc.and_(pc.is_null(verdicts["step"]), pc.equal(verdicts["verdict"], "keep"))
    ids: list[Any] = verdicts.filter(runs)["id"].to_pylist()
    return ids


def left_out(places: list[Place]) -> dict[str, dict[int, tuple[str, str, str | None]]]:
    """By run and step, the first decision that left the step out: place, reason, detail."""
    found: dict[str, dict[int, tuple[str, str, str | None]]] = {}
    for place in places:
        steps = place.verdicts.filter(pc.is_valid(place.verdicts["step"]))
        for row in steps.select(["id", "step", "reason", "detail"]).to_pylist():
            told = (place.name, row["reason"], row["detail"])
            found.setdefault(row["id"], {}).setdefault(row["step"], told)
    return found


def column_of_runs(places: list[Place], stage: str, column: str) -> dict[str, object]:
    """What the last place of a stage said of each run in a column of its own; nothing where there is no such stage."""
    for place in reversed(places):
        if place.stage == stage and column in place.verdicts.column_names:
            runs = place.verdicts.filter(pc.is_null(place.verdicts["step"]))
            ids: list[Any] = runs["id"].to_pylist()
            return dict(zip(ids, runs[column].to_pylist(), strict=True))
    return {}


def _same_measures(corpus: Corpus, key: DecisionKey) -> bool:
    return all(
        stage in corpus.todo and corpus.measures_key(stage) == measured for stage, measured in key.looked_at.items()
    )


def _check(verdicts: pa.Table, alive: list[str], stage: str) -> None:
    """A stage answers for every run it was given, in order, with reasons that are listed: else it is at fault."""
    runs = verdicts.filter(pc.is_null(verdicts["step"]))
    if runs["id"].to_pylist() != alive:
        raise RuntimeError(f"the stage {stage} did not give one verdict for each run, in order")
    unlisted = {str(code) for code in verdicts["reason"].unique().to_pylist() if code is not None} - REASONS.keys()
    if unlisted:
        raise RuntimeError(f"the stage {stage} gave the reason {min(unlisted)!r}, which model/reasons.py lacks")


def _with_failed(verdicts: pa.Table, alive: list[str], failed: dict[str, str]) -> pa.Table:
    """The verdicts with a row for each run that some stage could not work on."""
    rows = [
        {"id": id, "verdict": "quarantine", "reason": "validate.stage_failed", "detail": failed[id]}
        for id in alive
        if id in failed
    ]
    return in_order(pa.concat_tables([verdicts, pa.Table.from_pylist(rows, schema=verdicts.schema)]), alive)


def in_order(verdicts: pa.Table, ids: list[str]) -> pa.Table:
    """Rows in the order of the ids, a run's own row before those of its steps."""
    position = pc.index_in(verdicts["id"], value_set=pa.array(ids, pa.string()))
    step = pc.fill_null(verdicts["step"], -1)
    order = pc.sort_indices(pa.table({"p": position, "s": step}), sort_keys=[("p", "ascending"), ("s", "ascending")])
    return verdicts.take(order)


def _without_amendments(verdicts: pa.Table) -> pa.Table:
    """The decision as it was before the examples were made."""
    if not pc.any(pc.equal(verdicts["reason"], _NO_EXAMPLE)).as_py():
        return verdicts
    rows: list[dict[str, Any]] = verdicts.to_pylist()
    for row in rows:
        if row["reason"] == _NO_EXAMPLE:
            row.update(verdict="keep", reason=None)
    return pa.Table.from_pylist(rows, schema=verdicts.schema)
