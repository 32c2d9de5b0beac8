"""Decides what leaks, over columns: what each run gives away by itself, what spreads from it over its near-copies, and
what training runs give away of our own test."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.arrays import flags, numbers, one_array, take
from curate.stages.base import DecisionInput
from curate.stages.ids import Ids, ids_of
from curate.stages.leakage.evidence import Leak
from curate.stages.leakage.judging import Rules, dropping, leaks_of, reasons, rules
from curate.stages.leakage.measuring import pack_of
from curate.stages.leakage.options import LeaksOptions
from curate.stages.leakage.own_test import OwnTest
from curate.stages.leakage.rarity import rare_phrases
from curate.stages.leakage.screens import alike
from curate.stages.measures.places import members
from curate.stages.verdicts import Positions, Reasons, Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

COLUMNS: dict[str, pa.DataType] = {
    "flags": pa.list_(pa.string()),
    "leak": pa.string(),  # the kind of evidence (leakage.evidence.REASON) that is told
    "strength": pa.string(),  # strong or weak
}
_BLOCK = 4096  # runs with hits that are Python objects at a time


class Told(NamedTuple):
    """Runs that evidence speaks of, by their row among all runs, ascending: the strongest of it, the reasons of all of
    it that only lists, and whether it puts the run out."""

    rows: list[int]
    leaks: list[Leak]
    flags: list[list[str]]
    out: list[bool]


def decide(given: DecisionInput, options: LeaksOptions) -> pa.Table:
    """See `stages.leaks`. Memory: some 500 bytes for each run with evidence, and two columns of all runs."""
    verdicts = Verdicts(given.alive, COLUMNS)
    before = given.so_far("leak") is not None  # then all but our own test was looked for at the place before this one
    told = Told([], [], [], []) if before else _by_themselves(given, options)
    everybody = msgspec.structs.replace(given, alive=Ids(one_array(given.of_all("leaks", [])["id"])))
    at = numbers(pc.index_in(ids_of(given.alive), value_set=ids_of(everybody.alive)))
    clusters = _clusters(everybody)
    position = np.full(len(everybody.alive), -1)
    position[at] = np.arange(len(at))
    out = np.array(told.out, bool)
    _drop(verdicts, position, told, np.flatnonzero(out))
    if options.spread:
        _spread(verdicts, everybody, at, clusters, told, np.flatnonzero(out))
    _note(verdicts, position, told, np.flatnonzero(~out))
    _against_own_test(verdicts, given, clusters[at], options)
    return verdicts.table()


def _by_themselves(given: DecisionInput, options: LeaksOptions) -> Told:
    """What all runs give away by themselves, those that are out too: a leak spreads from them as well."""
    rows = given.of_all("leaks", ["apps", "sites", "tested", "held", "hits"])
    phrases = flags(pc.is_valid(one_array(rows["hits"]))).any()
    rare = rare_phrases(given.of_all("leaks", ["phrases", "tasks"])) if phrases else frozenset()
    by, pack = rules(options, rare), pack_of(options.tests, options.n)
    screens: dict[str, Leak] = {}
    if any(task.screens for task in pack.tasks) and "images" in given.measures:
        screens = alike(_pictures(given), pack.tasks)
    told = Told([], [], [], [])
    having = np.flatnonzero(_may_leak(rows, by, screens))
    for first in range(0, len(having), _BLOCK):
        block = having[first : first + _BLOCK]
        for row, run in zip(block.tolist(), take(rows, block).to_pylist(), strict=True):
            screen = screens.get(run["id"])
            leaks = leaks_of({**run, "screens": [screen] if screen else []}, by)
            if leaks:
                _tell(told, row, leaks, options)
    return told


def _tell(told: Told, row: int, leaks: list[Leak], options: LeaksOptions) -> None:
    out = dropping(leaks, options)
    told.rows.append(row)
    told.leaks.append(out or leaks[0])
    told.flags.append(reasons(leaks))
    told.out.append(out is not None)


def _may_leak(rows: pa.Table, by: Rules, screens: dict[str, Leak]) -> NDArray[np.bool_]:
    """By run, whether there is anything to look at."""
    lists = ["held", *(["tested"] if by.options.test_places != "ignore" else [])]
    found = flags(pc.is_valid(one_array(rows["hits"])))
    for held in [
        *(one_array(rows[name]) for name in lists),
        members(one_array(rows["apps"]), by.apps),
        members(one_array(rows["sites"]), by.sites),
    ]:
        found = found | (numbers(pc.list_value_length(held)) > 0)
    return found | flags(pc.is_in(one_array(rows["id"]), value_set=pa.array(list(screens), pa.string())))


def _pictures(given: DecisionInput) -> pa.Table:
    """The looks of all pictures of all runs."""
    return given.of_all("images", ["step", "dhash"])


def _clusters(everybody: DecisionInput) -> NDArray[np.int64]:
    """By run, the number of its near-copy cluster, -1 for none or where near-copies were not measured."""
    if "nearcopies" not in everybody.measures:
        return np.full(len(everybody.alive), -1)
    cluster = one_array(everybody.of_runs("nearcopies", ["cluster"])["cluster"]).dictionary_encode()
    return numbers(pc.fill_null(cluster.indices, -1))


def _drop(verdicts: Verdicts, position: NDArray[np.int64], told: Told, which: NDArray[np.int64]) -> None:
    """The runs that are out by themselves, as far as they are still in."""
    at = position[np.array(told.rows, np.int64)[which]]
    leaks = [told.leaks[i] for i in which[at >= 0]]
    _out(verdicts, at[at >= 0], leaks, [leak.reason for leak in leaks])


def _note(verdicts: Verdicts, position: NDArray[np.int64], told: Told, which: NDArray[np.int64]) -> None:
    """The weak evidence that kept runs meet."""
    at = position[np.array(told.rows, np.int64)[which]]
    kept = (at >= 0) & verdicts.kept[at]
    _list(verdicts, at[kept], [told.leaks[i] for i in which[kept]], [told.flags[i] for i in which[kept]])


def _out(verdicts: Verdicts, at: Positions, leaks: list[Leak], reason: Reasons) -> None:
    verdicts.drop_all(at, reason, [leak.detail for leak in leaks], [leak.witness for leak in leaks])
    _say(verdicts, at, leaks)


def _list(verdicts: Verdicts, at: Positions, leaks: list[Leak], flagged: list[list[str]]) -> None:
    details, witnesses = [leak.detail for leak in leaks], [leak.witness for leak in leaks]
    verdicts.note_all(at, flags=flagged, detail=details, witness=witnesses)
    _say(verdicts, at, leaks)


def _say(verdicts: Verdicts, at: Positions, leaks: list[Leak]) -> None:
    verdicts.note_all(at, leak=[leak.kind for leak in leaks], strength=[leak.strength for leak in leaks])


def _spread(
    verdicts: Verdicts, everybody: DecisionInput, at: NDArray[np.int64], clusters: NDArray[np.int64], told: Told,
    which: NDArray[np.int64],
) -> None:  # fmt: skip
    """Near-copies of what is out: `which` are the places in `told` of runs that are, alive or not."""
    rows = np.array(told.rows, np.int64)[which]
    origin = np.full(int(clusters.max(initial=-1)) + 2, -1)
    origin[clusters[rows][::-1]] = which[::-1]  # the first one of a cluster in input order
    origin[-1] = -1
    of = origin[clusters[at]]
    copies = np.flatnonzero((of >= 0) & verdicts.kept)
    first = [(everybody.alive[told.rows[i]], told.leaks[i]) for i in of[copies]]
    details = [f"of {run} ({leak.reason}: {leak.detail})" for run, leak in first]
    verdicts.drop_all(copies, "leaks.copy_of_leak", details, [run for run, _ in first])
    _say(verdicts, copies, [Leak("copy", "", None)] * len(copies))


def _against_own_test(
    verdicts: Verdicts, given: DecisionInput, clusters: NDArray[np.int64], options: LeaksOptions
) -> None:
    """Training runs that give away our own test, where a split was decided."""
    split = given.so_far("split")
    if split is None:
        return
    test = np.flatnonzero(flags(pc.fill_null(pc.equal(split, "test"), False)))
    train = np.flatnonzero(flags(pc.fill_null(pc.equal(split, "train"), False)) & verdicts.kept)
    if not len(test) or not len(train):
        return
    own = OwnTest(given.of_runs("leaks", ["tasks", "template"]), clusters, test, options)
    for found in own.leaks(train):
        out = [(at, leak) for at, leaks in found if (leak := dropping(leaks, options))]
        _out(verdicts, [at for at, _ in out], [leak for _, leak in out], "leaks.own_test")
        listed = [(at, leaks) for at, leaks in found if not dropping(leaks, options)]
        _list(verdicts, [at for at, _ in listed], [leaks[0] for _, leaks in listed],
              [reasons(leaks) for _, leaks in listed])  # fmt: skip
