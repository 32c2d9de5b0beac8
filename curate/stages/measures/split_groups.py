"""What runs may not share across train and test, and the groups that stay together because of it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.arrays import flags, numbers, one_array, strings, take
from curate.stages.measures.connected import connected

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

By = Literal["app_or_site", "run", "task", "template", "app", "site", "actor"]
Numbers = NDArray[np.int64]
CHOICES: tuple[By, ...] = ("run", "task", "template", "app", "site", "app_or_site", "actor")

COLUMNS: dict[By, tuple[str, ...]] = {
    "run": (),
    "task": ("task",),
    "template": ("task", "template"),
    "app": ("task", "apps"),
    "site": ("task", "sites"),
    "app_or_site": ("task", "apps", "sites"),
    "actor": ("task", "actor"),
}
"""The columns of the stage split's measures that a split by this looks at."""


class Places(NamedTuple):
    """Apps or sites of runs in the recipe's sense: by entry the run and the place, by run; its main one first."""

    run: Numbers
    place: Any

    def main(self, count: int) -> Any:
        """By run its main place (Arrow strings), null for a run without any."""
        first = np.searchsorted(self.run, np.arange(count))
        none = np.searchsorted(self.run, np.arange(count), "right") == first
        return self.place.take(pa.array(np.where(none, 0, first), mask=none)) if len(self.run) else _nothing(count)


class Groups(NamedTuple):
    """The group of each run as a number, and their names (Arrow strings)."""

    of: Numbers
    names: Any

    @property
    def sizes(self) -> Numbers:
        return np.bincount(self.of, minlength=len(self.names))


def places_of(runs: pa.Table, by: By) -> Places:
    """The apps, the sites, or (`app_or_site`) the sites of runs that have any and the apps of others."""
    nothing = Places(np.zeros(0, np.int64), strings([]))
    apps = _listed(runs, "apps", "app ") if by in ("app", "app_or_site") else nothing
    sites = _listed(runs, "sites", "site ") if by in ("site", "app_or_site") else nothing
    without = ~np.isin(apps.run, sites.run)
    run = np.concatenate([sites.run, apps.run[without]])
    order = np.argsort(run, kind="stable")
    place = pa.concat_arrays([sites.place, take(apps.place, np.flatnonzero(without))])
    return Places(run[order], take(place, order))


def _listed(runs: pa.Table, column: str, prefix: str) -> Places:
    lists = one_array(runs[column])
    place = pc.binary_join_element_wise(prefix, pc.list_flatten(lists), "")
    return Places(numbers(pc.list_parent_indices(lists)), place)


def groups_of(runs: pa.Table, by: By, cluster: Any = None) -> Groups:
    """The connected groups of runs: of one near-copy cluster, of one task (not under `run`), and of one main place,
    template or person as `by` says. `runs`: COLUMNS of the stage split's measures, and `id`; `cluster`: by run the
    name of its near-copy cluster, null for none.

    A group is named by the smallest of what the recipe splits by (`app chrome`), so that the next batch's runs in the
    same app fall into the same split; one that has none of it by its cluster, else by its run."""
    named = _named(runs, by)
    smallest = _joined(runs, by, named, cluster)
    first, group = np.unique(smallest, return_inverse=True)
    names = _nothing(len(first))
    for column, prefix in ((named, ""), (cluster, "~copies "), (one_array(runs["id"]), "~run ")):
        if column is not None and names.null_count:
            names = pc.coalesce(names, _least(column, prefix, group, names))
    return Groups(group, names)


def group_sizes(runs: pa.Table, by: By) -> Numbers:
    """How many runs each group of `groups_of(runs, by)` has; names, which take most of its memory, are not made."""
    return np.unique(_joined(runs, by, _named(runs, by), None), return_counts=True)[1]


def _joined(runs: pa.Table, by: By, named: Any, cluster: Any) -> Numbers:
    """By run, the first run of its group."""
    joined = [named] if named is not None else []
    if by not in ("run", "task"):
        joined.append(one_array(runs["task"]))
    if cluster is not None:
        joined.append(cluster)
    return connected(runs.num_rows, [_codes(column) for column in joined])


def _named(runs: pa.Table, by: By) -> Any:
    """By run what the recipe splits by, null where a run has none; None under `run`."""
    if by == "run":
        return None
    if by in ("task", "template", "actor"):
        return pc.binary_join_element_wise(f"{by} ", one_array(runs[by]), "")
    return places_of(runs, by).main(runs.num_rows)


def _codes(column: Any) -> Numbers:
    return numbers(pc.fill_null(column.dictionary_encode().indices, -1))


def _least(column: Any, prefix: str, group: Numbers, names: Any) -> Any:
    """By group, the smallest string of its runs behind the prefix; null where none has one, or where the group has a
    name already."""
    open_groups = flags(pc.is_null(names))
    rows = np.flatnonzero(open_groups[group] & flags(pc.is_valid(column)))
    coded = take(column, rows).dictionary_encode()
    order = pc.sort_indices(coded.dictionary)
    rank = np.empty(len(order), np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    least = np.full(len(names), len(order))
    np.minimum.at(least, group[rows], rank[numbers(coded.indices)])
    found = coded.dictionary.take(order).take(pa.array(least, mask=least == len(order)))
    return pc.binary_join_element_wise(prefix, found, "")


def _nothing(count: int) -> Any:
    make: Any = pa.nulls
    return make(count, pa.string())
