"""Explorer's runs: what its pictures and places mean, and how it says the outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest
from PIL import Image

from curate.model import actions as act
from curate.model.trajectory import Trajectory
from curate.sources.explorer import SOURCE
from curate.sources.recognise import find_inputs
from tests.sources.taken import taken

TREE = "[1] [BUTTON] [Send]\n[2] [A] [Help]"


def run(folder: Path, actions: list[dict[str, Any]], pictures: int, **more: Any) -> Path:
    """A run with so many pictures, each of another colour."""
    folder.mkdir()
    data = {
        "init_url": "http://a.example/", "viewport-width": 100, "viewport-height": 50, "actions": actions,
        "task_summary": "Send it.", "verifier_agent_response": "Thoughts: Fine.\nStatus: success",
    }  # fmt: skip
    data |= more
    (folder / "task_trajectory_data.json").write_text(json.dumps(data), encoding="utf-8")
    for number in range(pictures):
        Image.new("RGB", (100, 50), (number, 0, 0)).save(folder / f"screenshot_{number}.png")
    return folder


def action(call: str = "click [1]", **more: Any) -> dict[str, Any]:
    return {"new_action_grounded": call, "acc_tree_before": TREE, "URL_after": "http://a.example/next"} | more


def colours(record: Trajectory, folder: Path) -> list[int | None]:
    """The number of the picture that each step has."""
    found: list[int | None] = []
    for step in record.steps:
        with Image.open(folder / "taken" / step.image) if step.image else Image.new("RGB", (1, 1)) as picture:
            pixel = picture.getpixel((0, 0))
        found.append(pixel[0] if step.image and isinstance(pixel, tuple) else None)
    return found


def only(folder: Path, tmp_path: Path) -> Trajectory:
    found = taken(SOURCE, folder, tmp_path)
    assert not found.refused
    return found.records[0]


def test_the_place_is_the_elements_centre_and_its_box_lies_around_it(tmp_path: Path) -> None:
    place = {"x": 30.0, "y": 20.0, "width": 40.0, "height": 10.0}
    step = only(run(tmp_path / "r", [action(bounding_box_coord=place)], 1), tmp_path).steps[0]
    assert step.actions == [act.Click(x=0.3, y=0.4)]
    assert step.element is not None and step.element.box == (0.1, 0.3, 0.5, 0.5)  # 10..50 of 100, 15..25 of 50
    assert (step.element.role, step.element.name) == ("button", "Send")


def test_without_a_place_the_element_is_named_by_its_number(tmp_path: Path) -> None:
    step = only(run(tmp_path / "r", [action()], 1), tmp_path).steps[0]
    assert step.actions == [act.Click(element_id="1")] and step.tree is not None


@pytest.mark.parametrize(
    ("count", "pictures", "expected"),
    [(3, 3, [0, 1, 2]), (3, 4, [0, 1, 2]), (9, 10, [None] * 9), (3, 5, [None] * 3)],
    ids=["one each", "and the one it stopped on", "at the limit an attempt may have failed", "an attempt failed"],
)
def test_a_picture_of_its_own_number_only_where_no_attempt_can_have_failed(
    count: int, pictures: int, expected: list[int | None], tmp_path: Path
) -> None:
    record = only(run(tmp_path / "r", [action()] * count, pictures), tmp_path)
    assert colours(record, tmp_path) == expected
    assert [("picture_unsure" in step.flags) for step in record.steps] == [one is None for one in expected]


def test_pages_tell_which_attempt_failed(tmp_path: Path) -> None:
    trees = ["[1] [A] [First page]", "[1] [A] [Second page]"]
    folder = run(tmp_path / "r", [action(acc_tree_before=tree) for tree in trees], 4)
    pages = ["First page", "A pop-up", "Second page", "Third page"]  # the attempt on the pop-up failed, then it stopped
    for number, text in enumerate(pages):
        (folder / f"html_{number}.html").write_text(f"<p>{text}</p>", encoding="utf-8")
    assert colours(only(folder, tmp_path), tmp_path) == [0, 2]


def test_a_marked_pictures_name_says_the_number(tmp_path: Path) -> None:
    actions = [action(screenshot_action_som=f"screenshot_action_som_{number}.png") for number in (0, 2, 3)]
    assert colours(only(run(tmp_path / "r", actions, 5), tmp_path), tmp_path) == [0, 2, 3]


@pytest.mark.parametrize(
    ("said", "completed"),
    [
        ("Thoughts: ok\nStatus: success", True),
        ('Thoughts: ok\nStatus: "success"', True),
        ("Thoughts: no\nStatus: 'failure'", False),
        ("Status: success is what I first thought.\nStatus: failure", False),
        ("Thoughts: the search was unsuccessful", None),
        ("Status: unsuccessful", None),
        ("", None),
    ],
)
def test_the_last_status_is_the_outcome_and_unsuccessful_is_no_success(
    said: str, completed: bool | None, tmp_path: Path
) -> None:
    record = only(run(tmp_path / "r", [action()], 1, verifier_agent_response=said), tmp_path)
    assert record.outcome.completed is completed


def test_the_pages_address_is_the_one_that_the_action_before_led_to(tmp_path: Path) -> None:
    record = only(run(tmp_path / "r", [action(), action()], 2), tmp_path)
    assert [step.url for step in record.steps] == ["http://a.example/", "http://a.example/next"]


def rows_of_the_set() -> list[dict[str, Any]]:
    done = {"acc_tree_visible_before": TREE, "acc_tree_other_before": "", "action_grounded": "click [1]"}
    down = {**done, "action_grounded": "scroll [down]"}
    return [
        {"folder": "c_1", "summary_abstract": "Send it.", "actions": [done, down]},
        {"folder": "../c_2", "summary_abstract": "Send it.", "actions": [done]},
        {"folder": "c_3", "summary_abstract": "", "actions": [done]},
    ]


@pytest.mark.parametrize("form", ["arrow", "parquet", "jsonl", "json"])
def test_the_training_set_as_rows(form: str, tmp_path: Path) -> None:
    """As `datasets` keeps it on the disk, in all its forms; the pictures of a run in its own folder."""
    rows = rows_of_the_set()
    where = tmp_path / "set"
    where.mkdir()
    if form == "arrow":
        datasets.Dataset.from_list(rows).save_to_disk(where)
    elif form == "parquet":
        datasets.Dataset.from_list(rows).to_parquet(where / "rows.parquet")
    else:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (where / f"rows.{form}").write_text(lines if form == "jsonl" else json.dumps(rows), encoding="utf-8")
    (where / "c_1").mkdir()
    for number in range(2):
        Image.new("RGB", (100, 50), (number, 0, 0)).save(where / "c_1" / f"screenshot_{number}.png")
    inputs = find_inputs([where])
    (one,) = inputs.inputs
    assert one.source == "explorer" and not inputs.unknown
    found = taken(SOURCE, one.path, tmp_path)
    (record,) = found.records
    assert record.instruction == "Send it." and record.source.line == 1
    assert [step.actions for step in record.steps] == [[act.Click(element_id="1")], [act.Scroll(-1.0, "page")]]
    assert colours(record, tmp_path) == [0, 1] and all(step.tree for step in record.steps)
    assert [(row.line, row.reason) for row in found.refused] == [(2, "read.path_refused"), (3, "import.no_task")]
