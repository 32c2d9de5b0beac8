"""`curate tests`: packs made, listed, held against data; and named in recipes."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from curate.engine.packs import Checked, add_pack, check_data, list_packs
from curate.model.errors import InputError, UsageError
from curate.store.pack_folder import pack_path, user_folder
from curate.view.tests_table import task_lines
from tests.factories import make_trajectory, write_records
from tests.runs import curate, run_here


@pytest.fixture()
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("CURATE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def listed(path: Path, *texts: str) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def test_where_packs_are(home, tmp_path, monkeypatch):
    assert pack_path("one") == home / "packs" / "one.jsonl"
    assert pack_path("one", tmp_path) == tmp_path / "packs" / "one.jsonl"
    monkeypatch.delenv("CURATE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_folder().name == "cua-curate"
    with pytest.raises(UsageError, match="small letters"):
        pack_path("../elsewhere")


def test_the_same_tasks_are_the_same_version(home, tmp_path):
    one = add_pack("one", listed(tmp_path / "a.csv", "id,task", "b,Sing loudly", "a,Walk away"))
    two = add_pack(
        "two", listed(tmp_path / "b.csv", "id,task", "a,Walk away", "b,Sing loudly"), ["tests.benchmark=one"]
    )
    assert (one.tasks, one.wordings, one.ids, one.format) == (2, 2, 0, "table")
    assert one.version == two.version
    three = add_pack("one", listed(tmp_path / "a.csv", "id,task", "b,Sing loudly", "a,Run away"))
    assert three.version != one.version and [pack.name for pack in list_packs()] == ["one", "two"]


def test_seen_similar_and_unseen_with_the_record_that_tells(home, tmp_path):
    tests = ["Export the quarterly budget as a report", "Rename the holiday picture folder to summer", "Sing"]
    add_pack("mine", listed(tmp_path / "tests.txt", *tests))
    records = [make_trajectory("r:1", instruction="export the quarterly budget, as a report!"),
               make_trajectory("r:2", instruction="Sort the holiday picture folder by size and colour")]  # fmt: skip
    found = check_data([write_records(tmp_path / "r.jsonl", records)], ["mine"])
    assert [(task.state, task.record, task.kind) for task in found.tasks] == [
        ("seen", "r:1", "task"), ("similar", "r:2", "phrase"), ("unseen", None, None),
    ]  # fmt: skip
    assert found.counts == {"mine": {"seen": 1, "similar": 1, "unseen": 1}} and found.records == 2


def test_lists_of_instructions_are_data_too(home, tmp_path):
    add_pack("mine", listed(tmp_path / "tests.txt", "Feed the cat at noon", "Water all of the plants"))
    for name, text in (
        ("train.txt", ["feed the cat at noon", "Buy bread"]),
        ("train.csv", ["nr,instruction", "1,Feed the cat at noon!"]),
        ("train.jsonl", ['{"task": "Feed the cat at noon"}']),
        ("train.json", ['[{"goal": "Feed the cat at noon"}]']),
    ):
        found = check_data([listed(tmp_path / name, *text)])
        assert [task.state for task in found.tasks] == ["seen", "unseen"], name
        assert found.tasks[0].record == f"{name}:1"
    with pytest.raises(InputError):
        check_data([tmp_path / "nowhere"])
    with pytest.raises(UsageError, match="Did you mean 'mine'"):
        check_data([tmp_path / "train.txt"], ["mime"])


def test_a_run_takes_packs_by_name_and_their_version_counts(home, tmp_path):
    add_pack("one", listed(tmp_path / "one.txt", "Feed the cat at noon"))
    add_pack("two", listed(tmp_path / "two.txt", "Water all of the plants"))
    texts = ["Feed the cat at noon", "Water all of the plants", "Buy some bread"]
    does = [[f"click {number}-{step}" for step in range(6)] for number in range(3)]
    records = [make_trajectory(f"r:{n}", does[n], instruction=text) for n, text in enumerate(texts)]
    data = write_records(tmp_path / "r.jsonl", records)
    sets = ["leaks.tests=[one, two]", "split.test=0"]
    done = run_here([data], tmp_path / "run", sets)
    leaks = next(stage for stage in done.report["stages"] if stage["name"] == "leaks")
    assert leaks["dropped"] == {"leaks.same_task": 2}
    told = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert told["recipe"]["leaks"]["tests"] == ["one.jsonl", "two.jsonl"]
    assert set(told["files"]) == {"leaks: one.jsonl", "leaks: two.jsonl"}
    add_pack("two", listed(tmp_path / "two.txt", "Buy some bread"))
    again = run_here([data], tmp_path / "run", sets, resume_anyway=True)
    kept = {msgspec.json.decode(line)["id"] for line in (tmp_path / "run" / "rejected.jsonl").read_bytes().splitlines()}
    assert kept == {"r:0", "r:2"} and "leaks" in again.done.decisions and not again.done.shards
    with pytest.raises(UsageError, match="no pack has that name"):
        run_here([data], tmp_path / "other", ["leaks.tests=three"])


def test_a_file_and_a_pack_of_one_name_both_count(home, tmp_path):
    add_pack("one", listed(tmp_path / "one.txt", "Feed the cat at noon"))
    shutil.copy(pack_path("one"), tmp_path / "one.jsonl")
    data = write_records(tmp_path / "r.jsonl", [make_trajectory("r:1")])
    run_here([data], tmp_path / "run", [f"leaks.tests=[one, {tmp_path / 'one.jsonl'}]", "split.test=0"])
    told = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert len(told["files"]) == 2


def test_the_commands(home, tmp_path):
    tests = listed(tmp_path / "tests.txt", "Feed the cat at noon")
    done = curate("tests", "add", "mine", tests, "--home", home)
    assert done.returncode == 0 and "mine" in done.stdout and "leaks.tests=mine" in done.stderr
    done = curate("tests", "list", "--home", home, "--json")
    assert msgspec.json.decode(done.stdout)[0]["tasks"] == 1
    done = curate("tests", "check", tests, "--home", home, "-q")
    assert "seen" in done.stdout and "mine:#1" in done.stdout and not done.stderr
    found = msgspec.json.decode(curate("tests", "check", tests, "--home", home, "--json").stdout, type=Checked)
    assert found.counts == {"mine": {"seen": 1, "similar": 0, "unseen": 0}}
    assert curate("tests", "check", tests, "--home", tmp_path / "empty").returncode == 2
    assert curate("tests", "add", "x", tests, "--set", "tests.colour=1").returncode == 2


def test_published_lists_and_data(home, shared):
    data = shared / "data"
    add_pack("digirl", data / "sources" / "digirl" / "general_test.txt")
    found = check_data([data / "sources" / "digirl" / "general_train.txt"], ["digirl"])
    assert found.counts["digirl"] == {"seen": 432, "similar": 0, "unseen": 0}
    add_pack("androidworld", data / "test-tasks" / "androidworld_tasks.jsonl")
    rows = data / "sources" / "os_genesis" / "aw_instructions.head.json"
    named = {row["task_name"] for row in msgspec.json.decode(rows.read_bytes())}
    found = check_data([rows], ["androidworld"])
    seen = {task.test.partition(":")[2] for task in found.tasks if task.state == "seen" and task.kind == "id"}
    assert seen == named & {task.test.partition(":")[2] for task in found.tasks} and len(seen) > 90
    add_pack("osworld", data / "test-tasks" / "osworld_tasks.jsonl")
    found = check_data([data / "test-tasks" / "osworld_tasks.jsonl"], ["osworld"])
    assert found.counts["osworld"]["seen"] == 529


def test_a_folder_of_lists_is_read_file_by_file_and_evidence_counts_by_its_strength(tmp_path: Path) -> None:
    """Records of the same words are strong evidence; one that shares a phrase is weak, and is not counted with them."""
    (tmp_path / "tests.txt").write_text("Peel the seven oranges beside the quiet lake\n", encoding="utf-8")
    add_pack("lake", tmp_path / "tests.txt", home=tmp_path / "home")
    data = tmp_path / "data"
    data.mkdir()
    (data / "one.txt").write_text("Peel the seven oranges beside the quiet lake\n", encoding="utf-8")
    (data / "two.txt").write_text("Count seven oranges beside the old barn\nOpen a window\n", encoding="utf-8")
    found = check_data([data], ["lake"], home=tmp_path / "home")
    assert found.records == 3 and [(one.state, one.records) for one in found.tasks] == [("seen", 1)]
    said = list(task_lines(found.tasks, 5))
    assert said[1].strip() == "by one.txt:1: asks for the same" and said[0].count("oranges") == 1
