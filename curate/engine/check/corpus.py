"""What only shows over a whole dataset: copies, leaks, ids that occur twice. The rules are those of the stages
nearcopies and leaks; here everything is told and nothing dropped. Memory: some 500 bytes a record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.check.collect import Collected
from curate.engine.check.splits import Corpus, add_splits
from curate.engine.check.types import Row
from curate.model.reasons import REASONS
from curate.model.trajectory import Trajectory
from curate.stages import registry
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.ids import Ids
from curate.stages.records_table import RecordsTable
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither groups nor nulls
_TOGETHER = 64  # tables of a batch: some 8,000 records
Numbers = NDArray[np.int64]


class _Tables:
    """Tables that come a batch at a time: put together now and then, each word of a column once."""

    def __init__(self) -> None:
        self._done: list[pa.Table] = []
        self._last: list[pa.Table] = []

    def add(self, table: pa.Table) -> None:
        """One more."""
        self._last.append(table)
        if len(self._last) >= _TOGETHER:
            self._put_together()

    def whole(self) -> pa.Table:
        """All of them, which are gone here."""
        self._put_together()
        tables, self._done = self._done, []
        return pa.concat_tables(tables)

    def _put_together(self) -> None:
        if self._last:
            self._done.append(pa.concat_tables(self._last).unify_dictionaries().combine_chunks())
            self._last = []


class Whole:
    """Keeps of each record what comparing needs. `tests`: files of test tasks, with the names they are told by."""

    def __init__(self, found: Collected, context: MeasureContext, tests: Sequence[tuple[str, Path]]) -> None:
        self._found, self._context = found, context
        self._count = 0
        self._copies, self._leaks = registry.stage("nearcopies"), registry.stage("leaks")
        self._normalise = registry.stage("normalise")
        self._tests = [(name, self._leaks.options(tests=str(path))) for name, path in tests]
        self._projections, self._places = _Tables(), _Tables()
        self._leaking = [_Tables() for _ in self._tests]

    def add(self, records: Sequence[Trajectory], splits: Sequence[str | None]) -> None:
        """The records of a batch, and the split of each. Their normal forms are compared."""
        options = self._normalise.options()
        given: list[Trajectory] = [
            self._normalise.rewrite(record, options, self._context)  # type: ignore[attr-defined]
            for record in records
        ]
        names = [f"{self._count + number:010}" for number in range(len(records))]  # ids may repeat
        self._count += len(records)
        rows = [
            (name, one.id, split, one.source.file, one.source.line)
            for name, one, split in zip(names, records, splits, strict=True)
        ]
        self._places.add(_table(rows))
        table = RecordsTable(given)
        context = msgspec.structs.replace(self._context, decoded=given)
        projected = self._copies.project(table, self._copies.options(), context)  # type: ignore[attr-defined]
        self._projections.add(_named(projected, names))
        for (_, options), tables in zip(self._tests, self._leaking, strict=True):
            tables.add(_named(self._leaks.measure(table, options, context), names))  # type: ignore[arg-type]

    def finish(self) -> None:
        """Compare all of them."""
        if not self._count:
            return
        whole = self._places.whole()
        columns = [whole[name].combine_chunks() for name in whole.column_names]
        corpus = Corpus(*columns)
        self._add_repeated(corpus)
        runs = self._projections.whole()
        options = self._copies.options(action="drop", action_people="drop", clusters=True)
        measures = self._copies.measure(runs, options, self._context)
        copy, of = self._add_copies(corpus, measures, options)
        add_splits(self._found, corpus, measures, copy, of)
        self._add_leaks(corpus, measures)

    def _add_repeated(self, corpus: Corpus) -> None:
        """Records whose id an earlier one has."""
        codes = np.asarray(corpus.came.dictionary_encode().indices)
        _, first = np.unique(codes, return_index=True)
        again = np.ones(len(codes), bool)
        again[first] = False
        for place in np.flatnonzero(again).tolist():
            self._found.add("source.repeated_id", corpus.row(place))
        self._found.say("source.repeated_id", of=len(codes))

    def _add_copies(self, corpus: Corpus, measures: pa.Table, options: Any) -> tuple[Numbers, Numbers]:
        """Who is a copy of whom, by place."""
        given = DecisionInput(alive=Ids(corpus.ids), measures={"nearcopies": measures}, verdicts={})
        decided = self._copies.decide(given, options)
        decided = decided.filter(pc.is_null(decided["step"]))
        at = np.flatnonzero(np.asarray(pc.equal(decided["verdict"], "drop")))
        told = decided.take(places(at))
        witness = pc.index_in(told["witness"].combine_chunks(), value_set=corpus.ids)
        of = np.asarray(pc.fill_null(witness, -1)).astype(np.int64)
        for place, other, row in zip(at.tolist(), of.tolist(), told.to_pylist(), strict=True):
            kind = "copies.repeat" if row["reason"] == "nearcopies.repeat" else "copies.near"
            who = corpus.row(other) if other >= 0 else Row(id=row["witness"])
            where = f" ({who.file}:{who.line})" if who.file and who.line else f" ({who.file})" if who.file else ""
            self._found.add(kind, corpus.row(place, f"of {who.id}{where}{_alike(row)}"))
        clusters = len(pc.unique(measures["cluster"].drop_null()))
        alike = f"Clusters of runs that did alike, whatever their task: {clusters:,}."
        for kind in ("copies.repeat", "copies.near"):
            for finding in self._found.parts(kind):
                share = finding.count / len(corpus.ids)
                self._found.say(kind, f"{share:.1%} of the records. {alike}".rstrip(), of=len(corpus.ids))
                alike = ""  # said once
        known = of >= 0
        return at[known], of[known]

    def _add_leaks(self, corpus: Corpus, copies: pa.Table) -> None:
        if not self._tests:
            why = "no test tasks were named: `--tests FILE` holds the data against a benchmark."
            self._found.cannot("leak", "leaks of test tasks", why)
        for (name, options), tables in zip(self._tests, self._leaking, strict=True):
            measures = {"leaks": tables.whole(), "nearcopies": copies}
            given = DecisionInput(alive=Ids(corpus.ids), measures=measures, verdicts={})
            decided = self._leaks.decide(given, options)
            decided = decided.filter(pc.is_null(decided["step"]))
            self._of_pack(name, corpus, decided)

    def _of_pack(self, name: str, corpus: Corpus, decided: pa.Table) -> None:
        """What one pack finds: strong evidence, and weak."""
        told = pc.or_(pc.equal(decided["verdict"], "drop"), pc.is_valid(decided["flags"]))
        at = np.flatnonzero(np.asarray(pc.fill_null(told, False)))
        strong = weak = 0
        for place, row in zip(at.tolist(), decided.take(places(at)).to_pylist(), strict=True):
            out = row["verdict"] == "drop"
            reason = row["reason"] if out else (row["flags"] or [None])[0]
            if reason is None:
                continue
            strong, weak = strong + out, weak + (not out)
            who, detail = _witness(row["witness"], corpus), row["detail"] or ""
            what = f"{reason}, {detail}" if who in detail else f"{reason}, {who}{': ' if detail else ''}{detail}"
            self._found.add(f"leak.{'strong' if out else 'weak'}", corpus.row(place, what), part=f"{name}: {reason}")
        for kind in ("leak.strong", "leak.weak"):
            for finding in self._found.parts(kind):
                reason = (finding.part or "").rsplit(": ", 1)[-1]
                said = f"{(finding.part or '').rsplit(': ', 1)[0]}: {REASONS.get(reason, reason)}"
                self._found.say(kind, said, part=finding.part, of=len(corpus.ids))
        if not strong and not weak:
            self._found.add("leak.none", part=name, times=len(corpus.ids))
            self._found.say("leak.none", f"none of {len(corpus.ids):,} records gives a task of {name} away", part=name)


def _witness(name: str | None, corpus: Corpus) -> str:
    """What a leak is shown by: a test task, or the record that it is a near-copy of."""
    place = pc.index(corpus.ids, name).as_py() if name is not None else -1
    return f"test task {name}" if place < 0 else f"near-copy of {corpus.came[place].as_py()}"


def _alike(row: dict[str, Any]) -> str:
    return "" if row.get("similarity") is None else f", {row['similarity']:.0%} alike"


def _named(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """A table of measures, one row a record, under other ids."""
    return table.set_column(table.column_names.index("id"), "id", pa.array(names, pa.string()))


def _table(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    kinds: list[Any] = [pa.string()] * 4 + [pa.int64()]
    names = ("id", "came", "split", "file", "line")
    columns = zip(*rows, strict=True) if rows else ([] for _ in kinds)
    return pa.table({n: pa.array(list(c), k) for n, c, k in zip(names, columns, kinds, strict=True)})
