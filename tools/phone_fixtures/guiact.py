"""GUIAct: web rows with their pictures in a table and as files, phone rows, runs of one step."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from phone_fixtures.writing import fresh, put, screen


def row(uid: str, label: Any, size: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {
        "uid": uid, "image_id": uid, "image_size": {"width": size[0], "height": size[1]}, "logs": [],
        "question": "Read the news", "thoughts": "", "actions_history": [], "actions_label": label, **more,
    }  # fmt: skip


def point(x: float, y: float) -> dict[str, str]:
    return {"absolute": f"<point>{int(x * 1000)}, {int(y * 1000)}</point>", "related": f"<point>{x}, {y}</point>"}


def box(*sides: float) -> dict[str, Any]:
    return {"id": 3, "absolute": "<box>1, 2, 3, 4</box>", "related": f"<box>{', '.join(map(str, sides))}</box>"}


def moved(down: str, right: str, px: int = 0) -> dict[str, Any]:
    return {"related": {"down": down, "right": right}, "absolute": {"down": px, "right": 0}}


def table(path: Path, ids: list[str], size: tuple[int, int], index: str, dot: tuple[float, float]) -> None:
    shots = [screen(40 + number, size, target=dot) for number in range(len(ids))]
    data = [base64.b64encode(shot).decode() for shot in shots]
    pq.write_table(pa.table({"base64": data, index: ids}), path)


def web() -> None:
    """Runs of one step, and an episode."""
    raw, wide = fresh("guiact/web"), (120, 80)
    single = [
        row("uid_image_ab_qa_01", [{"name": "click", "element": box(0.25, 0.5, 0.75, 0.6)}], wide, image_id="ab",
            thoughts="click on the headline"),
        row("uid_image_ab_qa_02", [{"name": "select", "text": "Sport", "element": box(0.1, 0.1, 0.3, 0.2)}], wide,
            image_id="ab"),
        row("uid_image_cd_qa_01", [{"name": "scroll", "scroll": moved("0.80", "-0.25")}], wide, image_id="cd"),
        row("uid_image_xx_qa_01", [{"name": "enter"}], wide, image_id="xx"),
        row("uid_image_cd_qa_02", [{"name": "click", "element": box(0.2, 0.5, 1.3, 0.6)}], wide, image_id="cd"),
    ]  # fmt: skip
    put(raw / "web-single_test_data.json", single)
    table(raw / "web-single_test_images.parquet", ["ab", "cd"], wide, "image_id", (60, 44))
    many = [
        row("uid_record_0159_step_00", [
            {"name": "Click", "point": point(0.2, 0.4), "element": box(0.1, 0.3, 0.3, 0.5)},
            {"name": "input", "point": point(0.2, 0.4), "text": "news"}, {"name": "enter"},
        ], wide),
        row("uid_record_0159_step_03", [{"name": "scroll", "scroll": moved("0.00", "0.00", -4)}], wide),
        row("uid_record_0159_step_04", [{"name": "scroll", "scroll": moved("0.00", "0.00")}], wide),
        row("uid_record_0159_step_05", [
            {"name": "select_text", "dual_point": {"related": {"from": "<point>0.1, 0.2</point>",
                                                               "to": "<point>0.5, 0.2</point>"}}},
            {"name": "copy", "text": "the news"},
        ], wide),
        row("uid_record_0159_step_06", [{"name": "hover", "element": box(0.2, 0.2, 0.4, 0.4)},
                                        {"name": "answer", "text": "the news"}], wide),
        row("uid_record_0160_step_00", [{"name": "drag"}], wide),
    ]  # fmt: skip
    put(raw / "web-multi_train_data.json", many)
    for number, one in enumerate(many[:5]):
        put(raw / "images" / "web-multi" / "train" / f"{one['image_id']}.jpg", screen(number, wide, "JPEG"))


def phone() -> None:
    """An episode whose rows are out of order."""
    raw, tall = fresh("guiact/smartphone"), (54, 114)
    uid = "uid_episode_10270"
    up = {"from": "<point>0.500, 0.800</point>", "to": "<point>0.500, 0.300</point>"}
    steps = [
        row(f"{uid}_step_01", {"name": "swipe", "dual_point": {"related": up}}, tall),
        row(f"{uid}_step_00", {"name": "tap", "point": {"related": "<point>0.880, 0.640</point>"}}, tall),
        row(f"{uid}_step_02", {"name": "input", "text": "reddit"}, tall),
        row(f"{uid}_step_03", {"name": "enter"}, tall), row(f"{uid}_step_04", {"name": "answer", "text": ""}, tall),
    ]  # fmt: skip
    put(raw / "smartphone_train_data.json", steps)
    table(
        raw / "smartphone_train_images.parquet",
        [one["image_id"] for one in steps],
        tall,
        "__index_level_0__",
        (0.88 * 54, 0.64 * 114),
    )


def make() -> None:
    """All of it."""
    web()
    phone()
