"""Mind2Web, Multimodal-Mind2Web and their ports: rules in words, and the real action that is quoted in public."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curate.model import actions as act
from curate.model.trajectory import Step
from curate.sources import mind2web, multimodal_mind2web
from curate.sources.parts.mind2web_steps import Shown, page_size, rect, shown, split_told
from tests.sources.taken import Taken, taken


def png(width: int, height: int) -> bytes:
    data = io.BytesIO()
    Image.new("1", (width, height)).save(data, "PNG")
    return data.getvalue()


def candidate(box: str, node: str = "8") -> str:
    inner = json.dumps({"backend_node_id": node, "bounding_box_rect": box})
    return json.dumps({"tag": "button", "attributes": inner, "backend_node_id": node})


def row(place: int, picture: bytes, box: str | None, op: str = "CLICK", value: str = "", **more: Any) -> dict[str, Any]:
    return {
        "annotation_id": "t", "action_uid": f"u{place}", "confirmed_task": "Do it.", "website": "shop",
        "operation": json.dumps({"op": op, "original_op": op, "value": value}), "target_action_index": str(place),
        "pos_candidates": [candidate(box)] if box else [], "screenshot": {"bytes": picture, "path": None},
        "action_reprs": [], "target_action_reprs": f"[button]  Go -> {op}", "cleaned_html": "<html></html>",
    } | more  # fmt: skip


def table(folder: Path, rows: list[dict[str, Any]], name: str = "train-00000-of-00001.parquet") -> Path:
    pq.write_table(pa.Table.from_pylist(rows), folder / name)
    return folder / name


def read(folder: Path, rows: list[dict[str, Any]]) -> Taken:
    return taken(multimodal_mind2web.SOURCE, table(folder, rows), folder)


def only(folder: Path, one: dict[str, Any]) -> Step:
    found = read(folder, [one])
    assert not found.refused
    return found.records[0].steps[0]


def test_the_point_is_the_centre_of_the_box_in_the_rows_own_picture(tmp_path: Path) -> None:
    found = read(tmp_path, [row(0, png(200, 1000), "50,100,40,20"), row(1, png(400, 500), "50,100,40,20")])
    points = [step.actions[0] for step in found.records[0].steps]
    assert points == [act.Click(x=70 / 200, y=110 / 1000), act.Click(x=70 / 400, y=110 / 500)]
    assert [step.image_size for step in found.records[0].steps] == [(200, 1000), (400, 500)]
    assert [(seen.raw, seen.picture, seen.box) for seen in found.seen.points] == [
        ((70.0, 110.0), (200, 1000), (50.0, 100.0, 90.0, 120.0)),
        ((70.0, 110.0), (400, 500), (50.0, 100.0, 90.0, 120.0)),
    ]


@pytest.mark.parametrize(
    ("op", "value", "actions"),
    [
        ("CLICK", "", [act.Click(x=0.5, y=0.5)]),
        ("TYPE", "oak", [act.Click(x=0.5, y=0.5), act.Write("oak")]),
        ("SELECT", "Red", [act.SelectOption(x=0.5, y=0.5, value="Red")]),
        ("HOVER", "", [act.MoveTo(x=0.5, y=0.5)]),
        ("ENTER", "", [act.Press("enter")]),
        ("click", "", [act.Click(x=0.5, y=0.5)]),
    ],
)
def test_each_operation(op: str, value: str, actions: list[Any], tmp_path: Path) -> None:
    assert only(tmp_path, row(0, png(100, 100), "40,40,20,20", op, value)).actions == actions


def test_what_was_done_is_the_original_operation_not_the_folded_one(tmp_path: Path) -> None:
    folded = json.dumps({"op": "CLICK", "original_op": "HOVER", "value": ""})
    step = only(tmp_path, row(0, png(100, 100), "40,40,20,20", operation=folded))
    assert step.actions == [act.MoveTo(x=0.5, y=0.5)]


def test_a_step_without_an_element_has_no_point_and_no_code(tmp_path: Path) -> None:
    step = only(tmp_path, row(0, png(100, 100), None, "SELECT", "Red"))
    assert step.actions == [act.SelectOption(value="Red")] and step.code is None and step.flags == ["no_target"]


def test_a_centre_off_the_picture_stays_off_it(tmp_path: Path) -> None:
    step = only(tmp_path, row(0, png(100, 100), "40,190,20,20"))
    assert step.actions == [act.Click(raw_point=(50.0, 200.0))] and step.flags == ["off_screen"]


def test_a_picture_of_a_hundred_megapixels_is_read(tmp_path: Path) -> None:
    step = only(tmp_path, row(0, png(1280, 78_125), "600,70000,80,50"))
    assert step.image is not None and step.image_size == (1280, 78_125)
    assert step.actions == [act.Click(x=0.5, y=round(70_025 / 78_125, 4))]


def test_a_damaged_picture_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    found = read(tmp_path, [row(0, png(100, 100)[:40], "40,40,20,20"), row(1, png(100, 100), "40,40,20,20")])
    first, second = found.records[0].steps
    assert first.image is None and first.flags == ["picture_damaged", "picture_missing"]
    assert first.actions == [act.Click(element_id="8")] and second.actions == [act.Click(x=0.5, y=0.5)]


def test_a_tasks_rows_may_go_on_in_the_next_file_in_any_order(tmp_path: Path) -> None:
    table(tmp_path, [row(2, png(9, 9), "1,1,2,2"), row(0, png(9, 9), "1,1,2,2")], "train-00000-of-00002.parquet")
    table(tmp_path, [row(1, png(9, 9), "1,1,2,2")], "train-00001-of-00002.parquet")
    assert multimodal_mind2web.SOURCE.recognise(tmp_path)
    found = taken(multimodal_mind2web.SOURCE, tmp_path, tmp_path)
    assert [[step.index for step in one.steps] for one in found.records] == [[0, 1, 2]]


def test_a_folder_with_other_tables_is_not_one_input(tmp_path: Path) -> None:
    one = table(tmp_path, [row(0, png(9, 9), "1,1,2,2")])
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other.parquet")
    assert not multimodal_mind2web.SOURCE.recognise(tmp_path) and multimodal_mind2web.SOURCE.recognise(one)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("587,596.59375,93,54", (587.0, 596.59375, 680.0, 650.59375)),
        (" 0, 0, 1280, 7411.703125 ", (0.0, 0.0, 1280.0, 7411.703125)),
        ("-1,-1,-1,-1", None),
        ("1,2,3", None),
        ("a,b,c,d", None),
        (None, None),
    ],
)
def test_a_box_is_four_numbers_in_a_string(text: str | None, box: Any) -> None:
    assert rect(text) == box


@pytest.mark.parametrize(
    ("picture", "page", "expected"),
    [
        ((1280, 7412), (1280.0, 7411.7), Shown((1280, 7412))),
        ((1280, 9000), (1280.0, 7411.7), Shown((1280, 9000))),  # what is taller than its root shows more, not less
        ((1280, 7300), (1280.0, 7411.7), Shown((1280, 7300))),
        ((1280, 2529), (1280.0, 7411.7), Shown(None, True)),  # SeeAct's crop of that page
        ((2560, 14823), (1280.0, 7411.7), Shown((1280, 7412))),  # two pixels of the picture for each of the page
        ((640, 640), (1280.0, 7411.7), Shown(None, True)),
        ((1280, 2529), None, Shown((1280, 2529))),
        (None, (1280.0, 7411.7), Shown(None)),
    ],
)
def test_how_a_picture_and_its_page_fit(picture: Any, page: Any, expected: Shown) -> None:
    assert shown(picture, page) == expected


def test_the_pages_size_stands_at_its_root() -> None:
    assert page_size('<html backend_node_id="3" bounding_box_rect="0,0,1280,4358.5" class="x"><body/>') == (
        1280,
        4358.5,
    )
    assert page_size("<html><body/>") is None and page_size(None) is None


def test_the_real_action_of_seeclicks_port_says_no_task(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/sources/quoted_records/mind2web_seeclick_port_action.json"
    assert mind2web.SOURCE.recognise(path)
    found = taken(mind2web.SOURCE, path, tmp_path)
    assert not found.records and [one.reason for one in found.refused] == ["import.no_task"]


def test_the_real_action_in_a_task_with_its_picture_lies_in_its_box(shared: Path, tmp_path: Path) -> None:
    """Its raw box begins at y = 1701 of the page, its port's at y = 163 of the cropped picture."""
    action = json.loads((shared / "data/sources/quoted_records/mind2web_seeclick_port_action.json").read_text())
    (tmp_path / "mind2web_images").mkdir()
    Image.new("RGB", (1280, 1080)).save(tmp_path / "mind2web_images" / f"t-{action['action_uid']}.jpg")
    task = {"annotation_id": "t", "confirmed_task": "Change the location.", "actions": [action]}
    (tmp_path / "mind2web_train.json").write_text(json.dumps([task]), encoding="utf-8")
    step = taken(mind2web.SOURCE, tmp_path / "mind2web_train.json", tmp_path).records[0].steps[0]
    assert step.actions == [act.Click(x=round((60 + 146.203125 / 2) / 1280, 4), y=round((163 + 17) / 1080, 4))]
    assert step.element is not None and step.element.box is not None and step.element.role == "button"


@pytest.mark.parametrize(
    ("file", "split"),
    [
        ("data/test_task-00000-of-00003.parquet", "test_task"),
        ("train_3.json", "train"),
        ("test_domain_0.json", "test_domain"),
        ("mind2web_train.json", None),
        ("queries.jsonl", None),
    ],
)
def test_the_official_split_stands_in_the_files_name(file: str, split: str | None) -> None:
    assert split_told("M", file) == ([f"M: official split {split}"] if split else [])
