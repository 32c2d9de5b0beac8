"""Long lists of a report are cut, and say so: how many there are, and where all of them stand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from curate.store.run_folder import RunFolder
from curate.view.report import write_report
from tests.factories import make_trajectory, write_records
from tests.runs import run_here

STEPS = ["File", "Export", "Name", "Close", "Quit", "Help", "Search", "Open"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that are done again 1, 2, 3 and 4 times, and 5 that give test tasks away."""
    root = tmp_path_factory.mktemp("lists")
    records = []
    for group in range(4):
        does = [f"click {name} {group}" for name in STEPS]
        records += [
            make_trajectory(f"made:{group}-{copy}", does, instruction=f"Save it as {group}")
            for copy in range(group + 2)
        ]
    for number in range(5):
        does = [f"click {name} of {number}" for name in STEPS]
        records.append(make_trajectory(f"leak:{number}", does, instruction=f"Book flight {number}"))
    tests = root / "tests.jsonl"
    tests.write_text("".join(json.dumps({"id": f"t{n}", "instruction": f"Book flight {n}"}) + "\n" for n in range(5)))
    run_here([write_records(root / "r.jsonl", records)], root / "run", ["split.test=0", f"leaks.tests={tests}"])
    return root / "run"


def _cut(folder: Path, monkeypatch: pytest.MonkeyPatch, groups: int, copies: int) -> dict:
    """report.json as it would be with other bounds."""
    monkeypatch.setattr("curate.engine.report.decisions.REPORT_LIST", groups)
    monkeypatch.setattr("curate.engine.report.decisions.REPORT_GROUP", copies)
    from curate.engine.report.numbers import report_numbers

    run = RunFolder(folder)
    told = run.read_report()
    numbers = report_numbers(folder, {"examples": told["examples"]})
    (folder / "report.json").write_text(json.dumps({**told, **numbers}))
    return numbers


def _said(folder: Path) -> str:
    page = write_report(folder).read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))


def test_whole_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = _cut(folder, monkeypatch, 1000, 20)
    sizes = [(group["witness"], group["count"], len(group["copies"])) for group in numbers["near_copies"]]
    assert sizes == [(f"made:{group}-0", group + 1, group + 1) for group in (3, 2, 1, 0)]
    files = numbers["near_copies_listing"].pop("files")
    assert numbers["near_copies_listing"] == {"listed": 10, "total": 10, "groups": 4}
    assert all((folder / file).is_file() for file in (*files, *numbers["leaks_listing"]["files"]))
    assert (numbers["leaks_listing"]["listed"], numbers["leaks_listing"]["total"]) == (5, 5)
    assert "list the first" not in _said(folder)


def test_cut_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = _cut(folder, monkeypatch, 2, 3)
    assert [(group["witness"], group["count"]) for group in numbers["near_copies"]] == [
        ("made:3-0", 4),
        ("made:2-0", 3),
    ]
    assert [[copy["id"] for copy in group["copies"]] for group in numbers["near_copies"]] == [
        ["made:3-1", "made:3-2", "made:3-3"], ["made:2-1", "made:2-2", "made:2-3"],
    ]  # fmt: skip
    assert len(numbers["leaks"]) == 2
    listing, leaks = numbers["near_copies_listing"], numbers["leaks_listing"]
    assert (listing["listed"], listing["total"], listing["groups"]) == (6, 10, 4)
    assert (leaks["listed"], leaks["total"]) == (2, 5)
    said = _said(folder)
    assert "10 runs are near-copies of 4 others" in said
    assert f"all 10 are in {listing['files'][0]}" in said
    assert f"the first 2 of 5, those that were left out first; all of them are in {leaks['files'][0]}" in said
