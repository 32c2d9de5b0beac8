"""Leaks in the records of a mixture, decided by the stage `leaks` as in a run, over the records of all parts together:
what gives a test task of a pack away, and what gives the own test of a part away. A leak spreads over its near-copy
cluster, whichever parts that is in."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.mixing.columns import TEST, Candidates
from curate.stages.base import DecisionInput
from curate.stages.ids import Ids
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leaks import STAGE as LEAKS
from curate.stages.nearcopies import STAGE as NEARCOPIES
from curate.stages.nearcopies import NearcopiesOptions
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
Rows = NDArray[np.int64]


def leave_out_leaks(
    found: Candidates, measured: pa.Table, projected: pa.Table, options: LeaksOptions, copies: NearcopiesOptions
) -> None:
    """Put out what gives a test away. `measured`, `projected`: of all records, the measures of leaks and the projection
    of near-copies."""
    wanted = msgspec.structs.replace(copies, clusters=True)
    cluster: Any = NEARCOPIES.compare(projected.select(["id", "labels", "scope"]), wanted)["cluster"]
    measures = {"leaks": measured, "nearcopies": pa.table({"id": found.named.array, "cluster": cluster})}
    rows = found.may()
    first = LEAKS.decide(DecisionInput(alive=_ids(found, rows), measures=measures, verdicts={}), options)
    _out(found, rows, first, None)
    if found.test.any():
        rows = np.union1d(found.may(), np.flatnonzero(found.test))
        verdicts = {"leaks": first, "split": _split(found, rows)}
        given = DecisionInput(alive=_ids(found, rows), measures=measures, verdicts=verdicts)
        _out(found, rows, LEAKS.decide(given, options), "mix.leak_across_parts")


def _ids(found: Candidates, rows: Rows) -> Ids:
    return Ids(found.named.array.take(places(rows)))


def _split(found: Candidates, rows: Rows) -> pa.Table:
    """What the parts' runs hold out as their test, as a verdict of the stage `split`."""
    test = pa.array(found.test[rows])
    split = pc.if_else(test, TEST, "train")
    return pa.table({"id": _ids(found, rows).array, "step": pa.nulls(len(rows), pa.int64()), "split": split})


def _out(found: Candidates, rows: Rows, verdicts: pa.Table, reason: str | None) -> None:
    """Put out what a decision drops. `rows`: the records that it was given, in its order; `reason`: in place of its
    own."""
    dropped = np.flatnonzero(pc.equal(verdicts["verdict"], "drop").to_numpy())
    told = verdicts.select(["reason", "detail"]).take(places(dropped)).combine_chunks()
    reasons = told["reason"].combine_chunks() if reason is None else reason
    found.outs.add(rows[dropped], reasons, told["detail"].combine_chunks())
