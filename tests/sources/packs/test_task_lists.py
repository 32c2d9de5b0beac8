"""Each form of task list, made up in the shape that its benchmark publishes, gives the one shape of a pack."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions, keyed
from curate.sources.packs.registry import reader_of, task_lists

UUID = "0a1b2c3d-4e5f-6789-abcd-ef0123456789"


def read(path: Path, options: ListOptions | None = None, form: str | None = None) -> tuple[str, dict[str, ListedTask]]:
    reader = reader_of(path, form)
    given = options or ListOptions()
    tasks = keyed(reader.read(path, given), reader.benchmark or "named", given)
    return reader.name, {str(task.key): task for task in tasks}


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def osworld_task(id: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "snapshot": "chrome", "instruction": text, "evaluator": {"func": "exact"}, **more}


def test_osworld_folder_with_one_id_in_two_domains_and_sets(tmp_path):
    root = tmp_path / "evaluation_examples"
    config = [
        {
            "type": "download",
            "parameters": {
                "files": [{"url": "https://h/x/Budget_2031_final.xlsx?raw=1", "path": "C:\\\\Users\\\\u\\\\books.xlsx"}]
            },
        }
    ]
    put(
        root / "examples" / "chrome" / f"{UUID}.json",
        osworld_task(UUID, "Pin a tab", related_apps=["chrome"], config=config),
    )
    put(root / "examples" / "thunderbird" / f"{UUID}.json", osworld_task(UUID, "Archive a mail"))
    put(root / "examples_windows" / "chrome" / f"{UUID}.json", osworld_task(UUID, "Pin a tab"))
    put(root / "test_all.json", {"chrome": [UUID]})
    form, tasks = read(root)
    assert form == "osworld"
    assert set(tasks) == {
        f"osworld:examples/chrome/{UUID}", f"osworld:examples/thunderbird/{UUID}",
        f"osworld:examples_windows/chrome/{UUID}",
    }  # fmt: skip
    first = tasks[f"osworld:examples/chrome/{UUID}"]
    assert first.apps == ["chrome"] and first.files == ["Budget_2031_final.xlsx", "books.xlsx"]


def test_windowsagentarena_is_told_from_osworld_by_its_ids(tmp_path):
    root = tmp_path / "evaluation_examples_windows"
    put(root / "examples" / "notepad" / f"{UUID}-wos.json", osworld_task(f"{UUID}-wos", "Save the draft"))
    form, tasks = read(root)
    assert form == "windowsagentarena"
    assert tasks[f"windowsagentarena:examples/notepad/{UUID}-wos"].parent == UUID


def test_a_list_with_older_wordings(tmp_path):
    row = {"benchmark": "osworld", "set": "examples", "domain": "os", "id": UUID, "instruction": "Mute the sound",
           "variants": [{"source": "old", "instruction": "Make it silent"}]}  # fmt: skip
    form, tasks = read(put(tmp_path / "list.jsonl", json.dumps(row) + "\n"))
    assert form == "osworld" and tasks[f"osworld:examples/os/{UUID}"].wordings == ["Make it silent"]


def test_androidworld_metadata(tmp_path):
    rows = [
        {"task_name": "CallSomebody", "task_template": "Call {name} at {number}.", "difficulty": "easy", "tags": []}
    ]
    form, tasks = read(put(tmp_path / "task_metadata.json", rows))
    assert form == "androidworld" and tasks["androidworld:CallSomebody"].template == "Call {name} at {number}."
    assert tasks["androidworld:CallSomebody"].instruction is None


def test_webarena_file_and_folder(tmp_path):
    row = {"sites": ["shopping_admin"], "task_id": 7, "start_url": "__ADMIN__", "intent": "Name the top 3 brands",
           "intent_template": "Name the top {{n}} brands", "instantiation_dict": {"n": 3}, "eval": {}}  # fmt: skip
    form, tasks = read(put(tmp_path / "test.raw.json", [row, {**row, "task_id": 8, "old_task_id": 512}]))
    assert form == "webarena" and tasks["webarena:7"].template == "Name the top {{n}} brands"
    assert tasks["webarena:7"].sites == ["shopping_admin"] and tasks["webarena:8"].parent == "webarena:512"
    put(tmp_path / "tasks" / "7.json", row)
    put(tmp_path / "tasks" / "9.json", {**row, "task_id": 9})
    form, tasks = read(tmp_path / "tasks", ListOptions(benchmark="webarena_lite"))
    assert form == "webarena" and set(tasks) == {"webarena_lite:7", "webarena_lite:9"}


def test_mind2web_rows_of_one_task_are_one(tmp_path):
    row = {
        "annotation_id": UUID,
        "website": "united",
        "domain": "Travel",
        "confirmed_task": "Book a seat",
        "action_reprs": [],
    }
    form, tasks = read(put(tmp_path / "test_task.json", [row]))
    assert form == "mind2web" and tasks[f"mind2web:{UUID}"].sites == ["united"]
    steps = {"annotation_id": [UUID, UUID, "other"], "confirmed_task": ["Book a seat", "Book a seat", "Rent a car"]}
    pq.write_table(pa.table(steps), tmp_path / "test.parquet")
    _, tasks = read(tmp_path / "test.parquet")
    assert [task.instruction for task in tasks.values()] == ["Book a seat", "Rent a car"]


def test_splits_are_ids_of_the_test_alone(tmp_path):
    form, tasks = read(put(tmp_path / "splits.json", {"train": [1, 2], "validation": [3], "test": [4, 5]}))
    assert form == "androidcontrol" and set(tasks) == {"androidcontrol:4", "androidcontrol:5"}
    form, tasks = read(put(tmp_path / "sub.json", {"IDD": [4], "app_unseen": [5, 4]}))
    assert set(tasks) == {"androidcontrol:IDD/4", "androidcontrol:app_unseen/5", "androidcontrol:app_unseen/4"}
    whole, slice_ = "16990512663249717516", "16990512663249717517.0-3.open settings"
    splits = {"general": {"train": ["1" * 19], "test": [whole]}, "single": {"test": [slice_]}}
    form, tasks = read(put(tmp_path / "aitw.json", splits))
    assert form == "aitw" and set(tasks) == {f"aitw:general/{whole}", f"aitw:single/{slice_}"}
    assert tasks[f"aitw:single/{slice_}"].parent == "16990512663249717517"
    assert tasks[f"aitw:single/{slice_}"].instruction is None
    form, tasks = read(put(tmp_path / "ids.txt", f"{whole}\n{slice_}\n"))
    assert form == "aitw" and len(tasks) == 2
    _, tasks = read(tmp_path / "splits.json", ListOptions(split="validation"))
    assert set(tasks) == {"androidcontrol:validation/3"}


def test_screenspot_has_no_ids_and_pro_has(tmp_path):
    row = {"img_filename": "pc_1f2e.png", "bbox": [1, 2, 3, 4], "instruction": "close this window", "data_type": "icon"}
    form, tasks = read(put(tmp_path / "screenspot_desktop.json", [row, {**row, "instruction": "open a file"}]))
    assert form == "screenspot" and set(tasks) == {"screenspot:pc_1f2e.png#1", "screenspot:pc_1f2e.png#2"}
    assert tasks["screenspot:pc_1f2e.png#1"].files == ["pc_1f2e.png"]
    pro = {**row, "id": "photoshop_windows_3", "application": "photoshop", "img_size": [1, 1]}
    _, tasks = read(put(tmp_path / "pro" / "annotations.json", [pro]).parent)
    assert tasks["screenspot:photoshop_windows_3"].apps == ["photoshop"]


def test_digidata_bench(tmp_path):
    form, tasks = read(put(tmp_path / "bench.csv", "id,goal,app\n1,Order two coffees,Cafe\n"))
    assert form == "digidata_bench" and tasks["digidata:1"].instruction == "Order two coffees"


CSV: Callable[[str], str] = "nr{0}what{0}where\nx1{0}Do the dishes{0}Kitchen\n".format


@pytest.mark.parametrize(("name", "text"), [("a.csv", CSV(",")), ("a.tsv", CSV("\t"))])
def test_any_table_with_its_columns_named(tmp_path, name, text):
    options = ListOptions(id="nr", instruction="what", apps="where", benchmark="home", set="dev")
    form, tasks = read(put(tmp_path / name, text), options)
    assert form == "table" and tasks["home:dev/x1"].instruction == "Do the dishes"
    assert tasks["home:dev/x1"].apps == ["Kitchen"]


def test_lines_of_text_have_no_id_that_a_record_could_name(tmp_path):
    _, tasks = read(put(tmp_path / "list.txt", "Open the door\n\nClose it\n"))
    assert {key: task.instruction for key, task in tasks.items()} == {
        "named:#1": "Open the door",
        "named:#3": "Close it",
    }


def test_rows_of_a_training_split_are_no_test(tmp_path):
    rows = [{"id": "a", "task": "One", "split": "train"}, {"id": "b", "task": "Two", "split": "test"}]
    _, tasks = read(put(tmp_path / "rows.json", rows))
    assert set(tasks) == {"named:b"}


def test_what_is_no_list_is_said(tmp_path):
    with pytest.raises(InputError, match="not there"):
        read(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match=r"no instruction in its columns \(a\).*tests.instruction=COLUMN"):
        read(put(tmp_path / "a.jsonl", '{"a": 1}\n'))
    with pytest.raises(UsageError, match=r"no column 'gaol'.*'goal'"):
        read(put(tmp_path / "b.jsonl", '{"goal": "x"}\n'), ListOptions(instruction="gaol"))
    with pytest.raises(InputError, match="line 2: no row"):
        read(put(tmp_path / "c.jsonl", '{"id": 1, "task": "x"}\n[]\n'))
    with pytest.raises(InputError, match="no list of tasks"):
        read(put(tmp_path / "d.bin", "x"))
    with pytest.raises(UsageError, match="osworld"):
        read(put(tmp_path / "e.txt", "x"), form="osworlds")
    with pytest.raises(InputError, match="holds no records"):
        read(put(tmp_path / "f.json", []))


def test_every_reader_is_found_and_the_table_is_asked_last():
    assert list(task_lists())[-1] == "table" and len(task_lists()) >= 9


def test_the_published_lists(shared):
    lists = shared / "data" / "test-tasks"
    form, tasks = read(lists / "osworld_tasks.jsonl")
    assert form == "osworld" and len(tasks) == 529
    assert Counter(task.set for task in tasks.values())["examples"] == 369
    assert sum(len(task.wordings or ()) for task in tasks.values()) == 116
    ids = Counter(task.id for task in tasks.values())
    assert sum(1 for count in ids.values() if count > 1) >= 49  # the Windows examples have the ids of Linux
    form, tasks = read(lists / "androidworld_tasks.jsonl")
    assert form == "androidworld" and len(tasks) == 116
    assert sum("{" not in str(task.template) for task in tasks.values()) == 26
    form, tasks = read(lists / "webarena_lite_tasks.jsonl")
    assert form == "webarena" and Counter(task.benchmark for task in tasks.values()) == {
        "webarena_lite_v2": 154,
        "webarena_lite": 165,
    }
    form, tasks = read(shared / "data" / "sources" / "androidcontrol" / "splits.json")
    assert form == "androidcontrol" and len(tasks) == 1543
    _, tasks = read(shared / "data" / "sources" / "digirl" / "general_test.txt")
    assert len(tasks) == 432
