"""What is measured of similar runs: the cluster of each, and whom it is similar to. Decisions on copies are made
without it (`decide`); leaks spread over clusters, and splits keep them together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import COPY_PARTNERS, SHORT_SHINGLES
from curate.stages.copies.keys import list_sets
from curate.stages.copies.problem import CopyOptions
from curate.stages.copies.search.similar_kinds import Clusters, Listed, Partners, SimilarKinds
from curate.stages.copies.thresholds import as_fraction
from curate.stages.copies.types import Sets
from curate.stages.tables import struct

pc: Any = pyarrow.compute  # its stubs know no sorting
Numbers = NDArray[np.int64]

PAIR: Any = struct(other=pa.string(), shared=pa.int32(), similarity=pa.float64())
SIMILAR: dict[str, Any] = {
    "cluster": pa.string(),  # smallest id of its near-copy cluster; null: no copy anywhere
    "pairs": pa.list_(PAIR),  # at most COPY_PARTNERS similar runs, the most similar first
    "pairs_more": pa.int64(),  # how many similar runs are not listed
}


def similar(runs: pa.Table, sets: Sets, options: CopyOptions) -> dict[str, Any]:
    """The columns of SIMILAR. Two runs join a cluster if they are similar, and equal where one has fewer than
    SHORT_SHINGLES: two of them share half by pressing one common button."""
    scopes = None if options.across_apps else list_sets(runs["scope"], nothing=True)
    ids = runs["id"].combine_chunks()
    by_name = pc.array_sort_indices(ids).to_numpy()  # names do not depend on the order of the runs
    found = SimilarKinds(sets, scopes, as_fraction(options.threshold))
    of = found.kinds.of.astype(np.int64)
    clusters = Clusters(len(found.kinds.size))
    partners = Partners(found.kinds, np.argsort(by_name), COPY_PARTNERS)
    for part in found.parts():
        short = np.minimum(found.kinds.size[part.one], found.kinds.size[part.other]) < SHORT_SHINGLES
        joined = ~short | (found.kinds.same[part.one] == found.kinds.same[part.other])
        clusters.join(part.one[joined], part.other[joined])
        partners.add(part)
    alone = found.kinds.size == 0  # nothing is known of these: each is a cluster of its own
    labels = np.where(alone[of], len(alone) + np.arange(len(of)), clusters.name[of])
    listed = partners.listed()
    del found, partners, clusters  # what comes takes as much again
    pairs, more = _partners(ids, sets, *listed)
    return {"cluster": _named(labels, ids, by_name), "pairs": pairs, "pairs_more": more}


def no_similar(count: int) -> dict[str, Any]:
    """The same where nobody reads them."""
    return {name: pa.nulls(count, kind) for name, kind in SIMILAR.items()}


def _named(labels: Numbers, ids: Any, by_name: Numbers) -> Any:
    """By run the smallest id of its cluster; null for a cluster of one."""
    _, first, at, size = np.unique(labels[by_name], return_index=True, return_inverse=True, return_counts=True)
    named = np.empty(len(labels), np.int64)
    named[by_name] = by_name[first][at]
    alone = np.empty(len(labels), bool)
    alone[by_name] = size[at] == 1
    return ids.take(pa.array(named, mask=alone))


def _partners(ids: Any, sets: Sets, found: Listed, more: Numbers) -> tuple[Any, Any]:
    """The columns pairs and pairs_more."""
    sizes = np.diff(sets.offsets)
    alike = found.shared / (sizes[found.run] + sizes[found.other] - found.shared)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(found.run, minlength=len(ids)))]).astype(np.int32)
    values: list[Any] = [ids.take(pa.array(found.other)), pa.array(found.shared, pa.int32()), pa.array(alike)]
    rows: Any = pa.StructArray.from_arrays(values, fields=list(PAIR))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), rows), pa.array(more.astype(np.int64))
