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
    assert "9 runs read" in err and "Next: curate show" in err


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
