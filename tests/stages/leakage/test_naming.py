"""What a record says it is of: ids by set and domain, slices by their parent, one task in several benchmarks, templates
with something in their slots."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from curate.model.arrow import to_table
from curate.model.listed_task import ListedTask
from curate.model.task_ids import parent_of
from curate.model.trajectory import Origin
from curate.stages.base import MeasureContext
from curate.stages.leakage.measuring import Pack, measure
from curate.stages.leakage.pack import benchmark_task
from curate.stages.leakage.slots import Slots
from tests.factories import make_trajectory

UUID = "0a1b2c3d-4e5f-6789-abcd-ef0123456789"


def task(id: str, text: str | None, benchmark: str = "osworld", **more: Any) -> ListedTask:
    made = ListedTask(id=id, instruction=text, benchmark=benchmark, **more)
    made.key = f"{benchmark}:{made.path}"
    return made


def hits(tmp_path: Any, tasks: list[ListedTask], source: str, id: str, text: str, **more: Any) -> set[tuple[str, str]]:
    """(test, kind) that a record of this source and id gives away."""
    pack = Pack([benchmark_task(one, "here") for one in tasks], 3)
    record = make_trajectory(f"{source}:{id}", instruction=text, source=Origin(name=source, id=id), **more)
    row = measure(to_table([record]), pack, MeasureContext(media_root=tmp_path)).to_pylist()[0]
    return {(hit["test"], hit["kind"]) for hit in row["hits"] or ()}


DOMAINS = [
    task(UUID, "Pin the tab", set="examples", domain="chrome"),
    task(UUID, "Archive the mail", set="examples", domain="thunderbird"),
    task(UUID, "Pin the tab", set="examples_windows", domain="chrome"),
]


@pytest.mark.parametrize(
    ("id", "text", "told"),
    [
        (f"thunderbird/{UUID}", "Something else", {"examples/thunderbird"}),
        (f"chrome/{UUID}", "Something else", {"examples/chrome", "examples_windows/chrome"}),
        (f"examples/chrome/{UUID}", "Something else", {"examples/chrome"}),
        (UUID, "archive the mail", {"examples/thunderbird"}),  # the id alone says three; the words say which
        (UUID, "Something else", {"examples/chrome", "examples/thunderbird", "examples_windows/chrome"}),
        (f"gimp/{UUID}", "Something else", set()),
    ],
)
def test_an_id_counts_in_its_set_and_domain(tmp_path, id, text, told):
    found = {test for test, kind in hits(tmp_path, DOMAINS, "osworld", id, text) if kind == "id"}
    assert found == {f"osworld:{one}/{UUID}" for one in told}


def test_one_task_in_three_benchmarks_is_told_three_times(tmp_path):
    tasks = [task("a1", "Mute the sound, please", "osworld"), task("b-wos", "mute the sound please", "waa"),
             task("c", "Turn it off", "waa2", wordings=["Mute the sound please!"])]  # fmt: skip
    found = hits(tmp_path, tasks, "made", "x", "Mute the sound please")
    assert found == {("osworld:a1", "task"), ("waa:b-wos", "task"), ("waa2:c", "task")}


def test_slices_are_found_by_their_parent(tmp_path):
    parent = "16990512663249717516"
    slice_ = task(f"{parent}.0-3.open settings", None, "aitw", set="single")
    for id in (parent, f"{parent}.4-9.go back", f"{parent}.0-3.open settings"):
        assert hits(tmp_path, [slice_], "aitw", id, "Anything") == {(slice_.key, "id")}, id
    assert not hits(tmp_path, [slice_], "aitw", "16990512663249717517.4-9.go back", "Anything")
    whole = task(parent, None, "aitw", set="general")
    assert hits(tmp_path, [whole], "aitw", f"{parent}.4-9.go back", "Anything") == {(whole.key, "id")}


def test_small_numbers_count_with_their_source_alone(tmp_path):
    tasks = [task("4790", None, "androidcontrol", set="IDD"), task("4790", None, "androidcontrol", set="app_unseen")]
    assert hits(tmp_path, tasks, "androidcontrol", "4790", "Anything") == {(one.key, "id") for one in tasks}
    assert not hits(tmp_path, tasks, "digirl", "4790", "Anything")


def test_windows_tasks_and_those_they_were_made_from(tmp_path):
    windows = task(f"{UUID}-wos", "Hide the ruler", "windowsagentarena", domain="writer")
    assert ("windowsagentarena:writer/" + f"{UUID}-wos", "id") in hits(tmp_path, [windows], "osworld", UUID, "Other")
    linux = task(UUID, "Hide the ruler", domain="writer")
    assert (linux.key, "id") in hits(tmp_path, [linux], "waa", f"{UUID}-wos", "Other")


def test_a_class_name_alone_tells(tmp_path):
    tasks = [task("TasksDueOnDate", None, "androidworld", template="What tasks are due {date}?")]
    found = hits(tmp_path, tasks, "os_genesis", "e1", "Set a due date", template="TasksDueOnDate")
    assert found == {("androidworld:TasksDueOnDate", "id")}


@pytest.mark.parametrize(
    ("template", "text", "fits"),
    [
        ("Call {name} and tell them {what} twice.", "call Ada Lovelace and tell them nothing at all twice", True),
        ("Call {name} and tell them {what} twice.", "Call Ada and tell them nothing", False),
        ("Save the recording as {file}.m4a now", "Save the recording as lecture.m4a now", True),
        ("{who} unlocks the northern garden of {{place}}", "Nobody unlocks the northern garden of our school", True),
        ("{a} {b} waters green tomatoes", "so she waters green tomatoes", True),
        ("What is the {{thing}} of {{place}}", "What is the price of a ladder", False),
        ("Open {app}", "Open the calculator", False),  # anybody's words
        ("Assign the issue {{n}} to myself", "Please assign the issue 4 to myself", False),
    ],
)
def test_a_template_with_something_in_its_slots(tmp_path, template, text, fits):
    found = hits(tmp_path, [task("T", None, "androidworld", template=template)], "made", "x", text)
    assert (("androidworld:T", "like_template") in found) == fits


def test_parents():
    assert parent_of("12.3-4.a.5-6.b") == "12" and parent_of("x-wos") == "x"
    assert parent_of("plain") is None and parent_of("1.2") is None


def test_every_published_instruction_fits_the_template_that_it_was_made_from(shared, tmp_path):
    lines = (shared / "data" / "test-tasks" / "webarena_lite_tasks.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line) for line in lines]
    rows = [row for row in rows if "{{" in (row["template"] or "")]
    made, fitting = 0, 0
    for row in rows:
        slots = Slots([benchmark_task(task(row["id"], None, template=row["template"]), "here")])
        made += bool(slots)
        fitting += bool(slots) and slots.fit(row["instruction"]) == [f"osworld:{row['id']}"]
    assert len(rows) == 143 and made == fitting > 120
