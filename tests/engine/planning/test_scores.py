"""What more data brings: the printed figures of the vectors, a second regression, files that are wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curate.engine.planning.scores import Score, per_doubling, read_scores, scaling
from curate.model.errors import InputError

RUNS = (2080, 4159, 6239, 8318, 10398)
SCORE = (39.5, 42.5, 42.8, 44.3, 45.0)


def test_gains_are_those_printed() -> None:
    """Per thousand 1.44, .14, .72, .34; .66 over the whole; 2.3 per doubling, r2 .97."""
    row = scaling(
        [Score(experiment="tutorials", runs=n, score=s) for n, s in zip(RUNS, SCORE, strict=True)], per_kept=0.551
    )[0]
    assert row.per_thousand == pytest.approx([1.44, 0.14, 0.72, 0.34], abs=0.006)
    assert row.whole == pytest.approx(0.66, abs=0.006)
    assert row.per_doubling == pytest.approx(2.3, abs=0.05)
    assert row.r2 == pytest.approx(0.97, abs=0.005)
    assert row.cost_a_point == pytest.approx(1000 * 0.551 / 0.3365, abs=1)


def test_experiments_are_never_compared_with_each_other() -> None:
    scores = [Score(experiment="b", runs=10, score=1), Score(experiment="a", runs=1000, score=90)]
    rows = scaling(scores)
    assert [row.experiment for row in rows] == ["a", "b"]
    assert all(row.per_thousand == [] and row.whole is None and row.per_doubling is None for row in rows)


def test_several_models_of_one_size_are_their_mean() -> None:
    made = [Score(experiment="a", runs=n, score=s) for n, s in ((1000, 1.0), (1000, 3.0), (2000, 4.0))]
    row = scaling(made)[0]
    assert (row.runs, row.score, row.per_thousand, row.per_doubling) == ([1000, 2000], [2.0, 4.0], [2.0], 2.0)


def test_a_point_that_was_not_gained_has_no_price() -> None:
    made = [Score(experiment="a", runs=n, score=s) for n, s in ((1000, 5.0), (2000, 4.0))]
    assert scaling(made, per_kept=1.0)[0].cost_a_point is None


@given(st.dictionaries(st.integers(1, 10**6), st.floats(-100, 100), min_size=2, max_size=8))
def test_a_doubling_is_the_slope_of_a_second_least_squares(points: dict[int, float]) -> None:
    runs = sorted(points)
    score = [points[n] for n in runs]
    assume(max(runs) / min(runs) > 1.1)
    x = np.log2(runs)
    design = np.stack([x - x.mean(), np.ones(len(x))], axis=1)
    expected = np.linalg.lstsq(design, np.array(score), rcond=None)[0][0]
    assert per_doubling(runs, score)[0] == pytest.approx(expected, abs=1e-3, rel=1e-3)


def test_csv_and_lines_of_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("experiment,runs,score\na,10,1.5\na,20,2\n", "utf-8")
    (tmp_path / "scores.jsonl").write_text(
        '{"experiment":"a","runs":10,"score":1.5}\n{"experiment":"a","runs":20,"score":2}\n', "utf-8"
    )
    assert read_scores(tmp_path / "scores.csv") == read_scores(tmp_path / "scores.jsonl")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.csv", "experiment,runs,score\na,10,1\na,ten,1\n", "line 3"),
        ("s.csv", "experiment,runs\na,10\n", "line 2"),
        ("s.csv", "experiment,runs,score\na,0,1\n", "`runs` is at least 1"),
        ("s.csv", "experiment,runs,score\na,5,nan\n", "line 2"),
        ("s.csv", "experiment,runs,score\n", "are empty"),
        ("s.jsonl", '{"experiment":"a","runs":1,"score":2}\n{\n', "line 2"),
    ],
)
def test_wrong_scores_are_told_with_their_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError) as raised:
        read_scores(tmp_path / name)
    assert says in str(raised.value) and name in str(raised.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    for name in ("none.csv", "none.jsonl"):
        with pytest.raises(InputError, match="Cannot read the scores"):
            read_scores(tmp_path / name)
