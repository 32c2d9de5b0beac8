"""What is drawn from, and what the machine's answer of each thing is: against the records and a second decision."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from curate.engine.auditing.populations import keyframes, verdicts
from curate.engine.auditing.sampling import draw_sample, read_sample, run_key, write_sample
from curate.model.audit_label import AuditItem
from curate.model.errors import InputError, UsageError
from curate.model.trajectory import Trajectory
from curate.store.dataset import read_records
from tests.engine.auditing.made import made_records, make_audited_run
from tests.runs import rows


def test_verdicts_are_the_outcomes_that_the_run_used(audited_run: Path) -> None:
    found = {one.id: one for one in verdicts(audited_run)}
    records = made_records()
    assert len(found) == len(records)
    for record in records:
        assert found[record.id].said == {True: "success", False: "failure", None: None}[record.outcome.completed]
    trained = {row["id"].split("/")[0] for path in (audited_run / "examples").glob("*.jsonl") for row in rows(path)}
    rejected = {row["id"] for row in rows(audited_run / "rejected.jsonl")}
    assert {one.id for one in found.values() if not one.kept} == rejected & found.keys()
    assert trained, "the run gave examples"


def test_pictures_are_doubted_by_flag_and_keyframe(audited_run: Path) -> None:
    found = {(one.id, one.step): one.said for one in keyframes(audited_run)}
    assert len(found) == 2 * len(made_records()), "steps with a picture, and no others"
    for k, record in enumerate(made_records()):
        first = "wrong" if k % 10 == 3 or (k % 9 == 0 and k % 10 != 4) else None if k % 10 == 4 else "right"
        assert found[record.id, 0] == first, record.id
        assert found[record.id, 1] == "right"


def shingles(record: Trajectory) -> set[tuple[str, ...]]:
    """By the definition in docs/nearcopies.md, for steps that each click something by name or press a key."""
    words = [
        step.element.name if step.element and step.element.name else str(msgspec.to_builtins(step.actions))
        for step in record.steps
    ]
    return {tuple(words[k : k + 3]) for k in range(len(words) - 2)}


def test_pairs_are_copies_where_the_recipe_finds_them_similar(audited_run: Path) -> None:
    """Each of the six copies differs in one of six steps: of the windows over steps one in a few is shared, which is
    more than the floor of what is asked about; whether it is a copy is what a run with that threshold drops."""
    sample = draw_sample(audited_run, "pairs", 100, 0)
    said = {frozenset((item.id, item.other)): one.candidate.said
            for item, one in zip(sample.items, sample.drawn, strict=True)}  # fmt: skip
    assert all(one.stands_for >= 1 for one in sample.drawn)
    assert sum(one.stands_for for one in sample.drawn) == pytest.approx(sum(sample.population.values()))
    dropped = {row["id"]: row for row in rows(audited_run / "rejected.jsonl") if row["stage"] == "nearcopies"}
    for pair, answer in said.items():
        if pair & dropped.keys():
            assert answer == "copy", pair
    by_answer = Counter(said.values())
    assert by_answer["copy"] == len(dropped)
    record = {one.id: one for one in read_records(audited_run)}
    for pair, answer in said.items():
        a, b = (shingles(record[name]) for name in pair)
        assert (Fraction(len(a & b), len(a | b)) >= Fraction(1, 2)) == (answer == "copy"), pair


@pytest.mark.parametrize("about", ["verdicts", "pairs", "keyframes"])
def test_a_sample_is_the_same_again_and_its_file_tells_no_answer(about: str, audited_run: Path, tmp_path: Path) -> None:
    sample = draw_sample(audited_run, about, 20, 4)  # type: ignore[arg-type]
    assert draw_sample(audited_run, about, 20, 4) == sample  # type: ignore[arg-type]
    write_sample(tmp_path / "sample.jsonl", sample)
    assert read_sample(tmp_path / "sample.jsonl") == sample.items
    fields = {"schema", "about", "run", "size", "seed", "item", "id", "step", "other"}
    for line in (tmp_path / "sample.jsonl").read_bytes().splitlines():
        plain = msgspec.json.decode(line)
        assert plain.keys() == fields
        assert not {"success", "failure", "copy", "different", "right", "wrong"} & set(map(str, plain.values()))
    with pytest.raises(UsageError, match="already"):
        write_sample(tmp_path / "sample.jsonl", sample)


def test_equal_runs_are_one_run_and_others_are_not(audited_run: Path, tmp_path: Path) -> None:
    assert run_key(make_audited_run(tmp_path / "again")) == run_key(audited_run)
    assert run_key(make_audited_run(tmp_path / "other", ["nearcopies.threshold=0.9"])) != run_key(audited_run)


def test_what_is_no_sample_is_said(audited_run: Path, tmp_path: Path) -> None:
    items = draw_sample(audited_run, "verdicts", 2, 0).items
    bad = tmp_path / "bad.jsonl"
    for text, told in (
        (b"{}\n", "line 1"),
        (b"\xff\xfe\n", "line 1"),
        (msgspec.json.encode(items[0]) * 1 + b"\n" + msgspec.json.encode(items[0]) + b"\n", "twice"),
        (b"".join(msgspec.json.encode(msgspec.structs.replace(items[0], seed=n, item=f"i{n}")) + b"\n" for n in (0, 1)),
         "several samples"),
    ):  # fmt: skip
        bad.write_bytes(text)
        with pytest.raises(InputError, match=told):
            read_sample(bad)
    with pytest.raises(msgspec.ValidationError, match="`step`"):
        msgspec.convert({**msgspec.to_builtins(items[0]), "step": 1}, AuditItem)
    with pytest.raises(InputError, match="no run folder"):
        run_key(tmp_path)
