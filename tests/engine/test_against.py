"""Batch after batch: what was published before is not published again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.cli._app import run as command
from curate.engine.plan import make_plan
from curate.engine.recipe import load_recipe
from curate.model.errors import GateError, InputError, StoreError, UsageError
from curate.model.trajectory import Trajectory
from curate.stages.copies.index import read_about, read_published
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, write_records
from tests.runs import contents, run_here

SETS = ["nearcopies.order=input", "split.test=0", "validate.min_steps=1"]
HELP = ["click Help", "click Search", "write fonts", "press tab", "press enter", "click About"]
DOES = ["click File", "click Export", "write report.pdf", "press enter", "click Close", "click Quit"]


def made(id: str, does: list[str] | None = None, **fields) -> Trajectory:
    """A run at a time of its own."""
    record = make_trajectory(id, does or DOES, **fields)
    for step in record.steps:
        assert step.time is not None
        step.time.end += sum(map(ord, id)) / 1000
    return record


def trained(out: Path) -> set[str]:
    """Ids of the runs that gave examples."""
    run = RunFolder(out)
    gone = {row.id for row in run.read_rejected()}
    ids = {str(id) for part in run.root.glob("trajectories/*") for id in run.read_stage(part)["id"].to_pylist()}
    return ids - gone


def reasons(out: Path) -> dict[str | None, tuple[str, str | None]]:
    return {row.id: (row.reason, row.detail) for row in RunFolder(out).read_rejected()}


def test_a_batch_is_held_against_all_before_it(tmp_path: Path) -> None:
    first = write_records(tmp_path / "first.jsonl", [made("a:1"), made("a:2", DOES[::-1])])
    second = write_records(tmp_path / "second.jsonl", [made("b:1"), made("b:2", HELP)])
    third = write_records(tmp_path / "third.jsonl", [made("c:1", HELP), made("c:2", HELP[::-1])])
    index = tmp_path / "index"
    for number, path in enumerate((first, second, third)):
        summary = run_here([path], tmp_path / f"run{number}", SETS, against=index)
        assert f"added to {index}" in summary.said[0]
    assert trained(tmp_path / "run0") == {"a:1", "a:2"}
    assert reasons(tmp_path / "run1")["b:1"][0] == "nearcopies.copy_of_published"
    assert "a:1" in (reasons(tmp_path / "run1")["b:1"][1] or "")
    assert trained(tmp_path / "run1") == {"b:2"} and trained(tmp_path / "run2") == {"c:2"}
    published = read_published(sorted(index.iterdir()), 2)
    assert published is not None and sorted(published["id"].to_pylist()) == ["a:1", "a:2", "b:2", "c:2"]
    assert {read_about(path).key for path in index.iterdir()} == {path.stem for path in index.iterdir()}


def test_the_same_command_adds_its_batch_once_and_is_not_held_against_it(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [made("a:1"), made("a:2", DOES[::-1])])
    index = tmp_path / "index"
    run_here([path], tmp_path / "run", SETS, against=index)
    before = contents(tmp_path / "run"), contents(index)
    again = run_here([path], tmp_path / "run", SETS, against=index)
    assert again.done.decisions == [] and "nothing was added" in again.said[0]
    assert (contents(tmp_path / "run"), contents(index)) == before
    (tmp_path / "run" / ".work" / "closed.json").unlink()  # as if killed before the end, after its batch was added
    run_here([path], tmp_path / "run", SETS, against=index)
    elsewhere = run_here([path], tmp_path / "other", SETS, against=index)
    assert elsewhere.report["trajectories"] == 2
    assert (contents(tmp_path / "run"), contents(index)) == before == (contents(tmp_path / "other"), contents(index))


def test_killed_before_its_batch_was_added_the_run_adds_it(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [made("a:1")])
    index = tmp_path / "index"
    run_here([path], tmp_path / "run", SETS, against=index)
    (batch,) = index.iterdir()
    whole = batch.read_bytes()
    batch.unlink()
    run_here([path], tmp_path / "run", SETS, against=index)
    assert batch.read_bytes() == whole


def test_a_run_folder_that_becomes_another_run_replaces_the_batch_it_added(tmp_path: Path) -> None:
    a, b = (write_records(tmp_path / f"{id}.jsonl", [made(f"{id}:1", does)]) for id, does in (("a", DOES), ("b", HELP)))
    index = tmp_path / "index"
    run_here([b], tmp_path / "b", SETS, against=index)
    run_here([a], tmp_path / "a", SETS, against=index)
    kept = {path.name for path in (tmp_path / "b" / "index").iterdir()}
    for sets in ([*SETS, "nearcopies.threshold=0.6"], [*SETS, "nearcopies.order=best"]):
        summary = run_here([a], tmp_path / "a", sets, against=index, resume_anyway=True)
        assert trained(tmp_path / "a") == {"a:1"} and "took the place" in summary.said[0]
        kept_here = {path.name for path in (tmp_path / "a" / "index").iterdir()}
        assert len(kept_here) == 1 and {path.name for path in index.iterdir()} == kept | kept_here
    write_records(a, [made("a:1"), made("a:2", DOES[::-1])])  # the input has grown
    run_here([a], tmp_path / "a", SETS, against=index, resume_anyway=True)
    assert trained(tmp_path / "a") == {"a:1", "a:2"} and len(list(index.iterdir())) == 2
    run_here([a], tmp_path / "elsewhere", [*SETS, "nearcopies.threshold=0.6"], against=index)
    assert trained(tmp_path / "elsewhere") == set()  # of another folder: published is published


def test_a_folder_made_again_without_the_index_still_replaces_what_it_added(tmp_path: Path) -> None:
    a = write_records(tmp_path / "a.jsonl", [made("a:1")])
    index, other = tmp_path / "index", tmp_path / "other"
    loose = [*SETS, "nearcopies.threshold=0.6"]
    run_here([a], tmp_path / "a", SETS, against=index)
    for sets, against in ((loose, None), (SETS, other), (loose, other), (SETS, None)):
        run_here([a], tmp_path / "a", sets, against=against, resume_anyway=True)
        assert trained(tmp_path / "a") == {"a:1"}
    for sets in (loose, SETS):
        summary = run_here([a], tmp_path / "a", sets, against=index, resume_anyway=True)
        assert trained(tmp_path / "a") == {"a:1"}, "it is held against what it added itself"
        assert len(list(index.iterdir())) == 1
        assert "took the place" in summary.said[0]
    assert len(list(other.iterdir())) == 1  # what was added there counts there
    run_here([a], tmp_path / "elsewhere", SETS, against=other)
    assert trained(tmp_path / "elsewhere") == set()


def test_an_index_that_cannot_be_written_is_told_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_records(tmp_path / "a.jsonl", [made("a:1")])
    for more in ([], ["--dry-run"]):
        told = ["run", str(path), "--recipe", "web", "--out", str(tmp_path / "run"), *more]
        assert command([*told, "--against", str(path / "index")]) == 2
        assert "that is a file" in capsys.readouterr().err
        assert not (tmp_path / "run").exists()
    (tmp_path / "closed").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path / "closed")
    with pytest.raises(UsageError, match="may be written"):
        make_plan([path], load_recipe("web", []), tmp_path / "run", against=tmp_path / "closed" / "index")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder in which nobody may write, not even root")
def test_an_index_that_turns_out_closed_stops_the_run_before_it_reads(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [made("a:1")])
    with pytest.raises((StoreError, UsageError)):
        run_here([path], tmp_path / "run", SETS, against=Path("/proc/self/index"))
    assert not (tmp_path / "run" / "run.json").exists()


def test_killed_while_its_batch_is_replaced(tmp_path: Path) -> None:
    a = write_records(tmp_path / "a.jsonl", [made("a:1")])
    index, other = tmp_path / "index", [*SETS, "nearcopies.threshold=0.6"]
    run_here([a], tmp_path / "a", SETS, against=index)
    (earlier,) = index.iterdir()
    old = earlier.read_bytes()
    run_here([a], tmp_path / "a", other, against=index, resume_anyway=True)
    whole, (own,) = contents(index), (tmp_path / "a" / "index").iterdir()
    own.unlink()
    (own.parent / earlier.name).write_bytes(old)  # as if killed before the folder's own file changed,
    run_here([a], tmp_path / "a", other, against=index)
    assert contents(index) == whole
    (own.parent / own.name).unlink()
    (own.parent / earlier.name).write_bytes(old)
    earlier.write_bytes(old)  # and before that one went
    run_here([a], tmp_path / "a", other, against=index)
    assert contents(index) == whole and trained(tmp_path / "a") == {"a:1"}


def test_a_batch_held_against_others_later_replaces_what_its_folder_had_added(tmp_path: Path) -> None:
    a, b = (write_records(tmp_path / f"{id}.jsonl", [made(f"{id}:1")]) for id in "ab")
    index = tmp_path / "index"
    run_here([a], tmp_path / "a", SETS, against=index)
    run_here([b], tmp_path / "b", SETS, against=tmp_path / "other")
    (batch,) = (tmp_path / "other").iterdir()
    (index / batch.name).write_bytes(batch.read_bytes())
    elsewhere = run_here([a], tmp_path / "new", SETS, against=index)
    assert trained(tmp_path / "new") == set() and "counts as published" in elsewhere.said[0]
    run_here([a], tmp_path / "a", SETS, against=index, resume_anyway=True)
    assert trained(tmp_path / "a") == set()
    assert read_published(sorted(index.iterdir()), 2)["id"].to_pylist() == ["b:1"]


def test_another_batch_in_the_index_makes_another_run(tmp_path: Path) -> None:
    a, b = (write_records(tmp_path / f"{id}.jsonl", [made(f"{id}:1")]) for id in "ab")
    index = tmp_path / "index"
    run_here([a], tmp_path / "a", SETS, against=index)
    run_here([b], tmp_path / "b", [*SETS, "nearcopies.action=weight"], against=index)
    with pytest.raises(GateError, match="against"):
        run_here([a], tmp_path / "a", SETS, against=index)
    with pytest.raises(GateError, match="against"):
        run_here([a], tmp_path / "a", SETS)


def test_a_run_folder_is_an_index_that_never_changes(tmp_path: Path) -> None:
    a, b = (write_records(tmp_path / f"{id}.jsonl", [made(f"{id}:1")]) for id in "ab")
    run_here([a], tmp_path / "a", SETS)
    before = contents(tmp_path / "a")
    summary = run_here([b], tmp_path / "b", SETS, against=tmp_path / "a")
    assert summary.report["trajectories"] == 0 and "nothing was added" in summary.said[0]
    assert contents(tmp_path / "a") == before


def test_weights_count_what_was_published(tmp_path: Path) -> None:
    a = write_records(tmp_path / "a.jsonl", [made("a:1")])
    b = write_records(tmp_path / "b.jsonl", [made("b:1", actor="human"), made("b:2", actor="human")])
    run_here([a], tmp_path / "a", SETS)
    run_here([b], tmp_path / "b", SETS, against=tmp_path / "a")
    (table,) = (path for path in RunFolder(tmp_path / "b").stage_paths() if path.stem.endswith("nearcopies"))
    rows = {row["id"]: row for row in RunFolder(tmp_path / "b").read_stage(table).to_pylist()}
    assert {row["copies"] for row in rows.values()} == {3}
    assert {row["copy_weight"] for row in rows.values()} == {1 / 3}
    assert {row["witness"] for row in rows.values()} == {"a:1"}


def test_what_is_no_index(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [made("a:1")])

    def planned(index: Path, *sets: str, recipe: str = "web"):
        return make_plan([path], load_recipe(recipe, sets), tmp_path / "run", against=index)

    with pytest.raises(UsageError, match="is a file"):
        planned(path)
    run_here([path], tmp_path / "three", [*SETS, "nearcopies.n=3"])
    with pytest.raises(UsageError, match=r"nearcopies\.n=3"):
        planned(tmp_path / "three")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "x.parquet").write_bytes(b"PAR1 and nothing")
    with pytest.raises(InputError, match=r"x\.parquet is no batch"):
        planned(tmp_path / "index")
    (tmp_path / "none.yaml").write_text("order: [validate, unroll]\n")
    with pytest.raises(UsageError, match="nearcopies"):
        planned(tmp_path / "new", recipe=str(tmp_path / "none.yaml"))
    assert planned(tmp_path / "new").against is not None  # it is made at the end of the run


RUNS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(DOES), min_size=3, max_size=7), st.sampled_from(["Save it", "save it!", "Print"])
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS, RUNS, st.sampled_from(["actions", "actions+task"]), st.sampled_from(["drop", "cap:2"]))
def test_two_batches_keep_what_one_run_over_both_keeps(
    tmp_path_factory: pytest.TempPathFactory, one, other, evidence: str, action: str
) -> None:
    root = tmp_path_factory.mktemp("batches")
    files = [
        write_records(
            root / f"{name}.jsonl",
            [made(f"{name}:{k}", does, instruction=words) for k, (does, words) in enumerate(some)],
        )
        for name, some in (("a", one), ("b", other))
    ]
    sets = [*SETS, f"nearcopies.evidence={evidence}", f"nearcopies.action={action}", "leaks.spread=false"]
    run_here(files, root / "both", sets)
    for path in files:
        run_here([path], root / path.stem, sets, against=root / "index")
    assert trained(root / "a") | trained(root / "b") == trained(root / "both")
