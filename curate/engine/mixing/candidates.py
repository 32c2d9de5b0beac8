"""What of a mixture's parts may be taken, in one pass over their records: a run folder gives what its run kept and did
not hold out as a test; what gives a test task away, of a pack or of a part's own test, is out (`leaks`), and so is a
near-copy of a run in a part named before.

Memory: some 300 bytes a record, as near-copies need them anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.engine.exporting import decided
from curate.engine.memory import give_back
from curate.engine.mixing.columns import TEST, Candidates, Part, Read, read_columns
from curate.engine.mixing.leaks import leave_out_leaks
from curate.engine.progress import Tells
from curate.model.arrow import records
from curate.stages.arrays import take
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.copies.index import About, write_batches
from curate.stages.copies.signatures import signatures
from curate.stages.ids import Ids
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leaks import STAGE as LEAKS
from curate.stages.nearcopies import STAGE as NEARCOPIES
from curate.stages.nearcopies import NearcopiesOptions
from curate.stages.tables import places
from curate.store.dataset import read_dataset

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


class Checks(NamedTuple):
    """What parts are held against: options of the stages nearcopies and leaks (whose `tests` are files of packs)."""

    copies: NearcopiesOptions
    leaks: LeaksOptions


class _Measured(NamedTuple):
    """What was measured of all records: the projections of near-copies, and for leaks where they count."""

    projected: list[pa.Table]
    leaks: list[pa.Table]


def look_at(parts: Sequence[Part], checks: Checks, scratch: Path, progress: Tells) -> Candidates:
    """The records of the parts, those that may not be taken put out. Raises InputError for a part that cannot be
    read."""
    for part in parts:
        part.fates = decided(part.folder)
    leaks = checks.leaks
    own = any(part.fates is not None and TEST in part.fates.kept_splits for part in parts)
    asked = own or bool(leaks.tests or leaks.apps or leaks.sites)
    read, measured = list[Read](), _Measured([], [])
    progress.phase("parts read", len(parts))
    context, at = MeasureContext(media_root=scratch), 0
    for part in parts:
        part.first = at
        for table in read_dataset(part.folder):
            made = list(records(table))
            here = msgspec.structs.replace(context, decoded=made)
            read.append(read_columns(made))
            if asked or len(parts) > 1:
                measured.projected.append(NEARCOPIES.project(table, checks.copies, here))
            if asked:
                measured.leaks.append(LEAKS.measure(table, leaks, here))
            at += len(made)
        part.last = at
        progress.advance()
    found = Candidates(parts, read)
    projected = _joined(measured.projected, found)
    if asked and len(found):
        leave_out_leaks(found, _joined(measured.leaks, found), projected, checks.leaks, checks.copies)
    measured.leaks.clear()
    if len(parts) > 1:
        _leave_out_copies(found, projected, checks.copies, scratch)
    return found


def _joined(tables: list[pa.Table], found: Candidates) -> pa.Table:
    """The tables of all records as one, under the ids that each record has alone."""
    if not tables:
        return pa.table({"id": found.named.array})
    whole = pa.concat_tables(tables)
    tables.clear()
    return whole.set_column(whole.column_names.index("id"), "id", found.named.array)


def _leave_out_copies(found: Candidates, projected: pa.Table, options: NearcopiesOptions, scratch: Path) -> None:
    """Part by part, put out near-copies of what is left in the parts before."""
    before: list[Path] = []
    options = msgspec.structs.replace(options, clusters=False)
    for number, part in enumerate(found.parts):
        rows = found.may(part)
        if before and len(rows):
            _against(found, take(projected, rows), rows, before, options)
            rows = found.may(part)
        path = scratch / f"{number}.parquet"
        left = signatures(take(projected, rows), options.n)
        write_batches(path, [left], About(key=part.name, n=options.n))
        before.append(path)
        give_back()


def _against(
    found: Candidates, projected: pa.Table, rows: Any, before: Sequence[Path], options: NearcopiesOptions
) -> None:
    measures = NEARCOPIES.measure(projected, options, MeasureContext(media_root=before[0].parent))
    alive = Ids(found.named.array.take(places(rows)))
    given = DecisionInput(alive=alive, measures={"nearcopies": measures}, verdicts={}, against=before)
    verdicts = NEARCOPIES.decide(given, options)  # one row a run, in their order
    copies = np.flatnonzero(
        pc.fill_null(pc.equal(verdicts["reason"], "nearcopies.copy_of_published"), False).to_numpy()
    )
    told = verdicts.select(["witness", "detail"]).take(places(copies))
    details = pc.binary_join_element_wise("of ", told["witness"], ": ", told["detail"], "")
    found.outs.add(rows[copies], "mix.copy_across_parts", details.combine_chunks())
