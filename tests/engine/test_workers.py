"""Processes started early do the same as those started late, and none is started for nothing."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

import pytest

from curate.engine.plan import make_plan
from curate.engine.recipe import load_recipe
from curate.engine.workers import Workers
from curate.model.constants import SHARD_BYTES
from tests.factories import make_trajectory, write_records


def doubled(number: int) -> int:
    return 2 * number


def has_loaded(name: str) -> bool:
    return name in sys.modules


@pytest.mark.parametrize("early", [False, True])
def test_every_job_has_its_result(early: bool) -> None:
    with Workers(2) as workers:
        if early:
            workers.start("json")
        assert dict(workers.run(doubled, range(20))) == {number: 2 * number for number in range(20)}
        assert dict(workers.run(doubled, range(3))) == {0: 0, 1: 2, 2: 4}, "the same processes serve again"
    assert not multiprocessing.active_children()


def test_processes_load_what_they_are_told_to() -> None:
    with Workers(2) as workers:
        workers.start()
        workers.load("wave")
        assert any(found for _, found in workers.run(has_loaded, ["wave"] * 6))


def test_nothing_is_started_for_nothing() -> None:
    with Workers(1) as alone, Workers(2) as idle:
        alone.start("json")
        idle.load("json")
        assert dict(idle.run(doubled, [4])) == {0: 8}
        assert not multiprocessing.active_children()


def test_a_plan_starts_processes_where_there_is_work_for_several(tmp_path: Path) -> None:
    class Asked(Workers):
        times = 0

        def start(self, *modules: str) -> None:
            self.times += 1

    one = write_records(tmp_path / "one.jsonl", [make_trajectory()])
    large = tmp_path / "large.jsonl"
    large.write_bytes(one.read_bytes() * (SHARD_BYTES // one.stat().st_size + 1))
    recipe = load_recipe("web", [])
    for paths, times in (([one], 0), ([large], 1), ([one, large], 1)):
        asked = Asked(2)
        make_plan(paths, recipe, tmp_path / "run", early=asked)
        assert asked.times == times
