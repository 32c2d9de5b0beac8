"""`curate check`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli._app import run
from curate.engine.schemas import all_schemas
from curate.model.schemas import explain
from tests.engine.check.made_data import sound

TASK = {"id": "t1", "instruction": "Peel seven oranges beside the lake"}


def test_findings_are_told_worst_first_and_end_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = sound(tmp_path / "data")
    del data.files["images/2_3.png"]
    data.train[1].source.license = None
    assert run(["check", str(data.write())]) == 0
    captured = capsys.readouterr()
    told = [line.split()[0] for line in captured.out.splitlines() if line.startswith(("error", "warning", "notes"))]
    assert told == ["error", "warning", "notes"]
    assert "1 of 56 steps" in captured.out and captured.out.splitlines()[-1].endswith("1 error, 1 warning.")
    assert "--out" in captured.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_strict_leaves_with_4_only_for_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = sound(tmp_path / "data")
    assert run(["check", str(data.write()), "--strict"]) == 0
    data.train[1].source.license = None
    assert run(["check", str(data.write()), "--strict"]) == 0
    (data.root / "images/2_3.png").unlink()
    assert run(["check", str(data.root), "--strict"]) == 4
    assert "pictures.missing" in capsys.readouterr().err


def test_the_folder_and_the_json_hold_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = sound(tmp_path / "data")
    for at in range(25):
        data.step(at % 6, at // 6).image = f"images/gone_{at}.png"
    out = tmp_path / "out"
    tests = tmp_path / "pack.jsonl"
    tests.write_text(json.dumps(TASK) + "\n", encoding="utf-8")
    assert run(["check", str(data.write()), "--json", "--out", str(out), "--tests", str(tests)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == json.loads((out / "check.json").read_text(encoding="utf-8"))
    assert explain(said, all_schemas()["check.v1"]) is None
    missing = next(one for one in said["findings"] if one["kind"] == "pictures.missing")
    rows = [json.loads(line) for line in (out / missing["rows_file"]).read_text(encoding="utf-8").splitlines()]
    assert missing["count"] == len(rows) == 25 and len(missing["rows"]) <= 20
    assert missing["rows"][0] == rows[0] and said["tests"] == ["pack"]
    assert (out / "check.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_is_not_there_or_nobodys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "nowhere")]) == 3
    data = sound(tmp_path / "data")
    odd = tmp_path / "odd.json"
    odd.write_text('{"nothing": 1}', encoding="utf-8")
    assert run(["check", str(odd)]) == 3
    capsys.readouterr()
    assert run(["check", str(data.write()), str(odd)]) == 0
    assert "source.unknown" in capsys.readouterr().out
    assert run(["check", str(data.root), "--tests", "no-such-pack"]) == 2
    assert run(["check", str(data.root), "--source", "nobody"]) == 2


def test_a_list_of_tasks_is_told_whose_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tasks.txt").write_text("Peel an orange\nFind the lake\n", encoding="utf-8")
    assert run(["check", str(tmp_path)]) == 3
    assert "`curate tests add`" in capsys.readouterr().err


def test_what_holds_no_run_is_not_called_free_of_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you."}]}]
    (tmp_path / "chats.json").write_text(json.dumps(rows), encoding="utf-8")
    assert run(["check", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "0 records of 0 steps read, 1 refused: there is no run in it that could be looked at." in said
    assert "was believed" not in said and "no record could be read" in said


def test_nothing_is_said_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = sound(tmp_path / "data")
    assert run(["check", str(data.write()), "-v"]) == 0
    for line in capsys.readouterr().out.splitlines():
        kind, _, rest = line.partition("[")
        part, _, sentence = rest.partition("]: ")
        assert not part.endswith((".space", ".order")) or part.rsplit(".", 1)[0] not in sentence, line
        assert "clusters of runs" not in kind.lower()


def test_where_nothing_can_be_written_is_told_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    data = sound(tmp_path / "data").write()
    for out in ("file", "file/below"):
        assert run(["check", str(data), "--out", str(tmp_path / out)]) == 2
        said = capsys.readouterr()
        assert "is a file" in said.err and "looked at" not in said.err and said.out == ""


def test_an_empty_folder_is_called_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path)]) == 3
    assert capsys.readouterr().err.strip().endswith(f"No file lies in {tmp_path}.")
