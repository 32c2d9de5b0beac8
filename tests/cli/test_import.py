"""`curate import`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.store.dataset import read_manifest, read_records
from tests.factories import make_trajectory, write_records
from tests.sources.folders import click, make_folder

ROW = {"instruction": "Open the settings", "traj": [{"index": 0, "value": {"code": "pyautogui.press('enter')"}}]}


def agentnet(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def mixture(tmp_path: Path) -> Path:
    """Two sources, an id that is there twice, a line that is none, a place that is none, a file that is nobody's."""
    folder = tmp_path / "data"
    outside = {**ROW, "task_id": "t2", "traj": [{"value": {"code": "pyautogui.click(x=1.5, y=0.2)"}}]}
    agentnet(folder / "a.jsonl", {**ROW, "task_id": "t1"}, {**ROW, "task_id": "t1"}, "no run", outside)
    write_records(folder / "b.jsonl", [make_trajectory("made:1")])
    (folder / "c.json").write_text('{"nothing": 1}', encoding="utf-8")
    return folder


def test_everything_comes_out_or_has_a_reason(
    mixture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ds"
    assert run(["import", "auto", str(mixture), "--out", str(out), "--json"]) == 0
    captured = capsys.readouterr()
    said = json.loads(captured.out)
    assert said["trajectories"] == 3 and said["unknown"] == ["c.json"] and "c.json" in captured.err
    by = {one["source"]: one for one in said["sources"]}
    assert by["agentnet"]["trajectories"] == 2 and by["records"]["trajectories"] == 1
    assert by["agentnet"]["renamed"] == 1 and by["agentnet"]["without"] == 2
    assert sum(by["agentnet"]["refused"].values()) == 2
    rows = [json.loads(line) for line in (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["file"], row["line"]) for row in rows] == [("a.jsonl", 3), ("a.jsonl", 4)]
    assert rows[1]["reason"] == "validate.coordinate_out_of_range"
    assert [record.id for record in read_records(out, check_hashes=True)] == ["agentnet:t1", "agentnet:t1#2", "made:1"]
    assert f"Next: curate show {out}" in captured.err


def test_the_table(mixture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "auto", str(mixture), "--out", str(tmp_path / "ds")]) == 0
    printed = capsys.readouterr().out
    assert "validate.coordinate_out_of_range 1" in printed
    (row,) = [line.split() for line in printed.splitlines() if line.startswith("agentnet ")]
    assert row == ["agentnet", "1", "2", "2", "0", "0", "0", "2", "2"]


def test_a_named_source_reads_alone(mixture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "records", str(mixture), "--out", str(tmp_path / "ds")]) == 0
    assert [record.id for record in read_records(tmp_path / "ds")] == ["made:1"]
    assert run(["import", "lesson", str(mixture / "a.jsonl"), "--out", str(tmp_path / "no")]) == 3
    assert "agentnet does" in capsys.readouterr().err
    assert run(["import", "agentnt", str(mixture), "--out", str(tmp_path / "no")]) == 2
    assert "Did you mean 'agentnet'" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_the_limit_counts_what_is_refused(mixture: Path, tmp_path: Path) -> None:
    assert run(["import", "auto", str(mixture), "--out", str(tmp_path / "ds"), "--limit", "4", "-q"]) == 0
    assert read_manifest(tmp_path / "ds").trajectories == 2
    assert len((tmp_path / "ds" / "rejected.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_recordings_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_folder(tmp_path / "dump" / "deep" / "two", click(1, 100, 100))
    assert run(["import", "auto", str(tmp_path / "dump"), "--out", str(tmp_path / "ds")]) == 0
    assert (tmp_path / "ds" / "reduced.parquet").is_file()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"trajectory_reward": 1, "mc_return": 0.9, "other": 2, "action": "x"}', "looks most like digirl"),
        ('[{"a": 1}]', "No source recognises"),
    ],
)
def test_what_nobody_recognises(content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    assert run(["import", "auto", str(tmp_path / "x.json"), "--out", str(tmp_path / "ds")]) == 3
    assert said in capsys.readouterr().err and not (tmp_path / "ds").exists()


def test_nothing_readable_is_an_error_and_no_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = agentnet(tmp_path / "a.jsonl", {**ROW, "traj": [{"value": {"code": "os.system('x')"}}]})
    assert run(["import", "auto", str(path), "--out", str(tmp_path / "ds")]) == 3
    error = capsys.readouterr().err
    assert "a.jsonl, line 1: read.code" in error and not (tmp_path / "ds" / "dataset.json").exists()
    assert run(["import", "auto", str(path)]) == 2
    assert run(["import", "auto", str(path), "--out", str(tmp_path / "ds"), "--set", "images.erased=keep"]) == 2


def test_twice_gives_the_same_bytes(mixture: Path, tmp_path: Path) -> None:
    trees = []
    for name in ("a", "b"):
        assert run(["import", "auto", str(mixture), "--out", str(tmp_path / name), "-q"]) == 0
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        trees.append({path.relative_to(tmp_path / name).as_posix(): path.read_bytes() for path in files})
    assert trees[0] == trees[1]


def pixels_as_fractions(folder: Path, rows: int = 8) -> Path:
    """AgentNet's form, which has fractions, with points of a screen of 1920 x 1080."""
    code = "pyautogui.click(x={}, y={})"
    return agentnet(
        folder / "wrong.jsonl",
        *[
            {**ROW, "task_id": f"t{n}", "traj": [{"index": 0, "value": {"code": code.format(1900 - n, 1000 + n)}}]}
            for n in range(rows)
        ],
    )


def test_explain_says_what_contradicts_the_source_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pixels_as_fractions(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run(["import", "auto", str(path), "--explain"]) == 0
    captured = capsys.readouterr()
    assert "though the source declares fractions" in captured.out and "wrong.jsonl, line 1" in captured.out
    assert "--set import.space=" in captured.err
    assert sorted(tmp_path.rglob("*")) == before
    assert run(["import", "auto", str(path), "--explain", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["inputs"]
    by = {verdict["question"]: verdict for verdict in one["verdicts"]}
    assert list(by) == ["space", "order", "scroll", "timing"]
    assert by["space"]["contradicts"] and by["space"]["declared"] == "fraction" and by["space"]["counts"]
    assert not by["scroll"]["contradicts"] and by["scroll"]["found"] is None


def test_what_the_user_states_is_held_against_the_data_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**ROW, "traj": [{"value": {"code": f"pyautogui.click(x=0.{n}3, y=0.{n}71)"}}]} for n in range(1, 9)]
    path = agentnet(tmp_path / "a.jsonl", *rows)
    assert run(["import", "auto", str(path), "--explain"]) == 0
    assert "!" not in capsys.readouterr().out
    assert run(["import", "auto", str(path), "--explain", "--set", "import.space=permille"]) == 0
    assert "fractions of the picture, though the source declares thousandths" in capsys.readouterr().out


def test_of_many_inputs_one_thing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(30):
        agentnet(tmp_path / "d" / f"{number}.jsonl", {**ROW, "task_id": f"t{number}"})
    assert run(["import", "auto", str(tmp_path / "d"), "--explain", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["inputs"]
    assert one["inputs"] == one["read"] == 30


def test_records_without_their_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pictures of a public set are a hundred times its rows, and often not there: an import says how many, a run trains
    on no step whose picture is missing, unless that is what is wanted."""
    step = {"image": "gone.png", "value": {"code": "pyautogui.press('enter')"}}
    path = agentnet(tmp_path / "a.jsonl", {**ROW, "traj": [step]})
    out = tmp_path / "ds"
    assert run(["import", "auto", str(path), "--out", str(out), "--set", "import.pictures=required"]) == 3
    assert "read.media_missing" in capsys.readouterr().err and not (out / "dataset.json").exists()
    assert run(["import", "auto", str(path), "--out", str(out), "--json"]) == 0
    said = capsys.readouterr()
    (one,) = json.loads(said.out)["sources"]
    assert (one["steps"], one["pictures"], one["missing"], one["without"]) == (1, 0, 1, 0)
    assert "1 pictures that the records name are not there" in said.err
    (record,) = read_records(out)
    assert record.steps[0].image is None and record.steps[0].flags == ["picture_missing", "words_generated"]
    for option, examples in (("drop_target", 0), ("keep", 1)):
        folder = tmp_path / option
        curated = ["run", str(out), "--recipe", "web", "--out", str(folder), "--set", f"images.missing={option}"]
        assert run([*curated, "--set", "validate.min_steps=1"]) == 0
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        assert sum(report["examples"].values()) == examples


def test_what_explain_could_not_read_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = {**ROW, "traj": [{"value": {"code": "os.system('x')"}}]}
    path = agentnet(tmp_path / "a.jsonl", ROW, bad, bad)
    assert run(["import", "auto", str(path), "--explain"]) == 0
    assert "Not read, the first: a.jsonl, line 2: read.code" in capsys.readouterr().out
