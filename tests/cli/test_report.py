"""`curate report` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli._app import run
from tests.view.make_run import make_run


def test_it_names_the_page_on_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", "calm")
    assert run(["report", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert Path(out.strip()) == folder / "report.html" and Path(out.strip()).is_file()
    assert "9 runs read" in err and "Next: curate view" in err


def test_json_is_the_reports_own_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", "calm")
    assert run(["report", "--json", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((folder / "report.json").read_bytes())


def test_two_runs_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = make_run(tmp_path / "one", "calm"), make_run(tmp_path / "other", "calm")
    report = json.loads((other / "report.json").read_bytes())
    report["read"] = 12
    (other / "report.json").write_text(json.dumps(report))
    assert run(["report", str(one), str(other)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["runs", "read", "9", "12", "+3"]
    assert (one / "report.html").is_file() and (other / "report.html").is_file()


def test_a_folder_that_is_no_run_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(tmp_path)]) == 3
    assert "no report.json" in capsys.readouterr().err


def test_two_runs_differ_in_the_options_that_made_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = make_run(tmp_path / "one", "calm"), make_run(tmp_path / "other", "calm")
    made = json.loads((other / "run.json").read_bytes())
    made["recipe"]["split"]["by"] = "task"
    made["recipe"]["leaks"] = json.loads((one / "run.json").read_bytes())["recipe"]["leaks"]
    (other / "run.json").write_text(json.dumps(made))
    assert run(["report", str(one), str(other)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["split.by", '"app_or_site"', '"task"']
    assert run(["report", str(one), str(other), "--json"]) == 0
    last = json.loads(capsys.readouterr().out)[-1]
    assert last == {"name": "split.by", "first": '"app_or_site"', "second": '"task"', "kind": "option"}


def test_prices_and_scores_go_on_the_page_and_stay_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", "calm")
    (tmp_path / "prices.yaml").write_text("prices: [{what: <b>judge, price: 0.5, per: run}]")
    (tmp_path / "scores.csv").write_text("experiment,runs,score\n<i>e,1000,10\n<i>e,2000,11\n")
    before = (folder / "report.json").read_bytes()
    given = ["--prices", str(tmp_path / "prices.yaml"), "--scores", str(tmp_path / "scores.csv")]
    assert run(["report", str(folder), *given]) == 0
    page = (folder / "report.html").read_text("utf-8")
    assert "What a kept run costs" in page and "What more data brings" in page
    assert "<b>judge" not in page and "<i>e" not in page
    assert (folder / "report.json").read_bytes() == before
    figures = json.loads((folder / "planning.json").read_bytes())
    assert figures["scaling"][0]["per_thousand"] == [1.0] and str(tmp_path) not in json.dumps(figures)
    assert run(["report", str(folder)]) == 0
    assert (folder / "report.html").read_text("utf-8") == page
    capsys.readouterr()
    assert run(["report", str(folder), str(folder), *given]) == 2
    assert "belong to one run" in capsys.readouterr().err


def test_what_a_kept_run_costs_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", "calm")
    (tmp_path / "prices.yaml").write_text("prices: [{what: judge, price: 0.5, per: run}]")
    assert run(["cost", str(folder), "--prices", str(tmp_path / "prices.yaml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][-1]["spent"] == 0.5 * sum(row["attempts"] for row in found["rows"][:-1])
    assert run(["cost", str(folder), "--prices", str(tmp_path / "prices.yaml")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["source", "attempts", "kept"] and lines[-1].startswith("all together")
