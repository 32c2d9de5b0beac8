"""Leaks: what gives a test task away, what does not, and how leaks spread."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.errors import InputError, UsageError
from curate.stages import nearcopies, split
from curate.stages.base import DecisionInput
from curate.stages.leakage.pack import read_test_tasks
from curate.stages.leaks import STAGE, LeaksOptions
from tests.stages.factories import buttons, decided, kept, measured, reasons, run, step


@pytest.fixture
def alarm(tmp_path: Path) -> str:
    return written(tmp_path, {"id": "alarm", "instruction": "Set an alarm for 7:00 tomorrow"})


def written(folder: Path, *tasks: dict) -> str:
    path = folder / "tests.jsonl"
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    return str(path)


def leaks(records, options, order=("nearcopies", "leaks"), alive=None):
    """The decision, over near-copies that were measured (and decided nothing)."""
    others = {"nearcopies": measured(nearcopies.STAGE, records)} if "nearcopies" in order else {}
    return decided(STAGE, records, options, others=others, alive=alive)


def test_the_same_task_leaks_whatever_hides_it(alarm):
    hidden = [
        "set an ALARM, for 7:00 -- tomorrow!!",
        "Set an alarm for 7am tomorrow",
        "Ｓet an alarm for ７:00 tomorrow",
    ]
    for text in hidden:
        rows = leaks([buttons("a", ["x"], text)], LeaksOptions(tests=alarm))
        assert reasons(rows) == {"a": "leaks.same_task"}
        assert rows[0]["witness"] == "alarm"


def test_two_word_tasks_leak_by_equality(tmp_path):
    tests = written(tmp_path, {"id": 7, "instruction": "Dark mode"})
    rows = leaks(
        [buttons("a", ["x"], "dark mode."), buttons("b", ["y"], "Dark mode off")],
        LeaksOptions(tests=tests, phrases="drop"),
    )
    assert reasons(rows) == {"a": "leaks.same_task"}
    assert rows[0]["witness"] == "7"


def test_a_shared_phrase_is_listed_and_drops_only_when_asked(alarm):
    runs = [buttons("a", ["x"], "Set an alarm for 7:00"), buttons("b", ["y"], "Mute the phone")]
    rows = leaks(runs, LeaksOptions(tests=alarm))
    assert kept(rows) == ["a", "b"]
    assert (rows[0]["flags"], rows[0]["witness"]) == (["leaks.phrase"], "alarm")
    assert '"set alarm 7:00"' in rows[0]["detail"]
    assert rows[1]["flags"] is None
    assert reasons(leaks(runs, LeaksOptions(tests=alarm, phrases="drop"))) == {"a": "leaks.phrase"}


def test_stop_phrases_are_no_leak(tmp_path):
    tests = written(tmp_path, {"id": "m", "instruction": "Go to the museum site"})
    assert kept(leaks([buttons("a", ["x"], "Go to the settings page")], LeaksOptions(tests=tests, phrases="drop"))) == [
        "a"
    ]
    many = [
        {"id": i, "instruction": f"In the budget sheet of LibreOffice Calc, task {w}"} for i, w in enumerate("abcde")
    ]
    common = written(tmp_path, *many)
    asked = buttons("a", ["x"], "Open a budget sheet of LibreOffice Calc and print it")
    assert kept(leaks([asked], LeaksOptions(tests=common, phrases="drop"))) == ["a"]


def test_a_whole_task_inside_a_longer_instruction_leaks(tmp_path):
    tests = written(tmp_path, {"id": "t", "instruction": "Export the quarterly sales table as a PDF file"})
    longer = buttons(
        "a", ["x"], "Hello! Export the quarterly sales table as a PDF file, then close everything else too"
    )
    assert reasons(leaks([longer], LeaksOptions(tests=tests))) == {"a": "leaks.same_task"}


def test_wordings_of_both_sides_count(tmp_path):
    tests = written(tmp_path, {"id": "t", "instruction": "Turn the lights off now", "wordings": ["Make the room dark"]})
    other = written(
        tmp_path, {"id": "t", "instruction": "Turn the lights off now", "wordings": {"v2": "Make the room dark"}}
    )
    record = buttons("a", ["x"], "Do what I said before", wordings={"actual_task": "make the room dark"})
    for path in (tests, other):
        assert reasons(leaks([record], LeaksOptions(tests=path))) == {"a": "leaks.same_task"}


def test_held_out_places():
    runs = [
        buttons("a", ["x"], apps=["Google Chrome"]),
        buttons("b", ["x"], apps=["vlc"], sites=["https://maps.google.com/x"]),
        run("c", [step(0, app="chrome.exe")], apps=["vlc"]),  # it only passes through
        run("d", [step(0, url="https://www.google.com/")], apps=["vlc"]),
        buttons("e", ["x"], apps=["vlc"], sites=["google.com.example.org"]),
    ]
    rows = leaks(runs, LeaksOptions(apps=["chrome"], sites=["google.com"], spread=False))
    assert reasons(rows) == {
        "a": "leaks.same_app",
        "b": "leaks.same_site",
        "c": "leaks.same_app",
        "d": "leaks.same_site",
    }


def test_places_of_test_tasks_are_held_out_only_when_asked(tmp_path):
    tests = written(tmp_path, {"id": "t", "instruction": "Zoom the chart in", "apps": ["Shop"], "sites": ["a.example"]})
    runs = [buttons("a", ["x"]), buttons("b", ["x"], apps=["mail"], sites=["https://www.a.example/"])]
    assert kept(leaks(runs, LeaksOptions(tests=tests))) == ["a", "b"]
    listed = leaks(runs, LeaksOptions(tests=tests, test_places="list"))
    assert [row["flags"] for row in listed] == [["leaks.same_app"], ["leaks.same_site"]]
    dropped = reasons(leaks(runs, LeaksOptions(tests=tests, test_places="drop")))
    assert dropped == {"a": "leaks.same_app", "b": "leaks.same_site"}


def test_a_leak_spreads_over_its_near_copies_in_whatever_order(alarm):
    leaky, twin = (
        buttons(id, ["Alarm", "Set 7:00"], text, apps=["clock"])
        for id, text in [("l", "Set an alarm for 7:00 tomorrow"), ("t", "Wake me at seven")]
    )
    other = buttons("o", ["Stopwatch", "Start"], "Time my run please", apps=["clock"])
    for order in ([leaky, twin, other], [twin, other, leaky]):
        rows = leaks(order, LeaksOptions(tests=alarm))
        assert reasons(rows) == {"l": "leaks.same_task", "t": "leaks.copy_of_leak"}
        assert next(row for row in rows if row["id"] == "t")["witness"] == "l"
    # a leak that an earlier stage put out (it failed, or was itself a copy) still spreads
    assert reasons(leaks([leaky, twin], LeaksOptions(tests=alarm), alive=["t"])) == {"t": "leaks.copy_of_leak"}
    assert kept(leaks([leaky, twin], LeaksOptions(tests=alarm, spread=False))) == ["t"]


def test_training_runs_are_held_against_our_own_test():
    same = [
        buttons(id, [f"{id}{i}" for i in range(5)], "Book a table for two", apps=[app])
        for id, app in [("a", "x"), ("b", "y")]
    ]
    other = buttons("c", ["q"], "Quite another thing to do", apps=["z"])
    records = [*same, other]
    table = split.STAGE.decide(
        DecisionInput(alive=["a", "b", "c"], measures={"split": measured(split.STAGE, records)}, verdicts={}),
        split.SplitOptions(test=0.0),
    )
    table = table.set_column(table.column_names.index("split"), "split", [["test", "train", "train"]])
    rows = decided(STAGE, records, verdicts={"split": table})
    assert reasons(rows) == {"b": "leaks.own_test"}
    assert next(row for row in rows if row["id"] == "b")["witness"] == "a"


@pytest.mark.parametrize(
    ("line", "error", "told"),
    [
        ("{", InputError, "line 2"),
        ('{"id": "x"}', InputError, "line 2"),
        ("[1]", InputError, "line 2"),
        ('{"id": "x", "instruction": 7}', InputError, "line 2"),
        ('{"id": "x", "instruction": "  "}', InputError, "line 2"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, error, told):
    path = tmp_path / "tests.jsonl"
    path.write_text('{"id": "a", "instruction": "Good one here"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(error, match=told):
        read_test_tasks(path)


def test_files_that_check_nothing_are_errors(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_test_tasks(tmp_path / "none.jsonl")
    with pytest.raises(UsageError):
        read_test_tasks(tmp_path)
    (tmp_path / "empty.jsonl").write_bytes(b"\n \n")
    with pytest.raises(InputError, match="no test task"):
        read_test_tasks(tmp_path / "empty.jsonl")
    (tmp_path / "latin.jsonl").write_bytes('{"id": "a", "instruction": "caf\xe9"}'.encode("latin-1"))
    with pytest.raises(InputError, match="line 1"):
        read_test_tasks(tmp_path / "latin.jsonl")
    (tmp_path / "bom.jsonl").write_bytes(b"\xef\xbb\xbf" + b'{"id": "a", "instruction": "Good one"}\r\n')
    assert read_test_tasks(tmp_path / "bom.jsonl")[0].texts == ("Good one",)


TASKS = ["Set an alarm for 7:00 tomorrow", "Wake me at seven", "Set an alarm for 7:00", "Mute the phone now"]
PLACES = st.sampled_from([["clock"], ["mail"], ["clock", "mail"], []])
RUNS = st.lists(st.tuples(st.sampled_from(TASKS), st.lists(st.sampled_from("abc"), max_size=5), PLACES), max_size=8)


@settings(max_examples=60, deadline=None)
@given(drawn=RUNS, random=st.randoms(), drop=st.booleans())
def test_order_decides_nothing_and_no_copy_of_a_leak_is_left(tmp_path_factory, drawn, random, drop):
    tests = written(tmp_path_factory.mktemp("t"), {"id": "alarm", "instruction": TASKS[0]})
    runs = [buttons(f"r{i}", names, text, apps=apps) for i, (text, names, apps) in enumerate(drawn)]
    options = LeaksOptions(tests=tests, apps=["mail"], phrases="drop" if drop else "list")
    shuffled = list(runs)
    random.shuffle(shuffled)
    found = reasons(leaks(runs, options))
    assert found == reasons(leaks(shuffled, options))
    cluster = {row["id"]: row["cluster"] for row in measured(nearcopies.STAGE, runs).to_pylist()}
    out = {cluster[id] for id in found} - {None}
    assert all(cluster[r.id] not in out for r in runs if r.id not in found)
    assert all(found[r.id] == "leaks.same_task" for r in runs if r.instruction == TASKS[0])


def osworld(shared: Path) -> list[dict]:
    rows = lines_of(shared / "data/test-tasks/osworld_tasks.jsonl")
    return [
        {"id": row["id"], "instruction": row["instruction"], "wordings": [v["instruction"] for v in row["variants"]]}
        for row in rows
    ]


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def webarena(shared: Path) -> list[str]:
    return [row["instruction"] for row in lines_of(shared / "data/test-tasks/webarena_lite_tasks.jsonl")]


def kinds(tests: str, texts: list[str]) -> dict[str, int]:
    """How many of the instructions are a test task, share a phrase with one, or neither."""
    found = {"task": 0, "phrase": 0, "none": 0}
    records = [run(f"r{i}", [], text) for i, text in enumerate(texts)]
    for hits in measured(STAGE, records, LeaksOptions(tests=tests))["hits"].to_pylist():
        found[hits[0]["kind"] if hits else "none"] += 1
    return found


def test_every_osworld_task_leaks_itself(shared, tmp_path):
    tasks = osworld(shared)
    tests = written(tmp_path, *tasks)
    assert kinds(tests, [task["instruction"] for task in tasks]) == {"task": len(tasks), "phrase": 0, "none": 0}
    shouted = [" ".join(task["instruction"].upper().split()) + " !!" for task in tasks]
    assert kinds(tests, shouted)["task"] == len(tasks)


def test_unrelated_benchmarks_do_not_leak_into_each_other(shared, tmp_path):
    """The lesson's rule calls 84 of the 319 WebArena-lite tasks leaks of OSWorld; none of them is."""
    tests = written(tmp_path, *osworld(shared))
    assert kinds(tests, webarena(shared)) == {"task": 0, "phrase": 0, "none": 319}


def test_digirls_training_list_holds_all_of_its_test_tasks(shared, tmp_path):
    def lines(name: str) -> list[str]:
        text = (shared / "data/sources/digirl" / name).read_text(encoding="utf-8")
        return [line for line in text.splitlines() if line.strip()]

    tests = [{"id": i, "instruction": text} for i, text in enumerate(lines("general_test.txt"))]
    train = lines("general_train.txt")
    found = kinds(written(tmp_path, *tests), train)["task"]
    assert found == len(set(lines("general_test.txt")) & set(train)) == 432
