"""The Agent Data Protocol: known faults of its records, and what this project writes in it comes back as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from curate.model import actions as act
from curate.model.trajectory import encode
from curate.sources.adp import SOURCE
from curate.sources.parts.adp_actions import space_of
from curate.store.trees import read_tree
from tests.sources.taken import Taken, taken


def user(text: str) -> dict[str, Any]:
    return {"class_": "text_observation", "content": text, "source": "user"}


def seen(name: str = "p.png", **more: Any) -> dict[str, Any]:
    return {"class_": "image_observation", "content": name, "annotations": None, "source": "environment"} | more


def did(function: str, **kwargs: Any) -> dict[str, Any]:
    return {"class_": "api_action", "function": function, "kwargs": kwargs, "description": None}


def read(folder: Path, content: list[dict[str, Any]], details: Any = None, **stated: Any) -> Taken:
    Image.new("RGB", (100, 200)).save(folder / "p.png")
    rows = [{"id": "r", "content": content, "details": details or {}}]
    (folder / "std.json").write_text(json.dumps(rows), encoding="utf-8")
    assert SOURCE.recognise(folder / "std.json")
    return taken(SOURCE, folder / "std.json", folder, **stated)


def actions(found: Taken) -> list[list[Any]]:
    assert not found.refused, found.refused
    return [list(step.actions) for step in found.records[0].steps]


def test_a_goal_that_stands_as_the_agents_message_is_the_goal(tmp_path: Path) -> None:
    goal = {"class_": "message_action", "content": "Open a private window"}
    found = read(tmp_path, [goal, seen(), did("click", x=50, y=50)])
    assert found.records[0].instruction == "Open a private window" and actions(found) == [[act.Click(x=0.5, y=0.25)]]


def test_a_message_after_the_users_is_an_answer(tmp_path: Path) -> None:
    found = read(tmp_path, [user("What is it?"), seen(), {"class_": "message_action", "content": "A lamp."}])
    assert actions(found) == [[act.Answer("A lamp.")]]


def test_what_the_environment_says_as_the_user_is_no_second_task(tmp_path: Path) -> None:
    content = [user("Do it"), seen(), did("click", x=50, y=50), user("Clicked."), seen(), did("click", x=60, y=50)]
    record = read(tmp_path, content).records[0]
    assert record.instruction == "Do it" and [step.observation for step in record.steps] == [None, "Clicked."]


@pytest.mark.parametrize(
    ("points", "space"),
    [
        ([(0.5, 0.25)], "fraction"), ([(0, 1), (0.5, 1)], "fraction"), ([(12, 90)], "picture_pixel"),
        ([(1288.5, 116.0)], "picture_pixel"), ([(0, 1)], None), ([], None), ([(0.5, 0.5), (300, 4)], None),
    ],
)  # fmt: skip
def test_a_records_own_numbers_tell_its_frame(points: list[tuple[float, float]], space: str | None) -> None:
    assert space_of(points) == space


def test_a_frame_that_nothing_tells_is_asked_for_and_the_user_may_state_it(tmp_path: Path) -> None:
    content = [user("Do it"), seen(), did("click", x=0, y=1)]
    assert [one.reason for one in read(tmp_path, content).refused] == ["import.undecided"]
    assert actions(read(tmp_path, content, space="picture_pixel")) == [[act.Click(x=0.0, y=0.005)]]


def test_pixels_without_the_picture_they_are_of_refuse_the_record(tmp_path: Path) -> None:
    found = read(tmp_path, [user("Do it"), seen(), did("click", x=50, y=50), seen("gone.png"), did("click", x=5, y=5)])
    assert [one.reason for one in found.refused] == ["import.size_unknown"]


@pytest.mark.parametrize(
    ("scroll", "amount", "unit"),
    [
        (did("scroll", direction="down"), -1.0, "page"),
        (did("scroll", delta_x=0, delta_y=500), -500.0, "pixel"),
        (did("scroll", clicks=-3), -3.0, "notch"),
    ],
)
def test_each_functions_own_sign_of_scrolling(scroll: dict[str, Any], amount: float, unit: Any, tmp_path: Path) -> None:
    assert actions(read(tmp_path, [user("Do it"), seen(), scroll])) == [[act.Scroll(amount, unit)]]


def test_a_tap_and_a_swipe_of_android_in_the_wild(tmp_path: Path) -> None:
    tap, swipe = (did("touch_and_lift", x0=0.5, y0=0.8, x1=0.5, y1=y) for y in (0.81, 0.3))
    found = read(tmp_path, [user("Do it"), seen(), tap, seen(), swipe])
    assert actions(found) == [[act.Click(x=0.5, y=0.8)], [act.Swipe(0.5, 0.8, 0.5, 0.3)]]


def test_quotes_that_a_converter_put_around_texts_come_off_and_typed_ones_stay(tmp_path: Path) -> None:
    page = {"class_": "web_observation", "axtree": "[7] textbox 'Q'", "html": None, "url": None}
    put = read(tmp_path, [user("Do it"), page, did("fill", bid='"7"', value='"oak"')])
    typed = read(tmp_path, [user("Do it"), page, did("fill", bid="7", value='"oak"')])
    assert actions(put) == [[act.Clear(element_id="7"), act.Write("oak")]]
    assert actions(typed) == [[act.Clear(element_id="7"), act.Write('"oak"')]]


def test_noted_boxes_are_a_tree_and_what_leaves_the_picture_has_none(tmp_path: Path) -> None:
    boxes = [{"x": 10, "y": 20, "width": 30, "height": 40}, {"x": 90, "y": 20, "width": 30, "height": 40}]
    noted = [{"text": "a", "element_type": "TEXT", "bounding_box": box} for box in boxes]
    found = read(tmp_path, [user("Do it"), seen(annotations=noted), did("click", x=50, y=50)])
    reference = found.records[0].steps[0].tree
    assert reference is not None
    assert [node.box for node in read_tree(found.media, reference).nodes] == [(0.1, 0.1, 0.4, 0.3), None]


def test_agentnets_own_success_at_every_end_counts_only_where_the_details_bear_it_out(tmp_path: Path) -> None:
    content = [user("Do it"), seen(), did("click", x=0.5, y=0.5), seen(), did("terminate", status="success")]
    ends = [
        actions(read(tmp_path, content, {"dataset": "agentnet", "task_completed": said}))[-1]
        for said in ("True", "False")
    ]
    assert ends == [[act.Terminate("success")], [act.Terminate()]]


def test_the_sentence_that_a_converter_put_around_the_goal_comes_off(tmp_path: Path) -> None:
    goal = (
        "You are given the following objective: Find the lamp.\nExamine the current web page and perform the next "
        "appropriate action to move toward completing the objective."
    )
    assert read(tmp_path, [user(goal), seen(), did("click", x=50, y=50)]).records[0].instruction == "Find the lamp."


def test_a_shell_is_no_screen(tmp_path: Path) -> None:
    shell = {"class_": "code_action", "language": "bash", "content": "ls"}
    assert [one.reason for one in read(tmp_path, [user("Do it"), shell]).refused] == ["import.not_gui"]


@settings(max_examples=25)
@given(st.text(max_size=40), st.text(max_size=40), st.booleans())
def test_what_our_format_writes_is_the_same_record_again(task: str, thought: str, done: bool) -> None:
    """The contract with the training format `adp`: the whole record in the details, its code in the content."""
    import tempfile

    from curate.model.trajectory import Origin, Outcome, Step, Trajectory

    steps = [
        Step(index=0, thought=thought, actions=[act.Click(x=0.1234, y=0.5)], code="pyautogui.click(x=0.1234, y=0.5)"),
        Step(index=3, actions=[act.Click(raw_point=(9.5, 1.0))], flags=["off_screen"]),
    ]
    record = Trajectory(
        id="x:1", source=Origin(name="x"), instruction=task, steps=steps, outcome=Outcome(completed=done, by="human")
    )
    content = [user(task), {"class_": "code_action", "language": "python", "content": steps[0].code}]
    with tempfile.TemporaryDirectory() as folder:
        rows = {"id": record.id, "content": content, "details": {"trajectory.v1": encode(record).decode()}}
        (Path(folder) / "ours.jsonl").write_text(json.dumps(rows) + "\n", encoding="utf-8")
        (again,) = taken(SOURCE, Path(folder) / "ours.jsonl", Path(folder)).records
    assert encode(again) == encode(record)
