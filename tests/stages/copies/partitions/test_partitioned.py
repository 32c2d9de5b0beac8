"""Near-copies worked out in parts give what the definition of a decision says (copies/types.py), written out here in
the plainest way; whatever the shards and the number of partitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.copies.partitions.hashed_shingles import frequencies, hashed_rows, in_order, together
from curate.stages.copies.partitions.partition_join import similar_rows
from curate.stages.copies.partitions.partitioned import (
    Rules,
    contents,
    first_kept,
    kinds,
    prefix_rows,
    rows_of,
    rules_of,
)
from curate.stages.copies.types import Decided, Problem, Sets


def sets_of(given: list[set[int]]) -> Sets:
    members = [m for one in given for m in sorted(one)]
    offsets = np.cumsum([0, *map(len, given)])
    return Sets(np.array(members, np.int32), offsets.astype(np.int64))


def listed(sets: Sets | None, count: int) -> list[frozenset[int]]:
    if sets is None:
        return [frozenset()] * count
    return [frozenset(sets.members[a:b].tolist()) for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)]


def defined(problem: Problem) -> Decided:
    """The decision as types.py defines it, run against run."""
    count = problem.sets.count
    sets, scopes, evidence, needs = (
        listed(keys, count) for keys in (problem.sets, problem.scopes, problem.evidence, problem.needs)
    )
    witness, shared, dropped = np.full(count, -1), np.zeros(count, np.int32), np.zeros(count, bool)
    kept: list[int] = []

    def similar(i: int, j: int) -> bool:
        a, b = sets[i], sets[j]
        return (
            bool(a and b)
            and Fraction(len(a & b), len(a | b)) >= problem.threshold
            and (problem.scopes is None or bool(scopes[i] & scopes[j]))
            and (problem.evidence is None or bool(evidence[i] & evidence[j]))
            and needs[i] <= needs[j]
            and (min(len(a), len(b)) >= problem.short or a == b)
        )

    for i in problem.order.tolist():
        found = [j for j in kept if similar(i, j)]
        if found:
            witness[i], shared[i] = found[0], len(sets[i] & sets[found[0]])
        if 0 < problem.cap[i] <= len(found):
            dropped[i] = True
        else:
            kept.append(i)
    return Decided(witness.astype(np.int64), shared, dropped)


def in_parts(problem: Problem, cuts: list[int], partitions: int) -> Decided:
    """The functions of the module, one after the other."""
    rules = rules_of(problem)
    shards = [rows_of(problem, a, b) for a, b in zip([0, *cuts], [*cuts, problem.sets.count], strict=True)]
    return joined(shards, rules, problem, partitions)


def joined(shards: list[pa.Table], rules: Rules, problem: Problem, partitions: int) -> Decided:
    told = pa.concat_tables([contents(shard, rules) for shard in shards])
    stand = kinds(told) == np.arange(problem.sets.count)
    mapped = pa.concat_tables([prefix_rows(s, rules, stand[s["run"].to_numpy()], partitions) for s in shards])
    pairs = pa.concat_tables([
        similar_rows(mapped.filter(pa.array(mapped["partition"].to_numpy() == number)), rules)
        for number in range(partitions)
    ])  # fmt: skip
    return first_kept(pairs, told, problem.order, problem.cap)


def in_parts_from_labels(
    labels: list[list[str]], n: int, problem: Problem, cuts: list[int], partitions: int
) -> Decided:
    """The same where members are hashes of labels."""
    rules = rules_of(problem)
    bounds = list(zip([0, *cuts], [*cuts, len(labels)], strict=True))
    hashed = []
    for a, b in bounds:
        column = pa.array(labels[a:b], pa.list_(pa.string()))
        hashed.append(hashed_rows(pa.table({"run": pa.array(range(a, b), pa.int64()), "labels": column}), n))
    frequency = together(frequencies(table, 16) for table in hashed)
    shards = []
    for (a, b), table in zip(bounds, hashed, strict=True):
        given = rows_of(problem, a, b)
        shards.append(in_order(table, frequency, [(name, given[name]) for name in ("scopes", "evidence", "needs")]))
    return joined(shards, rules, problem, partitions)


def keys(count: int) -> st.SearchStrategy[Sets | None]:
    some = st.lists(st.sets(st.integers(0, 3), max_size=2), min_size=count, max_size=count)
    return st.one_of(st.none(), some.map(sets_of))


@st.composite
def problems(draw: st.DrawFn, count: int | None = None) -> Problem:
    """Few members, so that sets are equal, near and short; any order, caps and conditions."""
    count = draw(st.integers(0, 14)) if count is None else count
    sets = draw(st.lists(st.sets(st.integers(0, 7), max_size=6), min_size=count, max_size=count))
    return Problem(
        sets=sets_of(sets),
        order=np.array(draw(st.permutations(range(count))), np.int64),
        threshold=draw(
            st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(4, 5), Fraction(1), Fraction("0.37")])
        ),
        scopes=draw(keys(count)),
        evidence=draw(keys(count)),
        needs=draw(keys(count)),
        short=draw(st.sampled_from([0, 2, 4])),
        cap=np.array(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), np.int32),
    )


def same(one: Decided, other: Decided) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@settings(max_examples=200)
@given(problems(), st.data())
def test_in_parts_as_defined(problem: Problem, data: st.DataObject) -> None:
    count = problem.sets.count
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=3)))
    assert same(in_parts(problem, cuts, data.draw(st.integers(1, 4))), defined(problem))


def shingles(labels: list[str], n: int) -> frozenset[tuple[str, ...]]:
    """n consecutive labels; fewer are one shingle of all."""
    if not labels:
        return frozenset()
    return frozenset(tuple(labels[k : k + n]) for k in range(max(len(labels) - n, 0) + 1))


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "ab", "c", "Übung", ""]), max_size=6), max_size=10),
    st.integers(1, 3),
    st.data(),
)
def test_from_labels_as_defined(labels: list[list[str]], n: int, data: st.DataObject) -> None:
    sets = [shingles(one, n) for one in labels]
    number = {one: k for k, one in enumerate(sorted(frozenset().union(*sets)))}
    problem = data.draw(problems(len(labels)))
    problem = problem._replace(sets=sets_of([{number[s] for s in one} for one in sets]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(labels)), max_size=2)))
    found = in_parts_from_labels(labels, n, problem, cuts, data.draw(st.integers(1, 3)))
    assert same(found, defined(problem))
