"""The run where a stage, a worker or a recipe is at fault, and what a plan says before anything is done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.engine.fingerprint import hash_files
from curate.engine.plan import MaxErrors, make_plan, parse_max_errors
from curate.engine.progress import Lines
from curate.engine.recipe import load_recipe
from curate.engine.workers import Workers, WorkersError
from curate.formats.base import format_named
from curate.model.errors import InputError, UsageError
from curate.stages import registry
from curate.store.dataset import is_dataset, read_manifest, read_records, verify
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import contents, curate, examples, rows, run_here


def test_a_stage_that_fails_on_one_record_puts_that_one_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = registry.stage("weights")
    measure = type(stage).measure

    def failing(self: Any, trajectories: Any, options: Any, context: Any) -> Any:
        if "made:2" in trajectories["id"].to_pylist():
            raise ZeroDivisionError("no weight")
        return measure(self, trajectories, options, context)

    monkeypatch.setattr(type(stage), "measure", failing)
    records = [make_trajectory(f"made:{k}", instruction=f"Do the thing number {k}") for k in range(4)]
    summary = run_here([write_records(tmp_path / "a.jsonl", records)], tmp_path / "run")
    (row,) = rows(RunFolder(tmp_path / "run").rejected)
    assert (row["id"], row["stage"], row["reason"], row["line"]) == ("made:2", "validate", "validate.stage_failed", 3)
    assert row["detail"] == "weights: ZeroDivisionError: no weight"
    assert summary.report["stages"][0]["quarantined"] == {"validate.stage_failed": 1}
    assert summary.report["trajectories"] == 3 and len(list(read_records(tmp_path / "run"))) == 4


def test_a_number_beyond_64_bits_puts_its_record_aside(tmp_path: Path) -> None:
    records = [make_trajectory("made:0"), make_trajectory("made:1", steps=[make_step(0, events=[2**70])])]
    run_here([write_records(tmp_path / "a.jsonl", records)], tmp_path / "run")
    (row,) = rows(RunFolder(tmp_path / "run").rejected)
    assert (row["id"], row["reason"]) == ("made:1", "validate.schema")


def test_a_run_that_the_format_cannot_write_has_its_reason_and_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = type(format_named("lesson"))
    write = form.bodies

    def some(self: Any, trajectory: Any, picked: Any, options: Any) -> Any:
        return iter(()) if trajectory.id == "made:1" else write(self, trajectory, picked, options)

    monkeypatch.setattr(form, "bodies", some)
    records = [make_trajectory(f"made:{k}", instruction=f"Do the thing number {k}") for k in range(3)]
    path = write_records(tmp_path / "a.jsonl", records)
    summary = run_here([path], tmp_path / "run", ["unroll.format=lesson"])
    (row,) = rows(RunFolder(tmp_path / "run").rejected)
    assert (row["id"], row["stage"], row["reason"]) == ("made:1", "unroll", "unroll.no_example")
    assert summary.report["stages"][-1]["dropped"] == {"unroll.no_example": 1} and summary.report["trajectories"] == 2
    before = contents(tmp_path / "run")
    again = run_here([path], tmp_path / "run", ["unroll.format=lesson"])
    assert again.done.decisions == [] and again.done.examples == 0 and contents(tmp_path / "run") == before


def test_the_run_is_a_dataset_and_can_be_run_over_again(tmp_path: Path) -> None:
    records = [make_trajectory(f"made:{k}", instruction=f"Do the thing number {k}") for k in range(3)]
    run_here([write_records(tmp_path / "a.jsonl", records)], tmp_path / "run")
    assert is_dataset(tmp_path / "run") and read_manifest(tmp_path / "run").trajectories == 3
    verify(tmp_path / "run")
    again = run_here([tmp_path / "run"], tmp_path / "again")
    assert again.report["trajectories"] == 3
    assert [r.id for r in read_records(tmp_path / "again")] == [r.id for r in read_records(tmp_path / "run")]


def test_a_dry_run_tells_the_plan_and_touches_nothing(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [make_trajectory()])
    done = curate("run", path, "-r", "web", "-o", tmp_path / "run", "--dry-run", "--json", "--set", "seed=3")
    plan = msgspec.json.decode(done.stdout)
    assert done.returncode == 0 and not (tmp_path / "run").exists()
    assert plan["recipe"]["seed"] == 3 and plan["places"][-1] == "unroll" and "leaks_2" in plan["places"]
    assert plan["inputs"] == [{"path": "a.jsonl", "bytes": path.stat().st_size, "sha256": hash_files(path)[0].sha256}]
    assert [shard["source"] for shard in plan["shards"]] == ["records"]


def test_a_large_file_is_read_in_parts_with_its_own_line_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curate.engine.plan.SHARD_BYTES", 20_000)
    monkeypatch.setattr("curate.engine.reading.BATCH_BYTES", 9_000)
    monkeypatch.setattr("curate.engine.assembling.BATCH_BYTES", 9_000)
    monkeypatch.setattr("curate.engine.unrolling.EXAMPLE_BYTES", 30_000)
    lines = [make_trajectory(f"made:{k}", instruction=f"Do the thing number {k}") for k in range(60)]
    path = write_records(tmp_path / "a.jsonl", [*lines[:30], b"{", *lines[30:]])
    plan = make_plan([path], load_recipe("web"), tmp_path / "run")
    assert len(plan.shards) > 5
    run_here([path], tmp_path / "run")
    found = list(read_records(tmp_path / "run"))
    assert [r.id for r in found] == [r.id for r in lines]
    assert [r.source.line for r in found] == [k + 1 + (k >= 30) for k in range(60)]
    assert rows(RunFolder(tmp_path / "run").rejected)[0]["line"] == 31
    files = RunFolder(tmp_path / "run").example_paths("train")
    assert len(files) > 1 and [path.name for path in files] == [f"train-{k:05d}.jsonl" for k in range(len(files))]
    assert [row["trajectory"] for path in files for row in rows(path)] == [
        row["trajectory"] for row in examples(tmp_path / "run") if row["split"] == "train"
    ]


def test_what_was_written_into_the_input_by_the_run_is_no_input(tmp_path: Path) -> None:
    write_records(tmp_path / "a.jsonl", [make_trajectory()])
    run_here([tmp_path], tmp_path / "run")
    before = contents(tmp_path / "run")
    again = run_here([tmp_path], tmp_path / "run")
    assert again.done.shards == 0 and contents(tmp_path / "run") == before


def test_files_no_source_knows_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_records(folder / "a.jsonl", [make_trajectory()])
    (folder / "settings.json").write_text('{"colour": "blue"}')
    summary = run_here([folder], tmp_path / "run")
    assert summary.not_recognised == ["settings.json"]
    assert RunFolder(tmp_path / "run").read_run()["not_recognised"] == ["settings.json"]


def test_a_missing_file_of_test_tasks_is_told_before_anything_is_written(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [make_trajectory()])
    with pytest.raises(UsageError, match=r"leaks names the file .*nowhere\.jsonl, which is not there"):
        run_here([path], tmp_path / "run", [f"leaks.tests={tmp_path / 'nowhere.jsonl'}"])
    assert not (tmp_path / "run").exists()


def test_what_the_last_stages_need_is_looked_at_before_anything_is_read(tmp_path: Path) -> None:
    path = write_records(tmp_path / "r.jsonl", [make_trajectory("a", does=["click A"])])
    empty = tmp_path / "tasks.jsonl"
    empty.write_text("")
    for setting in ("unroll.format=openca", f"leaks.tests={empty}"):
        with pytest.raises((UsageError, InputError)):
            run_here([path], tmp_path / "run", [setting])
        assert not (tmp_path / "run").exists()


def test_other_test_tasks_are_another_run(tmp_path: Path) -> None:
    path = write_records(tmp_path / "in" / "a.jsonl", [make_trajectory()])
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"id": "1", "instruction": "Sort the photos by size"}\n')
    run_here([path], tmp_path / "run", [f"leaks.tests={tasks}"])
    tasks.write_text('{"id": "1", "instruction": "Export the quarterly budget as a report"}\n')
    done = curate("run", path, "-r", "web", "-o", tmp_path / "run", "--set", f"leaks.tests={tasks}")
    assert done.returncode == 4 and "leaks: tasks.jsonl" in done.stderr
    again = run_here([path], tmp_path / "run", [f"leaks.tests={tasks}"], resume_anyway=True)
    assert again.report["trajectories"] == 0 and again.done.shards == 0


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [make_trajectory()])
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    for more in ([], ["--resume-anyway"]):
        done = curate("run", path, "-r", "web", "-o", tmp_path / "home", *more)
        assert done.returncode == 4 and "holds no run" in done.stderr
    assert [p.name for p in (tmp_path / "home").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("text", ["", "x", "-1", "101%", "1.5", "-3%"])
def test_max_errors_is_a_count_or_a_share(text: str) -> None:
    with pytest.raises(UsageError, match="--max-errors"):
        parse_max_errors(text)
    assert parse_max_errors("20") == MaxErrors(count=20) and parse_max_errors("5 %") == MaxErrors(share=0.05)


def test_inputs_without_anything_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        make_plan([tmp_path], load_recipe("web"), tmp_path / "run")


def _sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_a_dead_worker_is_a_sentence() -> None:
    def kill_one() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            children = multiprocessing.active_children()
            if children:
                time.sleep(1)
                os.kill(children[0].pid or 0, signal.SIGKILL)
                return
            time.sleep(0.05)

    thread = threading.Thread(target=kill_one)
    thread.start()
    with pytest.raises(WorkersError, match="goes on where it stopped"), Workers(2) as workers:
        list(workers.run(_sleep, [20.0] * 4))
    thread.join()


def test_plain_lines_say_the_phase(capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    told = Lines(sys.stderr)
    told.phase("read", 1200)
    told.advance()
    assert capsys.readouterr().err == "read: 1,200 to do\n"
