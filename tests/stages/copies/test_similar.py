"""All similar runs: clusters, and who is listed beside whom, against the definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.copies.projection import words_column
from curate.stages.copies.search.similar_kinds import Clusters
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.similar import similar
from curate.stages.nearcopies import NearcopiesOptions

RUNS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcde"), max_size=8), st.lists(st.sampled_from("xyz"), max_size=2, unique=True)
    ),
    max_size=12,
)


@settings(max_examples=120, deadline=None)
@given(RUNS, st.sampled_from([0.2, 0.5, 0.75, 1.0]), st.booleans(), st.integers(1, 3))
def test_clusters_and_partners_are_the_definition(runs, threshold, across, n):
    options = NearcopiesOptions(threshold=threshold, across_apps=across, n=n)
    labels = words_column([labels for labels, _ in runs])
    ids = [f"r{len(runs) - i:02}" for i in range(len(runs))]  # names against the order
    table = pa.table({"id": pa.array(ids, pa.string()), "labels": labels, "scope": words_column([s for _, s in runs])})
    sets = shingle_sets(labels, n)
    found = {name: column.to_pylist() for name, column in similar(table, sets, options).items()}
    held = [frozenset(sets.members[a:b].tolist()) for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)]
    scopes = [set(scope) or {"?"} for _, scope in runs]

    def alike(i: int, j: int) -> bool:
        meet = across or scopes[i] & scopes[j]
        shared = len(held[i] & held[j])
        return bool(meet) and shared > 0 and Fraction(shared, len(held[i] | held[j])) >= Fraction(str(threshold))

    cluster = {id: {id} for id in ids}
    for i in range(len(runs)):
        partners = [j for j in range(len(runs)) if j != i and alike(i, j)]
        listed = found["pairs"][i]
        assert len(listed) + found["pairs_more"][i] == len(partners)
        by_id = {ids[j]: len(held[i] & held[j]) for j in partners}
        assert all(by_id[pair["other"]] == pair["shared"] for pair in listed)
        assert len({pair["other"] for pair in listed}) == len(listed)
        likeness = [pair["similarity"] for pair in listed]
        assert likeness == sorted(likeness, reverse=True)
        best = sorted((len(held[i] & held[j]) / len(held[i] | held[j]) for j in partners), reverse=True)
        assert likeness == best[: len(listed)] and len(listed) == min(8, len(partners))
        for j in partners:
            if min(len(held[i]), len(held[j])) >= 4 or held[i] == held[j]:
                whole = cluster[ids[i]] | cluster[ids[j]]
                cluster.update(dict.fromkeys(whole, whole))
    assert found["cluster"] == [min(cluster[id]) if len(cluster[id]) > 1 else None for id in ids]


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6), max_size=4))
def test_groups_are_joined_over_any_number_of_parts(parts):
    clusters = Clusters(10)
    wanted = {k: {k} for k in range(10)}
    for part in parts:
        clusters.join(*(np.array([pair[k] for pair in part], np.int64) for k in (0, 1)))
        for a, b in part:
            whole = wanted[a] | wanted[b]
            wanted.update(dict.fromkeys(whole, whole))
    assert clusters.name.tolist() == [min(wanted[k]) for k in range(10)]
