"""Verdicts as columns, against verdicts as plain rows; and what a decision reads, against looking it up row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.base import VERDICTS, DecisionInput
from curate.stages.ids import Ids
from curate.stages.verdicts import Verdicts

EXTRA = {"flags": pa.list_(pa.string()), "weight": pa.float64(), "out_of_history": pa.bool_()}
REASONS = ["images.blank", "leaks.same_app", "nearcopies.copy_of"]


class Rows:
    """The same in its plainest form: a dictionary a row. This is the second implementation, for tests alone."""

    def __init__(self, alive: list[str]) -> None:
        self.runs: list[dict[str, Any]] = [{"id": run, "step": None, "verdict": "keep"} for run in alive]
        self.steps: list[list[dict[str, Any]]] = [[] for _ in alive]

    def out(self, verdict: str, run: int, reason: str, detail: str | None, witness: str | None) -> None:
        self.runs[run].update(verdict=verdict, reason=reason, detail=detail, witness=witness)

    def note(self, run: int, **columns: Any) -> None:
        self.runs[run].update(columns)

    def leave_out(self, run: int, step: int, reason: str, detail: str | None, **columns: Any) -> None:
        row = {"id": self.runs[run]["id"], "step": step, "verdict": "drop", "reason": reason, "detail": detail}
        self.steps[run].append({**row, **columns})

    def table(self) -> list[dict[str, Any]]:
        names = [*VERDICTS.names, *EXTRA]
        told = []
        for run, steps in zip(self.runs, self.steps, strict=True):
            told += [run, *(steps if run["verdict"] == "keep" else [])]
        return [{name: row.get(name) for name in names} for row in told]


texts = st.none() | st.sampled_from(["", "why", "Übung"])
reasons = st.sampled_from(REASONS)
values = st.fixed_dictionaries(
    {},
    optional={
        "flags": st.none() | st.lists(reasons, max_size=2),
        "weight": st.none() | st.floats(0, 2),
        "detail": texts,
        "witness": texts,
    },
)


def say_something(data: st.DataObject, runs: list[str], columns: Verdicts, rows: Rows) -> None:
    """One thing that a stage may say, said to both."""
    several = data.draw(st.lists(st.sampled_from(range(len(runs))), unique=True, max_size=4))
    run = data.draw(st.sampled_from(range(len(runs))))
    named: Any = data.draw(st.sampled_from([run, runs[run]]))  # by position, or by id
    reason, detail, witness = data.draw(reasons), data.draw(texts), data.draw(texts)
    told = [(data.draw(reasons), data.draw(texts), data.draw(texts)) for _ in several]
    why, details, witnesses = ([row[k] for row in told] for k in range(3))

    def drop() -> None:
        columns.drop(named, reason, detail, witness)
        rows.out("drop", run, reason, detail, witness)

    def quarantine() -> None:
        columns.quarantine(named, reason, detail)
        rows.out("quarantine", run, reason, detail, None)

    def drop_all() -> None:
        columns.drop_all(np.array(several, np.int64), why, details, pa.array(witnesses, pa.string()))
        for one, (code, words, evidence) in zip(several, told, strict=True):
            rows.out("drop", one, code, words, evidence)

    def quarantine_all() -> None:
        columns.quarantine_all(several, reason)
        for one in several:
            rows.out("quarantine", one, reason, None, None)

    def note() -> None:
        some = data.draw(values)
        columns.note(named, **some)
        rows.note(run, **some)

    def note_all() -> None:
        columns.note_all(several, detail=details)
        for one, words in zip(several, details, strict=True):
            rows.note(one, detail=words)

    def fill() -> None:
        weights = [data.draw(st.none() | st.floats(0, 1)) for _ in runs]
        columns.fill("weight", weights)
        for one, weight in enumerate(weights):
            rows.note(one, weight=weight)

    def leave_out() -> None:
        columns.leave_out(named, 7, reason, detail, out_of_history=True)
        rows.leave_out(run, 7, reason, detail, out_of_history=True)

    def leave_out_all() -> None:
        steps = list(range(len(several)))
        columns.leave_out_all(several, steps, pa.array(why, pa.string()), details, weight=np.ones(len(several)))
        for one, step, code, words in zip(several, steps, why, details, strict=True):
            rows.leave_out(one, step, code, words, weight=1.0)

    ways: list[Callable[[], None]] = [
        drop, quarantine, drop_all, quarantine_all, note, note_all, fill, leave_out, leave_out_all,
    ]  # fmt: skip
    data.draw(st.sampled_from(ways))()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_columns_say_what_rows_say(data: st.DataObject) -> None:
    runs = data.draw(st.lists(st.text("abcÜ", min_size=1, max_size=3), unique=True, min_size=1, max_size=5))
    columns, rows = Verdicts(data.draw(st.sampled_from([runs, Ids(pa.array(runs))])), EXTRA), Rows(runs)
    for _ in range(data.draw(st.integers(0, 8))):
        say_something(data, runs, columns, rows)
    table = columns.table()
    assert table.schema.equals(pa.schema([*VERDICTS, *(pa.field(name, kind) for name, kind in EXTRA.items())]))
    assert table.to_pylist() == rows.table()
    for at, run in enumerate(runs):
        assert columns.dropped(at) is columns.dropped(run) is (rows.runs[at]["verdict"] != "keep")
        assert columns.kept[at] == (rows.runs[at]["verdict"] == "keep")


def test_what_is_not_listed_or_not_given_is_an_error() -> None:
    verdicts = Verdicts(["a"], EXTRA)
    with pytest.raises(ValueError, match=r"not listed.*reasons\.py"):
        verdicts.drop(0, "images.of_no_kind")
    with pytest.raises(ValueError, match="not listed"):
        verdicts.leave_out_all([0], [1], ["images.of_no_kind"])
    with pytest.raises(KeyError):
        verdicts.drop("b", "images.blank")
    with pytest.raises(KeyError):
        verdicts.note("a", unheard_of=1)
    with pytest.raises(KeyError):
        verdicts.leave_out("a", 0, "images.blank", unheard_of=1)
    assert Verdicts([]).table().equals(VERDICTS.empty_table())


@st.composite
def _inputs(draw: st.DrawFn) -> tuple[list[str], pa.Table, pa.Table, dict[str, pa.Table]]:
    """Runs alive, measures of runs and of steps of more runs than those, and what two decisions said."""
    measured = draw(st.lists(st.sampled_from("abcdefg"), unique=True, max_size=7))
    alive = [run for run in measured if draw(st.booleans())]
    runs = [{"id": run, "n": draw(st.integers(0, 9))} for run in measured if run in alive or draw(st.booleans())]
    steps = [
        {"id": run, "step": k, "n": draw(st.integers(0, 9))} for run in measured for k in range(draw(st.integers(0, 3)))
    ]
    told = {}
    for place in ("images", "images_2"):
        verdicts = Verdicts(measured, {"weight": pa.float64()})
        for run in measured:
            for step in draw(st.lists(st.integers(0, 3), unique=True, max_size=2)):
                verdicts.leave_out(run, step, draw(reasons))
            verdicts.note(run, weight=draw(st.none() | st.floats(0, 1)))
        told[place] = verdicts.table()
    kind = pa.schema([("id", pa.string()), ("step", pa.int64()), ("n", pa.int64())])
    of_runs = pa.Table.from_pylist(runs, pa.schema([kind.field("id"), kind.field("n")]))
    return alive, of_runs, pa.Table.from_pylist(steps, kind), told


@settings(max_examples=80, deadline=None)
@given(_inputs())
def test_what_a_decision_reads_is_what_stands_in_the_rows(
    drawn: tuple[list[str], pa.Table, pa.Table, dict[str, pa.Table]],
) -> None:
    alive, of_runs, of_steps, told = drawn
    read = DecisionInput(alive=alive, measures={"runs": of_runs, "steps": of_steps}, verdicts=told)
    by_id = {row["id"]: row for row in of_runs.to_pylist()}
    assert read.of_runs("runs", ["n"]).to_pylist() == [by_id[run] for run in alive]
    table, at = read.of_steps("steps", ["n"])
    assert table.to_pylist() == [row for row in of_steps.to_pylist() if row["id"] in alive]
    assert [alive[position] for position in at.tolist()] == table["id"].to_pylist()
    first: dict[tuple[int, int], str] = {}
    weight: dict[str, float] = {}
    for verdicts in told.values():
        for row in verdicts.to_pylist():
            if row["step"] is not None and row["id"] in alive:
                first.setdefault((alive.index(row["id"]), row["step"]), row["reason"])
            if row["step"] is None and row["weight"] is not None:
                weight[row["id"]] = row["weight"]
    runs, steps, why = read.left_out_so_far()
    assert list(zip(runs.tolist(), steps.tolist(), why.to_pylist(), strict=True)) == [
        (*key, first[key]) for key in sorted(first)
    ]
    said = read.so_far("weight")
    assert said is not None and said.to_pylist() == [weight.get(run) for run in alive]
    assert read.so_far("split") is None
