"""A stage's table: measures and verdicts joined by run and step, and the verdicts read back as they were."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.engine.places import read_place, restored
from curate.engine.stage_table import DecisionKey, StageWriter, joined, read_amended, read_key
from curate.stages.base import VERDICTS
from curate.store.row_groups import GROUP_ROWS

SCHEMA = pa.schema([*VERDICTS, pa.field("split", pa.string())])


@st.composite
def decisions(draw: st.DrawFn) -> tuple[list[str], pa.Table, pa.Table]:
    """Ids that came to the stage, verdicts for them, and measures by step of more runs than came."""
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6))
    came = [name for name in names if draw(st.booleans())]
    verdicts: list[dict[str, Any]] = []
    for id in came:
        kept = draw(st.booleans())
        verdict = {"verdict": "keep"} if kept else {"verdict": "drop", "reason": "leaks.same_app", "witness": "w"}
        verdicts.append({"id": id, "split": draw(st.sampled_from(["train", None])), **verdict})
        for step in draw(st.lists(st.integers(0, 4), unique=True, max_size=3)) if kept else []:
            verdicts.append({"id": id, "step": step, "verdict": "drop", "reason": "images.blank", "detail": "d"})
    measures = [
        {"id": id, "step": step, "reason": f"{id}{step}", "white": float(step)}
        for id in names for step in range(draw(st.integers(0, 5)))
    ]  # fmt: skip
    kind = pa.schema([("id", pa.string()), ("step", pa.int64()), ("reason", pa.string()), ("white", pa.float64())])
    return came, pa.Table.from_pylist(verdicts, SCHEMA), pa.Table.from_pylist(measures, kind)


@settings(max_examples=80, deadline=None)
@given(decisions())
def test_verdicts_come_back_and_measures_stand_beside_their_step(
    given_all: tuple[list[str], pa.Table, pa.Table],
) -> None:
    came, verdicts, measures = given_all
    key = DecisionKey(before="b", looked_at={"images": "m"}, columns=[*VERDICTS.names[2:], "split"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "01-images.parquet")
        _write(path, came, verdicts, measures, key)
        assert read_key(path) == key and read_amended(path) == ""
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        place = read_place(path, "images", "images", 1, key, np.arange(10, 10 + len(came), dtype=np.int32))
        back, at = place.rows([*VERDICTS.names, "split"])
        assert [came[position - 10] for position in at.tolist()] == back["id"].to_pylist()
        for first in range(10, 10 + len(came)):  # a part of it is that part
            some, places = place.rows(["id"], first, first + 1)
            assert some.to_pylist() == [
                {name: row[name] for name in ("id", "step", "verdict")}
                for row in back.to_pylist() if row["id"] == came[first - 10]
            ] and set(places.tolist()) == {first}  # fmt: skip
        for rows_in_group in (1, 3, 1000):  # what groups hold nothing of is not read
            _write(path, came, verdicts, measures, key, rows_in_group)
            said_of = [row["step"] is not None for row in back.to_pylist()]
            steps, of_steps = place.of_steps(VERDICTS.names)
            assert steps.to_pylist() == back.select(VERDICTS.names).filter(pa.array(said_of, pa.bool_())).to_pylist()
            assert of_steps.tolist() == at[np.array(said_of, bool)].tolist()
        counted = Counter((row["verdict"], row["reason"] or "") for row in back.to_pylist() if row["step"] is None)
        assert {(kind, why): n for kind, found in place.counts().items() for why, n in found.items()} == counted
    order = {id: place for place, id in enumerate(came)}
    expected = sorted(
        verdicts.to_pylist(), key=lambda row: (order[row["id"]], -1 if row["step"] is None else row["step"])
    )
    assert back.to_pylist() == expected
    # one row a run in order, its steps behind it; a step's row for every measure and for every verdict
    told = {(row["id"], row["step"]): row for row in rows}
    assert len(told) == len(rows)
    measured = {(row["id"], row["step"]): row for row in measures.to_pylist() if row["id"] in order}
    said = {(row["id"], row["step"]): row for row in verdicts.to_pylist()}
    assert told.keys() == measured.keys() | said.keys()
    for at, row in told.items():
        assert row["white"] == (measured[at]["white"] if at in measured else None)
        assert row["measured_reason"] == (measured[at]["reason"] if at in measured else None)
        verdict = said[at]["verdict"] if at in said else "keep" if said[(at[0], None)]["verdict"] == "keep" else None
        assert row["verdict"] == verdict


def _write(
    path: Path, came: list[str], verdicts: pa.Table, measures: pa.Table, key: DecisionKey, group: int = GROUP_ROWS
) -> None:
    order = {id: place for place, id in enumerate(came)}
    at = [np.array([order.get(id, -1) for id in table["id"].to_pylist()], np.int64) for table in (verdicts, measures)]
    with StageWriter(path, group) as writer:
        writer.add(joined(verdicts, at[0], measures, at[1], pa.array(came, pa.string())))
        writer.close(key)


@settings(max_examples=60, deadline=None)
@given(decisions(), st.data())
def test_runs_without_an_example_are_out_and_come_back(
    given_all: tuple[list[str], pa.Table, pa.Table], data: st.DataObject
) -> None:
    """Amending is as if the verdicts had said so; amending otherwise later, and not at all, is too."""
    came, verdicts, measures = given_all
    key = DecisionKey(before="b", looked_at={"images": "m"}, columns=[*VERDICTS.names[2:], "split"])
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder, "01-unroll.parquet"), Path(folder, "02-unroll.parquet")
        _write(path, came, verdicts, measures, key)
        plain = pq.read_table(path)
        for without in (
            data.draw(st.sets(st.sampled_from(came or [""]))),
            set(),
            data.draw(st.sets(st.sampled_from(came or [""]))),
        ):
            place = restored(read_place(path, "unroll", "unroll", 1, key, np.arange(len(came), dtype=np.int32)))
            place.amend(np.array([at for at, id in enumerate(came) if id in without], np.int32))
            said: list[dict[str, Any]] = verdicts.to_pylist()
            for row in said:
                if row["id"] in without and row["step"] is None and row["verdict"] == "keep":
                    row.update(verdict="drop", reason="unroll.no_example")
            _write(other, came, pa.Table.from_pylist(said, verdicts.schema), measures, key)
            assert pq.read_table(path).to_pylist() == pq.read_table(other).to_pylist()
            assert sum(place.counts()["keep"].values()) == sum(
                row["verdict"] == "keep" and row["step"] is None for row in said
            )
            if not without:
                assert pq.read_table(path).equals(plain)


def test_a_file_that_is_none_has_no_key(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no")
    assert read_key(tmp_path / "x.parquet") is None and read_key(tmp_path / "y.parquet") is None
