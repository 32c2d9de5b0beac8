"""Every kind of evidence: found, told with its strength and witness, and not where it is none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from curate.model.actions import Write
from curate.model.errors import InputError
from curate.model.trajectory import Origin, Task
from curate.stages.leakage.pack import read_test_tasks
from curate.stages.leakage.rarity import rare_phrases
from curate.stages.leakage.screens import alike
from curate.stages.leaks import STAGE, LeaksOptions
from tests.stages.factories import buttons, decided, measured, run, step

GUID = "26b5c67b-86f4-4b2b-9c8a-1f7d3c1c2a11"


def leaks(tmp_path: Path, tasks: list[dict], records: list, **options) -> list[dict]:
    path = tmp_path / "pack.jsonl"
    path.write_text("".join(json.dumps({"instruction": "Water the plants", **t}) + "\n" for t in tasks))
    return decided(STAGE, records, LeaksOptions(tests=str(path), **options))


def said(row: dict) -> tuple:
    """(verdict, reason or flags, kind, strength, witness) of a run."""
    return row["verdict"], row["reason"] or row["flags"], row["leak"], row["strength"], row["witness"]


def test_a_records_ids_name_the_task_or_its_parent(tmp_path):
    tasks = [{"id": "030eeff7-b492", "parent": "BrowserDraw"}, {"id": 17, "benchmark": "webarena"}]
    records = [
        buttons("a", ["x"], source=Origin(name="s", id="030eeff7-b492")),
        buttons("osworld:030eeff7-b492", ["x"]),
        buttons("c", ["x"], template="BrowserDraw"),
        buttons("d", ["x"], source=Origin(name="webarena", id="17")),
        buttons("e", ["x"], source=Origin(name="other", id="17")),  # 17 of something else
        buttons("f", ["x"], source=Origin(name="s", id="030eeff7")),
    ]
    rows = leaks(tmp_path, tasks, records)
    assert [said(row)[1] for row in rows] == ["leaks.same_id"] * 4 + [None] * 2
    assert [row["witness"] for row in rows[:4]] == ["030eeff7-b492"] * 3 + ["17"]
    assert {row["strength"] for row in rows[:4]} == {"strong"}


def test_a_template_leaks_with_the_same_arguments_and_is_listed_with_others(tmp_path):
    template = "Send {name} the report of {month} by mail before noon"
    task = {"id": "t", "instruction": "Send Anna the report of May by mail before noon", "template": template}
    records = [
        buttons("a", ["x"], "By mail before noon, please send Anna the report of May", template=template),
        buttons("b", ["x"], "Send Bob the report of June by mail before noon", template=template),
        buttons("c", ["x"], "Send Eve the report of July by mail before noon"),  # it does not say of which template
        buttons("d", ["x"], "Mute the phone"),
    ]
    rows = leaks(tmp_path, [task], records)
    assert said(rows[0]) == ("drop", "leaks.same_template", "template", "strong", "t")
    assert said(rows[1]) == ("keep", ["leaks.like_template", "leaks.phrase"], "like_template", "weak", "t")
    assert rows[2]["verdict"] == "keep" and rows[2]["flags"] is not None
    assert said(rows[3]) == ("keep", None, None, None, None)
    dropped = leaks(tmp_path, [task], records, templates="drop")
    assert [row["reason"] for row in dropped[:2]] == ["leaks.same_template", "leaks.like_template"]


def test_a_task_of_which_only_the_template_is_known(tmp_path):
    template = "Record an audio clip and save it with name {file} using Audio Recorder app"
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps({"id": "Audio", "template": template}))
    record = buttons("a", ["x"], "Record an audio clip and save it with name talk.m4a using Audio Recorder app")
    [row] = decided(STAGE, [record], LeaksOptions(tests=str(path)))
    assert said(row) == ("keep", ["leaks.like_template"], "like_template", "weak", "Audio")


def test_held_out_places_of_the_pack(tmp_path):
    tasks = [
        {"id": "t", "sites": ["https://shop.example.co.uk/cart"], "held_out": True},
        {"id": "u", "apps": ["Google Chrome"]},
    ]
    records = [
        buttons("a", ["x"], apps=["mail"], sites=["www.example.co.uk"]),
        run("b", [step(0, url="http://pay.example.co.uk/1")], apps=["mail"]),
        buttons("c", ["x"], apps=["chrome"]),  # named, not held out
        buttons("d", ["x"], apps=["mail"], sites=["other.co.uk"]),
    ]
    rows = leaks(tmp_path, tasks, records)
    assert [row["reason"] for row in rows] == ["leaks.same_site", "leaks.same_site", None, None]
    with pytest.raises(InputError, match="no app or site"):
        leaks(tmp_path, [{"id": "t", "held_out": True}], records)


def test_canaries_anywhere_in_the_text(tmp_path):
    tasks = [{"id": "t", "canaries": ["osworld-canary:3f1e9d"]}]
    records = [
        run("a", [step(0, Write(text="so osworld-canary:3f1e9d it is"))]),
        run("b", [step(0, thought=f"It says: Canary GUID {GUID}")]),
        buttons("c", ["x"], wordings={"note": f"canary {GUID.upper()}"}),
        buttons("d", ["osworld-canary:", "3f1e9d"]),  # in two texts it is none
        buttons("e", ["x"], f"Install Chrome Canary, order {GUID}"),  # a browser's name, and another number
    ]
    rows = leaks(tmp_path, tasks, records)
    assert [row["reason"] for row in rows] == ["leaks.canary"] * 3 + [None] * 2
    assert [row["witness"] for row in rows[:3]] == ["t", None, None]
    without = decided(STAGE, records, LeaksOptions())
    assert [row["reason"] for row in without] == [None, "leaks.canary", "leaks.canary", None, None]


def test_files_of_the_test_by_name_and_path(tmp_path):
    tasks = [
        {"id": "t", "files": ["evaluation/chrome/0.json", "/home/user/Employee Performance.xlsx"]},
        {"id": "u", "files": ["task.html", "shared_report.docx"]},
        {"id": "v", "files": ["x/shared_report.docx"]},
    ]
    records = [
        run("a", [step(0, window="employee performance.XLSX - LibreOffice Calc")]),
        buttons("b", ["x"], source=Origin(name="s", file="OSWorld/evaluation/chrome/0.json")),
        run("c", [step(0, Write(text="C:\\evaluation\\chrome\\0.json"))]),
        buttons("d", ["x"], task=Task(prerequisites="Open (Employee Performance.xlsx).")),
        buttons("e", ["x"], "Open task.html, 0.json and shared_report.docx"),  # anybody's, or two tasks'
        buttons("f", ["x"], "Open My-Employee Performance.xlsx and Employee Performance.xlsx2"),
    ]
    rows = leaks(tmp_path, tasks, records)
    assert [said(row)[1] for row in rows] == ["leaks.test_file"] * 4 + [None] * 2
    assert {row["witness"] for row in rows[:4]} == {"t"}


def test_solutions_are_weak_evidence(tmp_path):
    def solution(*names: str) -> list[dict]:
        return [
            {"actions": [{"type": "click", "x": 0.1, "y": 0.2}], "element": {"role": "button", "name": name}}
            for name in names
        ]

    tasks = [
        {"id": "t", "apps": ["shop"], "solution": solution("Cart", "Pay", "Card", "Done")},
        {"id": "u", "solution": solution("Help", "About")},  # too short to say anything
    ]
    records = [
        buttons("a", ["Cart", "scroll", "Pay", "Card", "Done"]),
        buttons("b", ["Cart", "Pay", "Card"]),
        buttons("c", ["Cart", "Pay", "Card", "Done"], apps=["mail"]),
        buttons("d", ["Help", "About"]),
    ]
    rows = leaks(tmp_path, tasks, records)
    assert said(rows[0]) == ("keep", ["leaks.same_path"], "path", "weak", "t")
    assert [row["flags"] for row in rows[1:]] == [None] * 3
    assert leaks(tmp_path, tasks, records, paths="drop")[0]["reason"] == "leaks.same_path"
    with pytest.raises(InputError, match="line 1: the solution"):
        leaks(tmp_path, [{"id": "t", "solution": [{"actions": [{"type": "fly"}]}]}], records)


def test_screens_that_few_bits_tell_from_the_tests(tmp_path):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps({"id": "t", "instruction": "x y z", "screens": ["00000000ffffffff", "0" * 16]}))
    images = pa.table(
        {
            "id": ["a", "a", "b", "c", "d"],
            "step": [0, 1, 0, 0, 0],
            "dhash": ["ffffffff00000000", "00000000fffffc01", None, "0000000000000001", "00000000fffff800"],
        }
    )
    found = alike(images, read_test_tasks(path))
    assert {run: leak.witness for run, leak in found.items()} == {"a": "t"}  # 10 bits; c is like a blank one, d has 11
    assert found["a"].detail.startswith("step 1 ") and found["a"].strength == "weak"


def test_screens_count_in_the_decision(tmp_path):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps({"id": "t", "instruction": "x y z", "screens": ["00000000ffffffff"]}))
    images = pa.table({"id": ["a", "b"], "step": [0, 0], "dhash": ["00000000ffffffff", None]})
    records = [buttons("a", ["x"]), buttons("b", ["x"])]
    rows = decided(STAGE, records, LeaksOptions(tests=str(path)), others={"images": images})
    assert [said(row) for row in rows] == [
        ("keep", ["leaks.same_screen"], "screen", "weak", "t"),
        ("keep", None, None, None, None),
    ]
    dropped = decided(STAGE, records, LeaksOptions(tests=str(path), screens="drop"), others={"images": images})
    assert [row["reason"] for row in dropped] == ["leaks.same_screen", None]


def test_a_phrase_that_the_data_itself_is_full_of_is_no_evidence(tmp_path):
    tasks = [{"id": "t", "instruction": "Open wifi settings page and forget the guest network"}]
    common = [buttons(f"c{i}", ["x"], f"Open wifi settings page number {i} of things") for i in range(30)]
    rare = buttons("r", ["x"], "Now forget the guest network of the hotel")
    again = [buttons(f"again{i}", ["x"], "Now forget the guest network of the hotel") for i in range(30)]
    rows = leaks(tmp_path, tasks, [*common, rare, *again])
    flagged = {row["id"] for row in rows if row["flags"]}
    assert flagged == {"r", *(f"again{i}" for i in range(30))}  # a task counts once, however many runs it has
    few = leaks(tmp_path, tasks, [*common[:5], rare])
    assert {row["id"] for row in few if row["flags"]} == {"c0", "c1", "c2", "c3", "c4", "r"}


def test_rare_phrases_are_counted_by_distinct_tasks():
    lists = (
        [(["a b c"], ["task 1"])] * 50 + [(["d e f"], [f"task {i}"]) for i in range(50)] + [(None, ["x"]), (None, [])]
    )
    table = pa.table({"phrases": [p for p, _ in lists], "tasks": [t for _, t in lists]})
    assert rare_phrases(table) == {"a b c"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"canaries": ["short"]}, "canaries"),
        ({"screens": ["xyz"]}, "screens"),
        ({"files": "a.txt"}, "files"),
        ({"held_out": "yes"}, "held_out"),
        ({"instruction": None}, "template"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, row, told):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps({"id": "a", "instruction": "Good one here", **row}) + "\n")
    with pytest.raises(InputError, match=f"line 1.*{told}"):
        read_test_tasks(path)


def test_batches_and_slices_of_a_table_measure_as_the_whole(tmp_path):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps({"id": "t", "instruction": "Forget the guest network", "files": ["guest_network.txt"],
                                "canaries": ["osworld-canary:3f1e9d"], "apps": ["shop"]}))  # fmt: skip
    records = [
        run("a", [step(0, app="mail", window="guest_network.txt"), step(1, app="shop")], "Forget the guest network!"),
        run("b", [], "Mute", wordings={"x": "osworld-canary:3f1e9d", "y": "forget the guest network again"}),
        run("c", [step(0, url="https://a.example.com/")], "...", apps=["shop", "Mail"], sites=["x.org"]),
    ]
    options = LeaksOptions(tests=str(path))
    whole = measured(STAGE, records, options).to_pylist()
    assert [row for record in records for row in measured(STAGE, [record], options).to_pylist()] == whole
    assert [[hit["kind"] for hit in row["hits"] or []] for row in whole] == [["task", "file"], ["phrase", "canary"], []]
    assert [row["apps"] for row in whole] == [["mail", "shop"], [], ["shop", "mail"]]
    assert [row["sites"] for row in whole] == [[], [], ["x.org", "example.com"]]
    assert [row["tested"] for row in whole] == [["shop"], [], ["shop"]]
    assert [row["tasks"] for row in whole] == [
        ["forget the guest network"], ["mute", "osworld canary 3f1e9d", "forget the guest network again"], [],
    ]  # fmt: skip
    from curate.model.arrow import to_table
    from tests.stages.factories import CONTEXT

    table = to_table(records)
    for first in range(3):
        part = STAGE.measure(table.slice(first, 1), options, CONTEXT).to_pylist()
        assert part == whole[first : first + 1]
    assert np.array_equal([row["phrase_hits"] for row in whole], [0, 1, 0])


def test_paraphrases_when_asked(tmp_path):
    pytest.importorskip("wordllama")
    tasks = [{"id": "dark", "instruction": "Turn on the dark theme of the display"}]
    records = [
        buttons("a", ["x"], "Switch the display's theme to dark"),
        buttons("b", ["x"], "Search for flights to Rome"),
        buttons("c", ["x"], "turn ON the dark theme of the display!"),
        buttons("d", ["x"], "..."),
    ]
    rows = leaks(tmp_path, tasks, records, paraphrases="list", paraphrase_similarity=0.6)
    assert said(rows[0]) == ("keep", ["leaks.paraphrase"], "paraphrase", "weak", "dark")
    assert [row["leak"] for row in rows[1:]] == [None, "task", None]
    assert leaks(tmp_path, tasks, records, paraphrases="drop", paraphrase_similarity=0.6)[0]["verdict"] == "drop"
    assert leaks(tmp_path, tasks, records)[0]["leak"] is None  # off unless it is asked for
    assert leaks(tmp_path, tasks, records[:1], paraphrases="list", paraphrase_similarity=0.6) == rows[:1]


def test_without_the_model_paraphrases_say_what_to_install(tmp_path, monkeypatch):
    from curate.model.errors import UsageError
    from curate.stages.leakage import measuring, paraphrases

    monkeypatch.setitem(__import__("sys").modules, "wordllama", None)
    paraphrases._model.cache_clear()
    paraphrases._vector.cache_clear()
    measuring._made.cache_clear()
    with pytest.raises(UsageError, match=r"\[embed\]"):
        leaks(tmp_path, [{"id": "t"}], [buttons("a", ["x"])], paraphrases="list")
