"""Rows that tell what was done before them, as runs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.sources.common.chains import Told, chains


def told(before: list[str], own: str, name: str = "") -> Told[str]:
    return Told(place=len(before), before=before, own=own, row=name or own)


def runs(rows: list[Told[str]]) -> list[list[str]]:
    return [[one.row for one in run] for run in chains(rows)]


def test_two_runs_of_one_task_come_apart_by_what_was_done_before() -> None:
    rows = [told([], "a"), told([], "b"), told(["b"], "c", "c of b"), told(["a"], "c", "c of a"), told(["b", "c"], "d")]
    assert runs(rows) == [["a", "c of a"], ["b", "c of b", "d"]]


def test_a_missing_row_leaves_a_gap_in_its_run() -> None:
    rows = [told([], "a"), told(["a", "lost"], "c"), told(["a", "lost", "c"], "d")]
    assert runs(rows) == [["a", "c", "d"]]


def test_the_row_of_a_run_whose_beginning_is_missing_starts_one() -> None:
    assert runs([told([], "a"), told(["other"], "c")]) == [["a"], ["c"]]


def test_a_copy_of_a_row_stands_alone() -> None:
    assert runs([told([], "a", "1"), told([], "a", "2"), told(["a"], "b", "3")]) == [["1", "3"], ["2"]]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=4, unique_by=tuple))
def test_runs_without_a_common_beginning_come_back_whole(actions: list[list[str]]) -> None:
    whole = [[f"{number}", *one] for number, one in enumerate(actions)]  # each begins with an action of its own
    rows = [told(run[:place], own, f"{n}.{place}") for n, run in enumerate(whole) for place, own in enumerate(run)]
    rows.sort(key=lambda row: row.place)
    assert sorted(runs(rows)) == sorted([f"{n}.{place}" for place in range(len(run))] for n, run in enumerate(whole))
