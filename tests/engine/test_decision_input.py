"""What a run gives its decisions, by position and from disk, is what the plain definition gives over whole tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click
from curate.stages import registry
from curate.stages.base import DecisionInput
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import run_here


def same(given: DecisionInput) -> None:
    measures = {stage: given.measures[stage] for stage in ("validate", "images", "outcome")}
    plain = DecisionInput(alive=list(given.alive), measures=measures, verdicts=dict(given.verdicts.items()))
    for stage, column in (("validate", "steps"), ("outcome", "completed")):
        assert given.of_runs(stage, [column]).to_pylist() == plain.of_runs(stage, [column]).to_pylist()
    (table, at), (other, there) = given.of_steps("images", ["image"]), plain.of_steps("images", ["image"])
    assert table.select(other.column_names).to_pylist() == other.to_pylist() and at.tolist() == there.tolist()
    for one, two in zip(given.left_out_so_far(), plain.left_out_so_far(), strict=True):
        assert one.tolist() == two.tolist()
    for column in ("split", "copies"):
        said, told = given.so_far(column), plain.so_far(column)
        assert (said is None) == (told is None)
        assert said is None or told is None or said.to_pylist() == told.to_pylist()


@pytest.mark.parametrize("chunk", [1, 1000])
def test_positions_and_ids_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    looked: list[str] = []
    for name in ("leaks", "weights", "unroll"):
        kind: Any = type(registry.stage(name))

        def decide(self: Any, given: DecisionInput, options: Any, before: Any = kind.decide) -> Any:
            same(given)
            looked.append(self.name)
            return before(self, given, options)

        monkeypatch.setattr(kind, "decide", decide)
    monkeypatch.setattr("curate.engine.corpus._CHUNK", chunk)
    inputs = []
    for number in range(3):
        lines: list[Any] = []
        for k in range(7):
            steps = [make_step(i, Click(x=0.1 * i, y=0.2), correct=i != k % 4) for i in range(k % 5)]
            if k == 3:
                steps[0].image, steps[0].flags = "media/aa/aa.png", ["keyframe_missing"]
            record = make_trajectory(
                f"r:{k % 5}", steps=steps, completed=[True, None, False][k % 3], app=f"app {k % 2}"
            )
            lines.append(record)
        inputs.append(write_records(tmp_path / f"{number}.jsonl", [*lines, b"{"]))
    run_here(inputs, tmp_path / "run", ["split.by=app"])
    assert set(looked) == {"leaks", "weights", "unroll"} and looked.count("leaks") == 2
