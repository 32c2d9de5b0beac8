"""Train and test: what is kept together, how much, and that order decides nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages import nearcopies
from curate.stages.split import STAGE, SplitOptions, choose_test, expected_twins
from tests.stages.factories import buttons, decided, kept, measured, reasons


def splits(records, options=None, copies=True, seed=0):
    from curate.stages.base import DecisionInput

    others = {"nearcopies": measured(nearcopies.STAGE, records)} if copies else {}
    measures = {"split": measured(STAGE, records), **others}
    given = DecisionInput(alive=[r.id for r in records], measures=measures, verdicts={}, seed=seed)
    return {row["id"]: row["split"] for row in STAGE.decide(given, options or SplitOptions()).to_pylist()}


def shelf(apps=8, tasks=3, recordings=2):
    """8 apps x 3 tasks x 2 recordings, as the lesson's; the two recordings differ."""
    return [
        buttons(f"{a}-{t}-{r}", [f"x{r}{i}" for i in range(5)], f"Task {t} in app {a}", apps=[f"app{a}"])
        for a in range(apps)
        for t in range(tasks)
        for r in range(recordings)
    ]


def test_by_task_keeps_both_recordings_together_and_shows_every_app():
    runs = shelf()
    found = splits(runs, SplitOptions(by="task", test=10 / 48), copies=False)
    assert Counter(found.values()) == {"test": 10, "train": 38}
    tests = {id.rsplit("-", 1)[0] for id, part in found.items() if part == "test"}
    assert len(tests) == 5
    assert not tests & {id.rsplit("-", 1)[0] for id, part in found.items() if part == "train"}
    assert {id[0] for id, part in found.items() if part == "train"} == set("01234567")


def test_by_app_holds_apps_out():
    found = splits(shelf(), SplitOptions(test=10 / 48), copies=False)
    assert Counter(found.values()) == {"test": 12, "train": 36}
    assert len({id[0] for id, part in found.items() if part == "test"}) == 2
    assert not {id[0] for id, part in found.items() if part == "test"} & {
        id[0] for id, part in found.items() if part == "train"
    }


def test_by_run_costs_twins():
    assert expected_twins([t for t in range(24) for _ in range(2)], 10) == pytest.approx(10 * (1 - 9 / 47))
    assert expected_twins(list(range(24)), 10) == 0
    found = splits(shelf(), SplitOptions(by="run", test=10 / 48), copies=False)
    assert Counter(found.values()) == {"test": 10, "train": 38}


def test_eighty_twenty():
    runs = [buttons(f"r{i}", [f"x{i}"], f"Task number {i}", apps=[]) for i in range(100)]
    assert Counter(splits(runs, SplitOptions(by="run", test=0.2)).values()) == {"train": 80, "test": 20}


def test_near_copies_are_never_parted():
    names = ["a", "b", "c", "d", "e", "f"]
    runs = [buttons(f"r{i:02}", names if i % 2 else [f"{i}{n}" for n in names], f"Task number {i}") for i in range(20)]
    for seed in range(5):
        found = splits(runs, SplitOptions(by="run", test=0.3), seed=seed)
        assert len({found[f"r{i:02}"] for i in range(1, 20, 2)}) == 1


def test_a_training_run_that_touches_a_held_out_app_straddles():
    alone = [buttons(f"{app}{i}", [f"{app}{i}"], f"Task {app} {i}", apps=[app]) for app in "abcdefgh" for i in range(2)]
    both = buttons("both", ["z"], "Task of many apps", apps=["z", *"abcdefgh"])
    rows = decided(STAGE, [*alone, both], SplitOptions(by="app", test=0.1), others={})
    assert reasons(rows) == {"both": "split.straddles"}
    assert len(kept(rows)) == 16


@pytest.mark.parametrize(
    ("sizes", "share", "expected"),
    [
        ({"a": 10}, 0.1, 0),
        ({}, 0.1, 0),
        ({"a": 1, "b": 1}, 0.1, 0),
        ({"a": 1, "b": 1}, 0.5, 1),
        ({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, 0.1, 1),
        ({"a": 1, "b": 1}, 0.0, 0),
        ({"a": 9, "b": 1}, 0.1, 1),
        ({"a": 5, "b": 4}, 0.1, 4),
        ({"a": 100, "b": 100}, 0.01, 100),
        ({"a": 8}, 0.5, 0),
    ],
)
def test_small_datasets(sizes, share, expected):
    for seed in range(5):
        chosen = choose_test(pa.array(list(sizes), pa.string()), np.array(list(sizes.values()), np.int64), share, seed)
        assert sum(size for size, test in zip(sizes.values(), chosen, strict=True) if test) == expected
        assert chosen.sum() < max(len(sizes), 1)  # something is left to train on


RUNS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3), st.integers(0, 2)), max_size=14)
BY = st.sampled_from(["run", "task", "app", "app_or_site", "template", "actor", "site"])


@settings(max_examples=40, deadline=None)
@given(RUNS, st.integers(0, 99), BY, st.randoms())
def test_order_decides_nothing_and_nobody_is_lost(drawn, seed, by, random):
    runs = [
        buttons(f"r{i}", [f"{app}{k}" for k in range(4 + recording)], f"Task {task} for all", apps=[app], kind="human")
        for i, (app, task, recording) in enumerate(drawn)
    ]
    shuffled = list(runs)
    random.shuffle(shuffled)
    options = SplitOptions(by=by, test=0.3)
    found = splits(runs, options, seed=seed)
    assert found == splits(shuffled, options, seed=seed)
    assert set(found) == {r.id for r in runs}
    if by not in ("run",):
        parts = {}
        for r in runs:
            parts.setdefault(r.instruction, set()).add(found[r.id])
        assert all(len(p - {None}) <= 1 for p in parts.values())
