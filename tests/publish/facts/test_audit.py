"""Labels of an audit stand in the manifest, the card and the Croissant file: other labels, another card."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from curate.engine.auditing.sampling import Sample, draw_sample
from curate.model.audit_label import AuditLabel
from curate.model.errors import InputError
from curate.publish.staged import Staged
from curate.store.edits import labels_file
from tests.publish.made import make_run, staged


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("audited"))


def answer(sample: Sample, folder: Path, by: str, wrong: tuple[str, ...] = ()) -> Path:
    """Somebody's labels: what the machine said, but for these runs the contrary; unknown outcomes are successes."""
    file = labels_file(folder, sample.about, by)
    for item, one in zip(sample.items, sample.drawn, strict=True):
        said = one.candidate.said or "success"
        told = ({"success": "failure", "failure": "success"}[said]) if item.id in wrong else said
        file.append(AuditLabel(about=sample.about, run=sample.run, size=sample.size, seed=sample.seed, item=item.item,
                               answer=told, by=by, at="2026-11-30T10:00:00Z"))  # fmt: skip
    return file.path


def card(published: Staged) -> str:
    return (
        (published.folder / "README.md")
        .read_text("utf-8")
        .split("## How far verdicts can be trusted")[1]
        .split("\n## ")[0]
    )


def test_other_labels_are_another_card(run: Path, tmp_path: Path) -> None:
    """The corpus: nine runs, of which `unknown` says nothing of one outcome and one failed; seven said to be completed.
    Counted by hand: anna finds one of them not completed."""
    sample = draw_sample(run, "verdicts", 100, 3)
    right, one_wrong = answer(sample, tmp_path / "a", "anna"), answer(sample, tmp_path / "b", "anna", ("made:mail",))
    first, second = staged(run, tmp_path / "one", audit=(right,)), staged(run, tmp_path / "two", audit=(one_wrong,))
    said = [one.candidate.said for one in sample.drawn]
    assert (said.count("success"), said.count("failure"), said.count(None)) == (7, 1, 1)
    assert "| 9 of 9 | 100.0 % (" in card(first) and "Right passes 7, wrong passes 0" in card(first)
    assert "Right passes 6, wrong passes 1, right failures 1, wrong failures 0" in card(second)
    assert f"| {100 * 7 / 8:.1f} % (" in card(second) and f"| {100 * 6 / 7:.1f} % (" in card(second)
    assert "Of 1 items the run says nothing; positive: 100.0 %" in card(second)
    assert "3 of the 9 items answered are of runs that are not published" in card(second)
    croissant = msgspec.json.decode((second.folder / "croissant.json").read_bytes())
    (line,) = croissant["rai:dataAnnotationAnalysis"]
    assert "precision 85.7 % (" in line and "Right passes 6, wrong passes 1" in line
    number = second.manifest.numbers["audit"]
    assert number.value[0]["figures"]["precision"]["share"] == 0.8571 and sample.run[:16] in number.of
    for text in (card(second), line, number.of, msgspec.json.encode(second.manifest).decode()):
        assert "anna" not in text.replace("anna/office-runs", ""), "who answered is nobody's business"


def test_two_people_and_their_agreement_are_told(run: Path, tmp_path: Path) -> None:
    sample = draw_sample(run, "verdicts", 100, 3)
    files = (answer(sample, tmp_path, "anna"), answer(sample, tmp_path, "ben", ("made:mail", "made:failed")))
    text = card(staged(run, tmp_path / "out", audit=files))
    assert "2 people; 9 items drawn of 9" in text and "2 disputed" in text
    assert "Two people: 7 of 9 answers alike, kappa " in text


def test_labels_of_another_run_are_refused_before_anything_is_written(run: Path, tmp_path: Path) -> None:
    other = make_run(tmp_path / "other", sets=["outcome.keep=all"])
    labels = answer(draw_sample(other, "verdicts", 5, 0), tmp_path, "anna")
    with pytest.raises(InputError, match=r"5 of 5 labels \(anna\) are of another run"):
        staged(run, tmp_path / "out", audit=(labels,))
    assert not (tmp_path / "out").exists()
    answer(draw_sample(run, "verdicts", 5, 0), tmp_path, "anna")  # the same file goes on
    assert "5 labels in the same files are of other runs" in card(staged(run, tmp_path / "out", audit=(labels,)))


def test_without_labels_it_is_not_known(run: Path, tmp_path: Path) -> None:
    text = card(staged(run, tmp_path / "out"))
    assert "Not known" in text
    shutil.rmtree(tmp_path / "out")
