"""GUIAct: fractions in tagged text, scrolls whose plus is down, pictures in a table beside the rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.trajectory import Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.guiact import SOURCE
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from tests.sources.folders import read_all, read_one, rejected_one
from tests.sources.phones import picture, written

FIXTURES = Path(__file__).parent / "fixtures" / "guiact"
SIZE = {"width": 100, "height": 50}


def rows(folder: Path, *labels: Any, kind: str = "record") -> Path:
    made = []
    for number, label in enumerate(labels):
        name = f"{kind}{number}"
        (folder / "images").mkdir(parents=True, exist_ok=True)
        (folder / "images" / f"{name}.png").write_bytes(picture((100, 50), number))
        made.append({"uid": f"uid_{kind}_7_step_0{number}", "image_id": name, "image_size": SIZE, "question": "Do it",
                     "thoughts": "", "actions_label": label})  # fmt: skip
    return written(folder / "web-multi_test_data.json", made)


def element(text: str) -> dict[str, Any]:
    return {"element": {"id": 1, "absolute": "<box>0, 0, 9, 9</box>", "related": text}}


def point(text: str) -> dict[str, Any]:
    return {"point": {"related": text}}


def scroll(down: str, right: str, px_down: float = 0, px_right: float = 0) -> dict[str, Any]:
    far = {"related": {"down": down, "right": right}, "absolute": {"down": px_down, "right": px_right}}
    return {"name": "scroll", "scroll": far}


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ({"name": "click", **element("<box>0.2, 0.4, 0.4, 0.8</box>")}, [act.Click(x=0.3, y=0.6)]),
        (
            {"name": "Click", **element("<box>0.2, 0.4, 0.4, 0.8</box>"), **point("<point>0.25, 0.5</point>")},
            [act.Click(x=0.25, y=0.5)],
        ),
        ({"name": "hover", **point("<point>0.1, 0.9</point>")}, [act.MoveTo(x=0.1, y=0.9)]),
        ({"name": "input", "text": "a"}, [act.Write("a")]),
        ({"name": "input", "text": "a", **point("<point>0.1, 0.9</point>")}, [act.Click(x=0.1, y=0.9), act.Write("a")]),
        ({"name": "enter"}, [act.Press("enter")]),
        (
            {"name": "select", "text": "b", **element("<box>0, 0, 1, 0.5</box>")},
            [act.SelectOption(x=0.5, y=0.25, value="b")],
        ),
        (scroll("0.5", "0.0"), [act.Scroll(amount=-0.5, unit="page")]),  # plus is down
        (scroll("-0.5", "0.25"), [act.Scroll(amount=0.5, unit="page"), act.HScroll(amount=0.25, unit="page")]),
        (scroll("0.00", "-0.00", px_down=3), [act.Scroll(amount=-3.0, unit="pixel")]),
        (scroll("0.00", "0.00"), []),
        ({"name": "answer", "text": "42"}, [act.Answer("42")]),
        ({"name": "copy", "text": "x"}, [act.Hotkey(("ctrl", "c"))]),
    ],
)
def test_what_a_label_says(tmp_path: Path, label: dict[str, Any], meant: list[Action]) -> None:
    step = read_one(rows(tmp_path / "in", [label]), tmp_path / "out").steps[0]
    assert step.actions == meant and (step.flags == []) is bool(meant)


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ({"name": "click"}, "validate.schema"),
        ({"name": "click", **point("<point>0.1</point>")}, "validate.schema"),
        ({"name": "click", **point("<point>0.1, 1.01</point>")}, "validate.coordinate_out_of_range"),
        ({"name": "click", **element("<box>0.2, 0.4, 1.4, 0.8</box>")}, "validate.coordinate_out_of_range"),
        ({"name": "scroll", "scroll": {"related": {"down": "far", "right": "0"}}}, "validate.schema"),
        ({"name": "swipe"}, "validate.schema"),
        ({"name": "fly"}, "import.unsupported_action"),
        ({}, "import.unsupported_action"),
    ],
)
def test_what_has_no_meaning_refuses_the_run(tmp_path: Path, label: dict[str, Any], reason: str) -> None:
    assert rejected_one(rows(tmp_path / "in", [label]), tmp_path / "out").reason == reason


def test_a_second_click_of_the_same_is_meant_and_only_the_focus_of_an_input_is_not_said_twice(tmp_path: Path) -> None:
    there = point("<point>0.5, 0.5</point>")
    labels = [{"name": "click", **there}, {"name": "click", **there}, {"name": "input", "text": "3", **there}]
    click = act.Click(x=0.5, y=0.5)
    assert read_one(rows(tmp_path / "in", labels), tmp_path / "out").steps[0].actions == [click, click, act.Write("3")]


def test_pictures_come_out_of_the_table_of_their_own_file(tmp_path: Path) -> None:
    found = read_all(FIXTURES / "smartphone/raw", tmp_path)
    (record,) = (one for one in found if isinstance(one, Trajectory))
    assert record.platform == "android" and record.source.id == "10270"
    assert [step.index for step in record.steps] == [0, 1, 2, 3, 4]  # the file has step 1 first
    assert len({step.image for step in record.steps}) == 5 and not any(step.flags for step in record.steps)


def test_questions_on_one_picture_are_runs_of_one_step(tmp_path: Path) -> None:
    found = [one for one in read_all(FIXTURES / "web/raw", tmp_path) if isinstance(one, Trajectory)]
    single = [one for one in found if "uid_image" in one.id]
    assert [one.id for one in single[:2]] == ["guiact:uid_image_ab_qa_01", "guiact:uid_image_ab_qa_02"]
    assert (
        single[0].steps[0].image == single[1].steps[0].image and single[0].steps[0].thought == "click on the headline"
    )


def test_a_row_whose_picture_is_not_in_the_table_is_kept_where_pictures_are_optional(tmp_path: Path) -> None:
    raw = FIXTURES / "web/raw"
    stated = ReadContext(media=MediaStore(tmp_path), options={"import": {"pictures": "optional"}}, shown="a")
    found = [one for one in SOURCE.read(raw / "web-single_test_data.json", stated) if isinstance(one, Read)]
    lost = next(one.trajectory for one in found if one.trajectory.id.endswith("xx_qa_01"))
    assert (lost.steps[0].image, lost.steps[0].flags) == (None, ["picture_missing"])


def test_the_table_of_pictures_is_no_input_and_not_unknown() -> None:
    found = find_inputs([FIXTURES / "web/raw"])
    assert [one.path.name for one in found.inputs] == ["web-multi_train_data.json", "web-single_test_data.json"]
    assert found.unknown == []


def test_the_public_rows(shared: Path, tmp_path: Path) -> None:
    for name, meant in (
        ("guiact_smartphone_row.json", act.Click(x=0.88, y=0.64)),
        ("guiact_web_single_row.json", act.Click(x=0.9115, y=0.047)),  # the middle of 0.879, 0.022, 0.944, 0.072
    ):
        public = shared / "data/sources/quoted_records" / name
        assert [one.source for one in find_inputs([public]).inputs] == ["guiact"]
        content = json.loads(public.read_text(encoding="utf-8"))
        row = content[0] if isinstance(content, list) else content
        folder = tmp_path / name
        (folder / "images").mkdir(parents=True)
        size = (row["image_size"]["width"], row["image_size"]["height"])
        (folder / "images" / f"{row['image_id']}.png").write_bytes(picture(size))
        record = read_one(written(folder / "a.json", [row]), tmp_path / "out")
        assert record.steps[0].actions == [meant] and record.steps[0].image_size == size
        assert record.outcome.completed is None and record.source.license == "Apache-2.0"
