"""`curate audit`: a sample into a file, and what labels mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from curate.cli._app import app, run
from curate.engine.auditing.sampling import draw_sample, read_sample
from tests.engine.auditing.made import answered, label, make_audited_run, store


@pytest.fixture(scope="module")
def audited_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_audited_run(tmp_path_factory.mktemp("audited"))


def audit(*arguments: str | Path) -> Result:
    found = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found


def test_a_sample_is_drawn_and_the_next_command_told(audited_run: Path, tmp_path: Path) -> None:
    out = tmp_path / "my sample.jsonl"
    found = audit(audited_run, "--about", "verdicts", "--size", "12", "--seed", "3", "--out", out)
    assert found.stdout == f"{out}\n"
    assert read_sample(out) == draw_sample(audited_run, "verdicts", 12, 3).items
    assert "12 items about verdicts of 40" in found.stderr
    assert f"--audit '{out}' --by NAME" in found.stderr
    for answer in ("success,", "kept", "out"):
        assert f" {answer} (" not in found.stderr, "how many of which answer there are is not told"


def test_what_labels_mean_is_printed(audited_run: Path, tmp_path: Path) -> None:
    """Every item is answered, so that the shares are those of the run itself; by hand: of 28 that completed three are
    called failures."""
    sample = draw_sample(audited_run, "verdicts", 40, 0)
    passed = [item.id for item, one in zip(sample.items, sample.drawn, strict=True) if one.candidate.said == "success"]
    wrong = sorted(passed)[:3]

    def anna(_: int, item: object, one: object) -> str:
        said = one.candidate.said  # type: ignore[attr-defined]
        return "unsure" if said is None else "failure" if item.id in wrong else said  # type: ignore[attr-defined]

    folder = store(tmp_path / "run.edits", [*answered(sample, anna), label(sample.items[0], "unsure", "ben")])
    found = audit(audited_run, "--labels", folder, "--show", "2")
    text = found.stdout
    assert f"precision  {(len(passed) - 3) / len(passed):.3f} (" in text and "recall     1.000 (" in text
    assert f"{len(passed) - 3} ({len(passed) - 3:.1f})" in text and "3 (3.0)" in text
    assert "People and machine differ on 3:" in text and "and 1 more (--json has all)" in text
    assert f"ben: 1 answers, 1 of them unsure, {len(sample.items) - 1} missing" in text
    plain = json.loads(audit(audited_run, "--labels", folder, "--json").stdout)
    assert plain["schema"] == "audit.v1" and plain["counts"]["fp"] == 3
    assert sorted(one["id"] for one in plain["differ"]) == wrong


@pytest.mark.parametrize(
    ("options", "told"),
    [([], "--about"), (["--about", "verdicts"], "--out"), (["--about", "verdicts", "--labels", "x"], "one of the two"),
     (["--labels", "x", "--out", "y"], "--out goes with --about")],
)  # fmt: skip
def test_half_a_command_is_told(
    options: list[str],
    told: str,
    audited_run: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(audited_run), *options]) == 2
    assert told in capsys.readouterr().err


def test_what_cannot_be_read_is_exit_code_3(
    audited_run: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(tmp_path), "--about", "pairs", "--out", str(tmp_path / "x")]) == 3
    assert run(["audit", str(audited_run), "--labels", str(tmp_path / "none")]) == 3
    told = capsys.readouterr().err
    assert "is no run folder" in told and "There is no" in told and "Traceback" not in told
