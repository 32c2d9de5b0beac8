"""Groups are those of joining runs one by one, and so are their names."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.measures.split_groups import CHOICES, group_sizes, groups_of, places_of
from curate.stages.split import MEASURES

NAMES = st.lists(st.sampled_from(["b", "a", "é", "c d"]), max_size=2, unique=True)
MAYBE = st.none() | st.sampled_from(["x", "y", "z"])
RUN = st.fixed_dictionaries({"task": MAYBE, "template": MAYBE, "apps": NAMES, "sites": NAMES, "actor": MAYBE})


def keys_of(run: dict, by: str, cluster: str | None) -> list[str]:
    """What joins a run with others, as the stage's options say it."""
    places = [f"app {app}" for app in run["apps"]] if by in ("app", "app_or_site") else []
    if by == "site" or (by == "app_or_site" and run["sites"]):
        places = [f"site {site}" for site in run["sites"]]
    keys = places[:1]
    if by in ("task", "template", "actor") and run[by]:
        keys.append(f"{by} {run[by]}")
    if by not in ("run", "task") and run["task"]:
        keys.append(f"~task {run['task']}")
    return [*keys, f"~copies {cluster}"] if cluster else keys


def by_hand(runs: list[dict], by: str, clusters: list[str | None]) -> list[str]:
    """The name of each run's group."""
    keys = [{f"~run {run['id']}", *keys_of(run, by, c)} for run, c in zip(runs, clusters, strict=True)]
    for mine in keys:
        for other in keys:
            if mine & other:
                mine |= other
    for _ in keys:  # until nothing is joined any more
        for mine in keys:
            for other in keys:
                if mine & other:
                    mine |= other
    return [min(mine) for mine in keys]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(RUN, MAYBE), max_size=9), st.sampled_from(CHOICES))
def test_groups_are_those_of_joining_one_by_one(drawn, by):
    runs = [{"id": f"r{i}", **run} for i, (run, _) in enumerate(drawn)]
    clusters = [cluster for _, cluster in drawn]
    table = pa.Table.from_pylist(runs, schema=MEASURES)
    groups = groups_of(table, by, pa.array(clusters, pa.string()))
    assert groups.names.take(pa.array(groups.of)).to_pylist() == by_hand(runs, by, clusters)
    assert len(set(groups.names.to_pylist())) == len(groups.names) == len(set(groups.of.tolist()))
    assert group_sizes(table, by).tolist() == groups_of(table, by).sizes.tolist()


@given(st.lists(RUN, max_size=6))
def test_a_runs_main_place_is_the_first_of_its_sites_else_apps(drawn):
    table = pa.Table.from_pylist([{"id": str(i), **run} for i, run in enumerate(drawn)], schema=MEASURES)
    wanted = [
        f"site {run['sites'][0]}" if run["sites"] else f"app {run['apps'][0]}" if run["apps"] else None for run in drawn
    ]
    assert places_of(table, "app_or_site").main(len(drawn)).to_pylist() == wanted
