"""`curate run` and `curate demo` as a user meets them."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from curate.model import data
from curate.model.trajectory import Screen
from curate.store.recording import RecordingInfo, write_info
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, write_records
from tests.runs import contents, curate


@pytest.fixture
def records(tmp_path: Path) -> Path:
    runs = [make_trajectory(f"made:{k}", instruction=f"Do the thing number {k}") for k in range(3)]
    return write_records(tmp_path / "runs.jsonl", [*runs, make_trajectory("made:9", completed=False), b"{"])


def test_the_funnel_is_on_stdout_and_everything_else_on_stderr(records: Path, tmp_path: Path) -> None:
    done = curate("run", records, "--recipe", "web", "--out", tmp_path / "run")
    assert done.returncode == 0
    told = " ".join(done.stdout.split())  # a narrow terminal breaks lines
    assert "outcome.not_completed: The run did not complete its task." in told
    assert "read.json" in told and "5 read, 3 gave examples, 2 did not." in told
    assert "Training examples: 15 train." in done.stdout or " test" in done.stdout
    for word in ("report.html", "Examples:", "Next: "):
        assert word in done.stderr and word not in done.stdout
    assert (tmp_path / "run" / "report.html").is_file()


def test_a_broken_recording_can_be_found_though_no_output_names_its_folder(tmp_path: Path) -> None:
    """Folders are named after people: outputs call them by a hash, the terminal by their path."""
    folder = tmp_path / "in" / "jane.doe@example.org"
    folder.mkdir(parents=True)
    (folder / "recording.json").write_text('{"a":')
    (folder / "events.jsonl").write_text('{"seq": 0}\n')
    done = curate("run", tmp_path / "in", "--recipe", "desktop", "--out", tmp_path / "run")
    assert str(folder) in done.stderr and "jane" not in done.stdout
    written = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert written and not [path for path in written if b"jane" in path.read_bytes()]


def test_recordings_that_did_not_end_are_named_with_what_mends_them(tmp_path: Path) -> None:
    for name, ended in (("whole", True), ("half", False)):
        folder = tmp_path / "in" / name
        folder.mkdir(parents=True)
        screen = Screen(width=10, height=10)
        info = RecordingInfo(id=name, recorder="x11@2", platform="linux", instruction="x", screen=screen, ended=ended)
        write_info(folder, info)
        (folder / "events.jsonl").write_text('{"kind":"move","seq":0,"t":1,"x":1,"y":1}\n')
    done = curate("run", tmp_path / "in", "--recipe", "desktop", "--out", tmp_path / "run")
    told = " ".join(done.stderr.split())
    assert f"A recording did not end; to make whole what there is: curate recover {tmp_path / 'in' / 'half'}" in told


def test_json_is_one_object_with_the_counts(records: Path, tmp_path: Path) -> None:
    done = curate("run", records, "--recipe", "web", "--out", tmp_path / "run", "--json", "-q")
    told = msgspec.json.decode(done.stdout)
    report = RunFolder(tmp_path / "run").read_report()
    assert {name: told[name] for name in ("read", "rejected", "stages")} == {
        name: report[name] for name in ("read", "rejected", "stages")
    }
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("more", "code", "told"),
    [
        (["--recipe", "wbe"], 2, 'did you mean "web"'),
        (["--recipe", "web", "--set", "split.tst=0.2"], 2, 'did you mean "test"'),
        (["--recipe", "web", "--max-errors", "lots"], 2, "such as 20"),
        (["--recipe", "web", "--max-errors", "0"], 4, "1 of the 5 records"),
        (["--recipe", "web", "--rya", "auto"], 2, "No such option"),
        (["--recipe", "web", "--workers", "0"], 2, "--workers"),
        ([], 2, "--recipe"),
    ],
)
def test_exit_codes_each_with_a_sentence(records: Path, tmp_path: Path, more: list[str], code: int, told: str) -> None:
    done = curate("run", records, "--out", tmp_path / "run", *more)
    assert done.returncode == code and told in done.stderr and "Traceback" not in done.stderr


def test_help_has_examples() -> None:
    done = curate("run", "-h")
    assert done.returncode == 0 and "curate run DUMP --recipe desktop --out RUN" in done.stdout


def test_the_demo_runs_and_runs_again(tmp_path: Path) -> None:
    if not (data.folder("dump") / "benchmark.jsonl").is_file():
        pytest.skip("the shipped recordings are not here")
    done = curate("demo", "--out", tmp_path / "demo")
    assert done.returncode == 0, done.stderr
    report = RunFolder(tmp_path / "demo").read_report()
    assert report["read"] >= 8 and report["trajectories"] >= 5
    out = {reason for stage in report["stages"] for reason in stage["dropped"]}
    assert {"outcome.not_completed", "leaks.same_task"} <= out
    before = contents(tmp_path / "demo")
    again = curate("demo", "--out", tmp_path / "demo")
    assert again.returncode == 0 and contents(tmp_path / "demo") == before


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("name", ["out [1]", "out [x * what?"])
def test_a_folder_may_have_any_name(records: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "of runs [x]" / name
    done = curate("run", records, "--recipe", "web", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "5 read, 3 gave examples, 2 did not." in " ".join(done.stdout.split())
    again = curate("report", out)
    assert again.returncode == 0, again.stderr
