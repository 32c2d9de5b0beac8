"""The index finds what comparing each instruction with each test task finds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.leakage.phrase_index import LeakIndex, Wordings
from tests.stages.leakage.each_with_each import Task, same_task, shares


def index_of(tasks: list[Task], n: int = 3) -> LeakIndex:
    rows = [(text, i, kind) for i, task in enumerate(tasks) for kind in (0, 1) for text in task[kind]]
    texts = pa.array([text for text, _, _ in rows], pa.string())
    return LeakIndex(
        Wordings(texts, np.array([i for _, i, _ in rows], np.int64), np.array([k == 1 for *_, k in rows], bool)), n
    )


def found(index: LeakIndex, texts: list[str]) -> list[dict[int, tuple[float, set[str]]]]:
    all_found = index.shared(index.read(pa.array(texts, pa.string())))
    rows: list[dict[int, tuple[float, set[str]]]] = [{} for _ in texts]
    for i, (text, task) in enumerate(zip(all_found.text, all_found.task, strict=True)):
        told = all_found.phrases[all_found.starts[i] : all_found.starts[i + 1]]
        rows[text][int(task)] = float(all_found.share[i]), set(index.phrase_strings(told).to_pylist())
    return rows


WORDS = ["set", "alarm", "the", "clock", "open", "red", "go", "to", "7am", "7", "am", "app's", "{x}"]
TEXT = st.lists(st.sampled_from(WORDS[:-1]), max_size=8).map(" ".join)
TEMPLATE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
TASK = st.tuples(st.lists(TEXT, min_size=1, max_size=2), st.lists(TEMPLATE, max_size=1))


@settings(max_examples=300, deadline=None)
@given(st.lists(TASK, max_size=7), st.lists(TEXT, max_size=6), st.integers(1, 4))
def test_the_index_finds_what_comparing_each_with_each_finds(tasks, texts, n):
    index = index_of(tasks, n)
    for text, row in zip(texts, found(index, texts), strict=True):
        wanted = shares(tasks, text, n)
        assert {task: share for task, (share, _) in row.items()} == {task: share for task, (share, _) in wanted.items()}
        assert all(row[task][1] & told for task, (_, told) in wanted.items())
    forms = index.vocabulary.forms(index.read(pa.array(texts, pa.string()))).to_pylist()
    for text, form in zip(texts, index.same(forms), strict=True):
        told = index.same_tasks[index.same_from[form] : index.same_from[form + 1]] if form >= 0 else []
        assert sorted(told) == sorted(same_task(tasks, text))


@settings(max_examples=60, deadline=None)
@given(st.lists(TASK, min_size=1, max_size=5), st.lists(TEXT, min_size=1, max_size=6), st.randoms())
def test_batches_and_their_order_change_nothing(tasks, texts, random):
    together = found(index_of(tasks), texts)
    index = index_of(tasks)
    order = list(range(len(texts)))
    random.shuffle(order)
    for i in order:
        assert found(index, [texts[i]]) == [together[i]]


def test_two_phrases_with_one_hash_are_told_apart(monkeypatch):
    """Every word has the same hash, so every phrase has."""
    monkeypatch.setattr("curate.stages.measures.normal_forms._hash", lambda word: 7)
    index = index_of([(["set red alarm"], [])])
    assert found(index, ["open red clock", "now set red alarm"]) == [{}, {0: (0.0, {"set red alarm"})}]
