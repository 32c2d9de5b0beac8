"""What of a mixture's parts may be taken, in one pass over their records: a run folder gives what its run kept and did
not hold out as a test; a near-copy of a run in a part named before is out; so is what gives a test task away, of a pack
or of another part's own test.

Memory: some 300 bytes a record, as near-copies need them anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.engine.exporting import decided
from curate.engine.fates import Fates
from curate.engine.progress import Tells
from curate.model.arrow import records
from curate.stages.arrays import take
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.copies.index import About, write_batches
from curate.stages.copies.signatures import signatures
from curate.stages.leakage.judging import dropping, leaks_of, rules
from curate.stages.leakage.measuring import Pack, measure
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leakage.pack import BenchmarkTask
from curate.stages.nearcopies import STAGE as NEARCOPIES
from curate.stages.nearcopies import NearcopiesOptions
from curate.store.dataset import read_dataset

TEST = "test"


class Why(NamedTuple):
    """Why a record may not be taken."""

    reason: str
    detail: str | None = None


class Part(msgspec.Struct, kw_only=True):
    """A part of a mixture as it was found. By row: `ids`, `steps`, `weights`, `people`, and what groups are made of
    (`keys`: source, platform, actor). `out`: rows that may not be taken. `fates`: of a run folder."""

    name: str
    folder: Path
    fates: Any = None
    ids: list[str] = []
    steps: list[int] = []
    weights: list[float] = []
    people: list[bool] = []
    keys: dict[str, list[str]] = {}
    out: dict[int, Why] = {}


class Checks(NamedTuple):
    """What parts are held against. `packs`: test tasks; `copies`, `leaks`: options of those stages."""

    packs: Sequence[BenchmarkTask]
    copies: NearcopiesOptions
    leaks: LeaksOptions


def look_at(parts: Sequence[Part], checks: Checks, scratch: Path, progress: Tells) -> None:
    """Fill in the parts. Raises InputError for one that cannot be read."""
    for part in parts:
        part.fates = decided(part.folder)
    own = [task for part in parts for task in _own_test(part)]
    packs = [(Pack(tasks, checks.leaks.n), mine) for tasks, mine in ((checks.packs, False), (own, True)) if tasks]
    context = MeasureContext(media_root=scratch)
    before: list[Path] = []
    progress.phase("parts read", len(parts))
    for number, part in enumerate(parts):
        projected = [_take(part, table, packs, checks, context) for table in read_dataset(part.folder)]
        if projected and len(parts) > 1:
            before.append(
                _against_earlier(part, pa.concat_tables(projected), before, checks, scratch / f"{number}.parquet")
            )
        progress.advance()


def _take(
    part: Part, table: pa.Table, packs: Sequence[tuple[Pack, bool]], checks: Checks, context: MeasureContext
) -> pa.Table:
    """Note the rows of a table; what comparing needs of them."""
    first, made = len(part.ids), list(records(table))
    for row, record in enumerate(made, first):
        part.ids.append(record.id)
        part.steps.append(len(record.steps))
        part.people.append(record.actor.kind == "human")
        fate = None if part.fates is None else part.fates.of(row)
        part.weights.append(record.weight.value if fate is None or fate.weight is None else fate.weight.value)
        for key, value in (("source", record.source.name), ("platform", record.platform), ("actor", record.actor.kind)):
            part.keys.setdefault(key, []).append(value or "unknown")
        if part.fates is not None and fate is None:
            part.out[row] = Why("mix.not_kept")
        elif fate is not None and fate.split == TEST:
            part.out[row] = Why("mix.test_split")
    for pack, own in packs:
        _leaks(part, measure(table, pack, context), first, checks.leaks, own)
    return NEARCOPIES.project(table, checks.copies, msgspec.structs.replace(context, decoded=made))


def _leaks(part: Part, measures: pa.Table, first: int, options: LeaksOptions, own: bool) -> None:
    by = rules(options, frozenset())
    for row, found in enumerate(measures.to_pylist(), first):
        if row in part.out or not (found["hits"] or found["held"] or found["apps"] or found["sites"]):
            continue
        leak = dropping(leaks_of(found, by), options)
        if leak is not None:
            part.out[row] = Why("mix.leak_across_parts" if own else leak.reason, leak.detail)


def _against_earlier(part: Part, projected: pa.Table, before: Sequence[Path], checks: Checks, path: Path) -> Path:
    """Take out near-copies of runs in earlier parts; the signatures of what is left."""
    options = msgspec.structs.replace(checks.copies, clusters=False)
    left = np.setdiff1d(np.arange(projected.num_rows), np.array(sorted(part.out), np.int64))
    table = take(projected, left)
    if before and len(left):
        measures = NEARCOPIES.measure(table, options, MeasureContext(media_root=path.parent))
        alive = [str(row) for row in left.tolist()]  # ids of a part may stand in another part too
        measures = measures.set_column(0, "id", pa.array(alive, pa.string()))
        given = DecisionInput(alive=alive, measures={"nearcopies": measures}, verdicts={}, against=before)
        _note_copies(part, NEARCOPIES.decide(given, options))
    kept: NDArray[np.bool_] = np.array([row not in part.out for row in left.tolist()], bool)
    write_batches(path, [signatures(take(table, np.flatnonzero(kept)), options.n)], About(key=part.name, n=options.n))
    return path


def _note_copies(part: Part, verdicts: pa.Table) -> None:
    for row in verdicts.select(["id", "reason", "witness", "detail"]).to_pylist():
        if row["reason"] == "nearcopies.copy_of_published":
            part.out[int(row["id"])] = Why("mix.copy_across_parts", f"of {row['witness']}: {row['detail']}")


def _own_test(part: Part) -> list[BenchmarkTask]:
    """The test split of a run folder as test tasks."""
    fates: Fates | None = part.fates
    if fates is None or TEST not in fates.kept_splits:
        return []
    test, found, row = list(fates.splits).index(TEST), [], 0
    for table in read_dataset(part.folder, columns=["id", "instruction", "wordings", "template"]):
        for at in np.flatnonzero(fates.split[row : row + table.num_rows] == test).tolist():
            one = table.slice(at, 1).to_pylist()[0]
            texts = (one["instruction"], *dict(one["wordings"] or ()).values())
            found.append(
                BenchmarkTask(
                    id=one["id"], texts=tuple(text for text in texts if text.strip()), template=one["template"]
                )
            )
        row += table.num_rows
    return found
