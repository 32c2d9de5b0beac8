"""Splits runs into train and test. Connected runs stay together: near-copies, and those of one task, template, app,
site or person, as the recipe asks. Which groups are test hangs on a hash of their names and the seed, not on order."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta
from numpy.typing import NDArray

from curate.model.constants import TEST_SHARE
from curate.stages.arrays import flags, one_array, strings, take
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.normal_forms import task_keys
from curate.stages.measures.places import apps_of, sites_of
from curate.stages.measures.split_groups import COLUMNS, By, Places, groups_of, places_of
from curate.stages.measures.twins import expected_twins
from curate.stages.tables import schema
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Numbers = NDArray[np.int64]
_BLOCK = 4096  # names that are Python objects at a time
__all__ = ["STAGE", "SplitOptions", "choose_test", "expected_twins"]


class SplitOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`by`: what train and test must not share. `app_or_site` (default): the site of a run that has one, else its app;
    `run` asks for nothing beyond near-copies, `task` for no shared task; `template`, `app`, `site`, `actor` for no
    shared task and none of those either (a run that has none of it stands for itself). `test`: the share of runs in
    the test split (0: none)."""

    by: By = "app_or_site"
    test: Annotated[float, Meta(ge=0.0, lt=1.0)] = TEST_SHARE


MEASURES = schema(
    id=pa.string(),
    task=pa.string(),
    template=pa.string(),
    apps=pa.list_(pa.string()),  # all that it touches, its main one first
    sites=pa.list_(pa.string()),
    actor=pa.string(),
)


class _Split:
    name = "split"
    version = 3
    scope: Literal["shard"] = "shard"
    options = SplitOptions
    measure_options: frozenset[str] = frozenset()

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: what it may share with others."""
        columns = {
            "id": one_array(trajectories["id"]),
            "task": task_keys(one_array(trajectories["instruction"])),
            "template": one_array(trajectories["template"]),
            "apps": apps_of(trajectories),
            "sites": sites_of(trajectories),
            "actor": pc.struct_field(one_array(trajectories["actor"]), "name"),
        }
        return pa.table(columns, schema=MEASURES)

    def decide(self, given: DecisionInput, options: SplitOptions) -> pa.Table:
        """Besides VERDICTS: `split` of each kept run, `train` or `test`, and its connected `group`. A training run
        that also touches an app or site held out for the test (it is not its main one) is dropped."""
        verdicts = Verdicts(given.alive, {"split": pa.string(), "group": pa.string()})
        runs = given.of_runs(self.name, COLUMNS[options.by])
        cluster = None
        if "nearcopies" in given.measures:
            cluster = one_array(given.of_runs("nearcopies", ["cluster"])["cluster"])
        groups = groups_of(runs, options.by, cluster)
        test = choose_test(groups.names, groups.sizes, options.test, given.seed)[groups.of]
        out, touched = _straddling(places_of(runs, options.by), test)
        verdicts.drop_all(out, "split.straddles", [f"{place} is held out for the test" for place in touched])
        stays = np.flatnonzero(verdicts.kept)
        part = take(strings(["train", "test"]), test[stays].astype(np.int64))
        verdicts.note_all(stays, split=part, group=take(groups.names, groups.of[stays]))
        return verdicts.table()


def _straddling(places: Places, test: NDArray[np.bool_]) -> tuple[Numbers, list[str]]:
    """Training runs that touch a place which is a test run's main one, and the first such place of each."""
    main = places.main(len(test))
    held = take(main, np.flatnonzero(test)).unique().drop_null()
    touches = flags(pc.is_in(places.place, value_set=held)) & ~test[places.run]
    entries = np.flatnonzero(touches)
    runs, first = np.unique(places.run[entries], return_index=True)
    return runs, take(places.place, entries[first]).to_pylist()


def choose_test(names: Any, sizes: Numbers, share: float, seed: int) -> NDArray[np.bool_]:
    """Which groups are the test. In the order of a hash of seed and name, each is taken if it brings the number of
    runs nearer to the share. If none does, though the share is a run or more, the smallest group is taken, provided
    it is at most half of all runs. So few runs that the share is less than half a run have no test, and one group
    alone is never split. `names`: an Arrow array of strings, each once; `sizes`: runs of each."""
    chosen = np.zeros(len(sizes), bool)
    total = int(sizes.sum())
    wanted = int(share * total + 0.5)
    if not wanted or len(sizes) < 2:
        return chosen
    drawn = _drawn(names, seed)
    order = np.argsort(drawn, kind="stable")
    count = 0
    for group, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        if abs(count + size - wanted) < abs(count - wanted):
            chosen[group] = True
            count += size
        if count == wanted:
            break
    if not count:
        smallest = order[np.argmin(sizes[order])]
        chosen[smallest] = 2 * sizes[smallest] <= total
    return chosen


def _drawn(names: Any, seed: int) -> NDArray[Any]:
    """By name, the hash that it is drawn by (as bytes that sort)."""
    found = np.empty(len(names), "S32")
    for first in range(0, len(names), _BLOCK):
        for place, name in enumerate(names.slice(first, _BLOCK).to_pylist(), first):
            found[place] = hashlib.sha256(f"{seed}\x1f{name}".encode("utf-8", "surrogatepass")).digest()
    return found


STAGE = _Split()
