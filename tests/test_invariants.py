"""The invariants of design part 4, as properties of whole runs over small corpora with broken lines in them."""

from __future__ import annotations

import itertools
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from curate.engine.plan import MaxErrors
from curate.model.errors import GateError
from curate.model.trajectory import decode
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, write_records
from tests.runs import command, contents, curate, examples, files, records, rows, run_here, write_files

# A run takes half a second, most of it fsync: few examples, and none spent on making a failure smaller.
slow = settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
LEAK = ["leaks.apps=[mail]", "split.test=0.3"]


def check_conservation(out: Path, given_lines: list[list[bytes]]) -> None:
    """Nothing is lost: at every stage, over the run, over the steps."""
    run, report = RunFolder(out), RunFolder(out).read_report()
    stages = report["stages"]
    for stage in stages:
        assert stage["in"] == stage["kept"] + sum(stage["dropped"].values()) + sum(stage["quarantined"].values()), stage
    for before, after in itertools.pairwise(stages):
        assert before["kept"] == after["in"]
    assert report["read"] == stages[0]["in"] == sum(1 for some in given_lines for line in some if line.strip())
    assert report["read"] == report["trajectories"] + report["rejected"]

    rejected = rows(run.rejected)
    assert len(rejected) == report["rejected"]
    gone = {row["id"] for row in rejected if row["id"] is not None}
    assert len(gone) == sum(row["id"] is not None for row in rejected), "of the unreadable too"
    all_records = list(read_records(out))
    ids = [record.id for record in all_records]
    assert len(set(ids)) == len(ids), "ids are unique"
    with_examples = {row["trajectory"] for row in examples(out)}
    assert with_examples == set(ids) - gone and len(with_examples) == report["trajectories"]
    assert sum(report["examples"].values()) == len(examples(out))
    # every line is a record or has its reason
    told = {(record.source.file, record.source.line) for record in all_records}
    told |= {(row["file"], row["line"]) for row in rejected}
    assert len(told) == report["read"]
    # every step of a run with examples is one, or has its reason
    steps = {(record.id, step.index) for record in all_records if record.id in with_examples for step in record.steps}
    left = [(row["id"], row["step"]) for row in rows(run.steps_left_out)]
    made = [(row["trajectory"], row["step"]) for row in examples(out)]
    assert sorted(left + made) == sorted(steps)
    # the stages' tables hold one row for each run that came to the stage, with the verdicts that the report counts
    for path, stage in zip(run.stage_paths(), stages, strict=True):
        table = [row for row in run.read_stage(path).to_pylist() if row["step"] is None]
        unread = report["read"] - len(ids) if path == run.stage_paths()[0] else 0
        assert len(table) + unread == stage["in"]
        assert sum(row["verdict"] == "keep" for row in table) == stage["kept"]


@slow
@given(files())
def test_conservation(given_lines: list[list[bytes]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_here(write_files(Path(folder), given_lines), Path(folder, "run"), LEAK)
        check_conservation(Path(folder, "run"), given_lines)


@slow
@given(files(), st.randoms(use_true_random=False))
def test_the_order_of_arguments_and_another_folder_change_no_byte(
    given_lines: list[list[bytes]], order: random.Random
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_files(Path(folder, "in"), given_lines)
        run_here(inputs, Path(folder, "one"), LEAK)
        order.shuffle(inputs)
        run_here(inputs, Path(folder, "other"), LEAK)
        assert contents(Path(folder, "one")) == contents(Path(folder, "other"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files with records and broken lines, some larger than a batch is in these tests, ids that repeat over files."""
    folder = tmp_path_factory.mktemp("corpus")
    pick = random.Random(7)
    doing = ["click File", "click Save", "click Open", "write hello", "press enter", "click OK", "click Close"]
    paths = []
    for number in range(3):
        given_lines: list[Any] = []
        for k in range(120):
            given_lines.append(
                make_trajectory(
                    f"made:{pick.randrange(90)}", pick.choices(doing, k=pick.randrange(3, 9)),
                    instruction=pick.choice(["Save the report as PDF", "Open the big file", "Export the whole budget"]),
                    app=pick.choice(["notes", "sheets", "mail", "draw"]),
                    completed=pick.choice([True, True, None, False]),
                )
            )  # fmt: skip
            if k % 13 == 5:
                given_lines.append(pick.choice([b"{", b"\xff", b'{"schema": "trajectory.v1", "id": 4}']))
        paths.append(write_records(folder / f"{number}.jsonl", given_lines))
    return paths


def test_the_number_of_workers_changes_no_byte(corpus: list[Path], tmp_path: Path) -> None:
    run_here(corpus, tmp_path / "one", LEAK, workers=1)
    run_here(corpus, tmp_path / "two", LEAK, workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_deciding_some_runs_at_a_time_changes_no_byte(
    corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_here(corpus, tmp_path / "whole", LEAK)
    monkeypatch.setattr("curate.engine.corpus._CHUNK", 1)
    run_here(corpus, tmp_path / "in-pieces", LEAK)
    assert contents(tmp_path / "whole") == contents(tmp_path / "in-pieces")


def test_the_same_command_again_touches_nothing_that_is_finished(corpus: list[Path], tmp_path: Path) -> None:
    run_here(corpus, tmp_path / "run", LEAK)
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*") if path.is_file()}
    again = run_here(corpus, tmp_path / "run", LEAK)
    assert (again.done.shards, again.done.measurings, again.done.decisions, again.done.parts, again.done.examples) == (
        0, 0, [], 0, 0,
    )  # fmt: skip
    after = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*") if path.is_file()}
    changed = {path.name for path in before | after if before.get(path) != after.get(path)}
    assert changed == {"run.json"}


def test_a_changed_option_redoes_its_decision_and_what_depends_on_it(corpus: list[Path], tmp_path: Path) -> None:
    run_here(corpus, tmp_path / "run", LEAK)
    with pytest.raises(GateError, match=r"outcome\.keep .*--resume-anyway"):
        run_here(corpus, tmp_path / "run", [*LEAK, "outcome.keep=completed"])
    again = run_here(corpus, tmp_path / "run", [*LEAK, "outcome.keep=completed"], resume_anyway=True)
    assert again.done.shards == again.done.measurings == again.done.parts == 0
    assert again.done.decisions == ["outcome", "leaks", "nearcopies", "split", "leaks_2", "weights", "unroll"]
    run_here(corpus, tmp_path / "fresh", [*LEAK, "outcome.keep=completed"])
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")
    # a threshold that measuring depends on: measured again, and decided from there
    more = [*LEAK, "outcome.keep=completed", "nearcopies.threshold=0.9"]
    again = run_here(corpus, tmp_path / "run", more, resume_anyway=True)
    assert again.done.shards == 0 and again.done.measurings > 0 and "outcome" not in again.done.decisions
    run_here(corpus, tmp_path / "fresh2", more)
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh2")


def test_another_input_is_refused_and_with_resume_anyway_reads_only_what_is_new(
    corpus: list[Path], tmp_path: Path
) -> None:
    run_here(corpus[:2], tmp_path / "run", LEAK)
    with pytest.raises(GateError, match=r"without the input 2\.jsonl"):
        run_here(corpus, tmp_path / "run", LEAK)
    again = run_here(corpus, tmp_path / "run", LEAK, resume_anyway=True)
    assert again.done.shards == 1
    run_here(corpus, tmp_path / "fresh", LEAK)
    assert contents(tmp_path / "run") == contents(tmp_path / "fresh")


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_at_any_moment_the_same_command_ends_with_the_same_bytes(
    corpus: list[Path], tmp_path: Path, workers: int
) -> None:
    arguments = ["run", *corpus, "--recipe", "web", "--workers", str(workers)]
    arguments += [word for setting in LEAK for word in ("--set", setting)]
    started = time.monotonic()
    whole = curate(*arguments, "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    lasts = time.monotonic() - started
    pick = random.Random(workers)
    for attempt in range(2):  # tools/soak.py makes hundreds
        out = tmp_path / f"killed-{attempt}"
        kills = 0
        while kills < 3:
            process = subprocess.Popen(command(*arguments, "--out", out), stdout=-3, stderr=-3, start_new_session=True)
            try:
                process.wait(timeout=lasts * pick.uniform(0.3, 1.0))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
        done = curate(*arguments, "--out", out)
        assert done.returncode == 0, done.stderr
        assert contents(out) == contents(tmp_path / "whole")
        shutil.rmtree(out)


@slow
@given(files(), st.integers(1, 12))
def test_a_limit_reads_exactly_the_first(given_lines: list[list[bytes]], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_files(Path(folder), given_lines)
        run_here(inputs, Path(folder, "run"), limit=limit)
        flat = [line for some in given_lines for line in some]
        report = RunFolder(Path(folder, "run")).read_report()
        assert report["read"] == min(limit, len(flat))
        first = [line for line in flat[:limit] if _is_record(line)]
        assert [record.instruction for record in read_records(Path(folder, "run"))] == [
            decode(line).instruction for line in first
        ]


def _is_record(line: bytes) -> bool:
    try:
        decode(line)
    except Exception:
        return False
    return True


@slow
@given(st.lists(records(), min_size=3, max_size=6), st.integers(1, 4))
def test_errors_stop_a_run_only_beyond_max_errors(good: list[bytes], bad: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_records(Path(folder, "a.jsonl"), [*good, *[b"{"] * bad])
        run_here([path], Path(folder, "run"), max_errors=MaxErrors(count=bad))
        for allowed in (MaxErrors(count=bad - 1), MaxErrors(share=(bad - 0.5) / (len(good) + bad))):
            with pytest.raises(GateError, match=rf"{bad} of the {len(good) + bad} records"):
                run_here([path], Path(folder, f"stopped-{allowed.count}"), max_errors=allowed)
