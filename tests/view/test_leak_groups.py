"""Leaks on the page: nothing is lost in grouping, what is strong and gone comes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.engine.report.types import LeakRow
from curate.view.leak_groups import leak_parts

ROWS = st.lists(
    st.builds(
        LeakRow,
        id=st.text(max_size=3),
        reason=st.sampled_from(["leaks.same_task", "leaks.phrase"]),
        kept=st.booleans(),
        strength=st.sampled_from(["strong", "weak", None]),
        witness=st.sampled_from(["a", "b", None]),
    ),
    max_size=30,
)


@given(ROWS)
def test_every_leak_is_in_one_group_of_its_own_kind(rows: list[LeakRow]) -> None:
    parts = leak_parts(rows)
    found = [run for part in parts for group in part.groups for run in group.runs]
    assert sorted(map(id, found)) == sorted(map(id, rows))
    assert [part.runs for part in parts] == [sum(len(group.runs) for group in part.groups) for part in parts]
    assert [part.kept for part in parts] == sorted(part.kept for part in parts)
    for part in parts:
        sizes = [len(group.runs) for group in part.groups]
        assert sizes == sorted(sizes, reverse=True)
        for group in part.groups:
            assert {(run.kept, run.reason, run.witness) for run in group.runs} == {
                (part.kept, group.first.reason, group.first.witness)
            }
            assert all(run.strength in (part.strength, None) for run in group.runs)


def test_words_of_the_test_task_are_said_once() -> None:
    said = LeakRow(id="r", reason="leaks.same_task", witness="t", task="Pay rent", detail="test task t: Pay rent")
    share = LeakRow(id="s", reason="leaks.same_task", witness="u", task="Pay rent", detail="90% of the phrases")
    assert {g.first.id: g.detail for part in leak_parts([said, share]) for g in part.groups} == {
        "r": None, "s": "90% of the phrases",
    }  # fmt: skip
