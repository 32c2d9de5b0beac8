"""Pairs for a person to label: drawn from everywhere, shown without harm, and what the labels say."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.cli._app import run
from curate.engine.pair_sample import LabelPair, sample_pairs
from curate.model.errors import InputError
from curate.model.wilson import estimate
from curate.view.pair_labels import read_labels, threshold_rows, write_labels
from tests.factories import make_trajectory, write_records
from tests.runs import run_here

HOSTILE = "Save\x1b]0;owned\x07 \x1b[2J it\r\n\u202eevil"
WORDS = [f"click {name}" for name in ("File", "Open", "Notes", "Edit", "Copy", "Paste", "View", "Zoom", "Save", "Exit")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that are more and less alike: each leaves out, or does again, some of the same ten steps."""
    root = tmp_path_factory.mktemp("pairs")
    made = []
    for number in range(14):
        does = [word for k, word in enumerate(WORDS) if (number * 7 + k * k) % 11 > number % 5]
        does += [f"click {HOSTILE}"] if number % 2 else []
        made.append(make_trajectory(f"made:{number:02}", does, instruction=f"{HOSTILE} number {number}"))
    run_here([write_records(root / "a.jsonl", made)], root / "run", ["validate.min_steps=1"])
    return root / "run"


def test_pairs_are_drawn_the_same_again_and_stand_for_all(folder: Path) -> None:
    pairs = sample_pairs(folder, 1000, 0)
    assert pairs == sample_pairs(folder, 1000, 0)
    assert all(pair.stands_for == 1 for pair in pairs)  # every pair was drawn
    few = sample_pairs(folder, 6, 1)
    assert 0 < len(few) < len(pairs)
    assert {pair.band for pair in few} == {pair.band for pair in pairs}
    assert sum(pair.stands_for for pair in few) == pytest.approx(len(pairs))
    assert {(pair.a, pair.b) for pair in few} != {(pair.a, pair.b) for pair in sample_pairs(folder, 6, 2)}
    for pair in pairs:
        assert pair.a < pair.b and pair.similarity >= 0.2
        union = sum(pair.shingles) - pair.shared
        assert pair.similarity == pytest.approx(pair.shared / union, abs=1e-4)


def test_labels_say_what_thresholds_would_do(folder: Path, tmp_path: Path) -> None:
    pairs = sample_pairs(folder, 1000, 0)
    for pair in pairs:
        pair.same = pair.similarity >= 0.6
    write_labels(tmp_path / "l.jsonl", pairs)
    rows = {row.threshold: row for row in threshold_rows(folder, read_labels(tmp_path / "l.jsonl"))}
    assert rows[0.6].precision.share == rows[0.6].recall.share == 1
    assert rows[0.2].recall.share == 1 and (rows[0.2].precision.share or 1) < 1
    assert (rows[0.9].recall.share or 0) < 1
    kept = [rows[threshold].kept for threshold in sorted(rows)]
    assert kept == sorted(kept) and kept[-1] <= rows[1.0].came == 14


def test_the_whole_way_of_a_person(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = tmp_path / "labels.jsonl"
    show = ["show", str(folder), "--pairs", "--labels", str(labels), "--sample", "9"]
    assert run(show) == 0
    shown = capsys.readouterr()
    assert not {c for c in shown.out if not c.isprintable()} - {"\n"}
    assert r"\u202e" in shown.out and "Next:" in shown.err
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    assert {row["same"] for row in rows} == {None}
    assert run(show) == 0 and "labelled yet" in capsys.readouterr().err
    for row in rows:
        row["same"] = True
    labels.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run([*show, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["threshold"] for row in told] == [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert all(row["precision"]["share"] in (1, None) for row in told)
    assert run(show) == 0 and "precision" in capsys.readouterr().out


_PAIR = '{"a":"x","b":"y","same":%s,"similarity":%s,"shared":1,"shingles":[2,2],"band":"","stands_for":%s}'
BAD = ['{"same": true}', "no json", _PAIR % ('"yes"', 0.5, 1), _PAIR % ("null", 7, 1), _PAIR % ("null", 0.5, -1)]


@pytest.mark.parametrize("line", BAD)
def test_a_bad_label_is_named(tmp_path: Path, line: str) -> None:
    good = LabelPair(a="x", b="y", similarity=0.5, shared=1, shingles=(2, 1), band="", stands_for=1.0)
    (tmp_path / "l.jsonl").write_bytes(msgspec.json.encode(good) + b"\n" + line.encode() + b"\n")
    with pytest.raises(InputError, match="line 2"):
        read_labels(tmp_path / "l.jsonl")


def test_labels_of_another_run_are_refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = tmp_path / "labels.jsonl"
    pairs = sample_pairs(folder, 3, seed=0)
    strange = [msgspec.structs.replace(pairs[0], b="of-another-run", same=True), *pairs[1:]]
    write_labels(labels, strange)
    assert run(["show", str(folder), "--pairs", "--labels", str(labels)]) == 3
    told = capsys.readouterr()
    assert "of-another-run" in told.err
    assert "not drawn from" in told.err
    assert not told.out


def test_labels_need_pairs(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(folder), "--labels", str(tmp_path / "l.jsonl")]) == 2
    assert "--pairs" in capsys.readouterr().err


SAID = st.lists(st.tuples(st.floats(0.1, 100), st.booleans()), max_size=30)


@given(SAID)
def test_an_interval_holds_its_share(said) -> None:
    found = estimate(said)
    if not said:
        assert found.share is None
        return
    assert found.share is not None and found.low is not None and found.high is not None
    assert 0 <= found.low <= found.share <= found.high <= 1
    wanted = sum(w for w, yes in said if yes) / sum(w for w, _ in said)
    assert found.share == pytest.approx(wanted, abs=1e-4)


def test_an_interval_is_wilsons() -> None:
    """Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662."""
    found = estimate([(1.0, k < 81) for k in range(263)])
    assert (found.low, found.high) == (0.2553, 0.3662)
