"""Collects what the runs of a table give away, as one column of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from curate.stages.arrays import list_array, lists_of, one_array, strings, take
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.said import Given, Said
from curate.stages.ranges import in_ranges
from curate.stages.tables import from_tuples, nulls, struct

HIT: Any = struct(
    test=pa.string(), kind=pa.string(), evidence=pa.string(), share=pa.float64(), phrases=pa.list_(pa.string())
)
"""See evidence.Hit. Of each test task there is at most one hit of each kind but canaries and files."""

_FIELDS: pa.Schema = pa.schema([pa.field("run", pa.int64()), *HIT])


def hits_column(said: Said, given: Given, tests: Any, more: Sequence[tuple[int, Hit]]) -> Any:
    """By run, a list of HIT: those of `given` first, then `more` (run, hit); null where there is none. `tests`: ids of
    the test tasks (Arrow strings)."""
    if not more and not len(given.run):
        return nulls(said.count, pa.list_(HIT))
    table = _of_given(said, given, tests)
    if more:
        rows = [(run, hit.test, hit.kind, hit.evidence, hit.share, list(hit.phrases)) for run, hit in more]
        table = pa.concat_tables([table, from_tuples(rows, _FIELDS)]).combine_chunks()
    run = table["run"].to_numpy()
    order = np.argsort(run, kind="stable")
    columns = [one_array(table[field.name]) for field in HIT]
    hits = take(pa.StructArray.from_arrays(columns, fields=list(HIT)), order)
    return lists_of(run[order], hits, said.count, none=True)


def _of_given(said: Said, given: Given, tests: Any) -> pa.Table:
    shared, index = said.shared, said.index
    by_phrase = given.found >= 0
    found = given.found[by_phrase]
    counts = np.zeros(len(given.run), np.int64)
    counts[by_phrase] = np.diff(shared.starts)[found]
    phrase = shared.phrases[in_ranges(shared.starts[found], counts[by_phrase])]
    shown = index.phrase_strings(phrase)
    upto = np.concatenate([[0], np.cumsum(counts)])
    which = np.where(by_phrase, len(said.texts) + upto[:-1], given.text)
    kind = np.zeros(len(given.run), np.int64)
    kind[by_phrase] = 1 + index.wordings.templates[shared.wording[found]]
    share = np.ones(len(given.run))
    share[by_phrase] = shared.share[found]
    columns: list[Any] = [
        pa.array(given.run),
        take(tests, given.task),
        take(strings(["task", "phrase", "template_phrase"]), kind),
        take(pa.concat_arrays([said.texts, shown]), which),
        pa.array(share),
        list_array(upto, shown),
    ]
    return pa.Table.from_arrays(columns, schema=_FIELDS)
