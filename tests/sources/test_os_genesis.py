"""OS-Genesis: histories numbered from 2, two rows of one step, numbers of the list that was shown, lists of tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.model import actions as act
from curate.sources.os_genesis import SOURCE
from curate.sources.parts.os_genesis_raw import listed
from tests.sources.taken import Taken, taken

CLICK = '{"action_type": "click", "x": 540, "y": 600}'


def phone(history: str, answer: str = f"Low-level thought: So.\nactions:\n{CLICK}", **more: Any) -> dict[str, Any]:
    prompt = (
        f"High-level instruction: {more.pop('goal', 'Do it')}\n\nAction history: {history}\n\n"
        'Accessibility tree: {"Go": "(540.0, 600.0)"}\n\nPlease generate the low-level thought and action.'
    )
    turns = [{"from": "human", "value": prompt}, {"from": "gpt", "value": answer}]
    return {"id": "x", "image": None, "conversations": turns} | more


def web(past: list[int], call: str = "click [3]") -> dict[str, Any]:
    history = "\n".join(f"step {number}: click [{number}] where [{number}] is link 'a'" for number in past)
    prompt = f"Instruction: Do it\n\nAccessibility tree: [3] link 'Go'\n\nAction History: {history or 'None'}"
    turns = [{"from": "human", "value": prompt}, {"from": "gpt", "value": f"So. ```{call}```"}]
    return {"id": "w", "image": None, "conversations": turns}


def read(folder: Path, rows: list[dict[str, Any]]) -> Taken:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert SOURCE.recognise(path)
    return taken(SOURCE, path, folder)


def places(found: Taken) -> list[list[int]]:
    return [[step.index for step in one.steps] for one in found.records]


def test_a_history_numbered_from_2_is_one_action_and_no_gap(tmp_path: Path) -> None:
    found = read(tmp_path, [web([]), web([2]), web([2, 3])])
    assert places(found) == [[0, 1, 2]]
    assert not any("step_gap" in step.flags for step in found.records[0].steps)


def test_a_history_that_begins_again_is_another_run_of_the_same_instruction(tmp_path: Path) -> None:
    found = read(tmp_path, [web([]), web([2]), web([]), web([2])])
    assert places(found) == [[0, 1], [0, 1]]


def test_a_history_that_jumps_leaves_a_gap(tmp_path: Path) -> None:
    found = read(tmp_path, [web([]), web([2, 3])])
    assert places(found) == [[0, 2]] and found.records[0].steps[1].flags == ["step_gap"]


@pytest.mark.parametrize(
    ("history", "place"),
    [
        ("", 0),
        ("None", 0),
        ("[]", 0),
        ("step 1: tap", 1),
        ("Step 1: tap; then step 9: done\nstep 2: type", 2),
        ("tap\ntype", 2),
    ],
)
def test_past_actions_are_counted_by_numbers_that_go_on_or_by_lines(history: str, place: int, tmp_path: Path) -> None:
    assert places(read(tmp_path, [phone(history)])) == [[place]]


def test_two_rows_of_one_step_are_one_step_with_the_words_of_both(tmp_path: Path) -> None:
    rows = [phone(""), phone("", f"Low-level instruction: Tap Go.\nactions:\n{CLICK}"), phone("step 1: Tap Go.")]
    found = read(tmp_path, rows)
    first = found.records[0].steps[0]
    assert places(found) == [[0, 1]] and (first.thought, first.low_level) == ("So.", "Tap Go.")


def test_the_same_action_again_is_a_step_of_its_own(tmp_path: Path) -> None:
    found = read(tmp_path, [phone(""), phone("step 1: a"), phone("step 1: a\nstep 2: a")])
    assert [step.code for step in found.records[0].steps] == ["pyautogui.click(x=0.5, y=0.25)"] * 3


def test_without_a_picture_points_are_parts_of_the_phone_that_they_were_measured_on(tmp_path: Path) -> None:
    step = read(tmp_path, [phone("")]).records[0].steps[0]
    assert step.actions == [act.Click(x=540 / 1080, y=600 / 2400)]
    assert step.element is not None and step.element.name == "Go"


def test_scroll_down_shows_what_stands_below(tmp_path: Path) -> None:
    row = phone("", 'actions:\n{"action_type": "scroll", "direction": "down"}')
    assert read(tmp_path, [row]).records[0].steps[0].actions == [act.Scroll(amount=-1.0, unit="page")]


def test_numbers_are_those_of_the_list_that_was_shown() -> None:
    text = (
        "UI element 4: UIElement(text='A (1)', class_name='x.Button', bbox_pixels=BoundingBox(x_min=0, x_max=10, "
        'y_min=20, y_max=40), hint_text=None)\nUI element 14: UIElement(text=None, content_description="it\'s", '
        "class_name='x.View', bbox_pixels=BoundingBox(x_min=1, x_max=2, y_min=3, y_max=4))\nUI element 15: UIElement()"
    )
    four, fourteen = listed(text, 4), listed(text, 14)
    assert four is not None and four.box == (0.0, 20.0, 10.0, 40.0) and (four.role, four.name) == ("x.Button", "A (1)")
    assert fourteen is not None and fourteen.box == (1.0, 3.0, 2.0, 4.0) and fourteen.name == "it's"
    assert listed(text, 15) is None and listed(text, 5) is None


def test_the_class_of_the_test_task_stays_with_the_run(tmp_path: Path) -> None:
    turn = {"action_json": '{"action_type": "navigate_back"}', "action_reason": "Back."}
    tasks = [
        {
            "task_id": "t",
            "app_name": "Clock",
            "task_name": "ClockTimerEntry",
            "refine_task": "Set it.",
            "gpt_traj": [turn],
        }
    ]
    (tmp_path / "runs.json").write_text(json.dumps(tasks), encoding="utf-8")
    record = taken(SOURCE, tmp_path / "runs.json", tmp_path).records[0]
    assert record.template == "ClockTimerEntry" and record.apps == ["Clock"] and record.outcome.completed is None


def test_the_real_list_of_tasks_is_said_to_be_one(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/sources/os_genesis/aw_instructions.head.json"
    assert SOURCE.recognise(path)
    found = taken(SOURCE, path, tmp_path)
    assert not found.records
    assert [(one.reason, one.line) for one in found.refused] == [("import.task_list", None)]
    assert found.refused[0].detail is not None and "200 tasks" in found.refused[0].detail
