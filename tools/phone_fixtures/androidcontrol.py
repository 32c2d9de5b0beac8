"""AndroidControl in its three forms."""

from __future__ import annotations

import base64
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from phone_fixtures.accessibility import BUTTON, EDIT, FRAME, TEXT, forest
from phone_fixtures.writing import fresh, put, screen, tfrecord


def shards() -> None:
    """TFRecord as released, with the official splits."""
    raw = fresh("androidcontrol/tfrecord")
    first, second = (
        forest("Home", "org.made.home", (0, FRAME, "", (0, 0, 90, 160), (25, [1, 2])),
               (1, TEXT, "Recipes", (5, 20, 40, 30)), (2, BUTTON, "Off the edge", (80, 20, 99, 30))),
        forest("Recipes", "org.made.recipes", (0, FRAME, "", (0, 0, 90, 160), (25, [2, 1])),
               (1, BUTTON, "Find", (10, 40, 30, 60)), (2, EDIT, "soup", (5, 10, 85, 20), (15, True), (18, True)),
               (3, EDIT, "hidden word", (5, 70, 85, 80), (15, True), (20, True))),
    )  # fmt: skip

    def episode(number: int, goal: str, actions: list[Any], texts: list[str], **more: Any) -> dict[str, Any]:
        count = len(actions) + 1
        return {
            "episode_id": number, "goal": goal, "screenshots": [
                screen(number % 50 + n, target=(a["x"], a["y"]) if "x" in a else None)
                for n, a in enumerate([*actions, {}])
            ],
            "accessibility_trees": [first] + [second] * (count - 1), "screenshot_widths": [90] * count,
            "screenshot_heights": [160] * count, "actions": [json.dumps(a) for a in actions],
            "step_instructions": texts, **more,
        }  # fmt: skip

    good = episode(
        41, "Look for a soup in the Recipes app", [
            {"action_type": "open_app", "app_name": "Recipe Book"}, {"action_type": "wait"},
            {"action_type": "click", "x": 45, "y": 16}, {"action_type": "input_text", "text": "soup\n"},
            {"action_type": "scroll", "direction": "down"}, {"action_type": "long_press", "x": 90, "y": 160},
            {"action_type": "navigate_back"},
        ],
        ["Open the Recipes app", "Open the Recipes app", "Tap the search field", "Type soup", "Scroll down to the soup",
         "Hold the last one", "Go back"],
    )  # fmt: skip
    typed = episode(
        1204, "Send a note that says <image> is a tag",
        [{"action_type": "input_text", "text": "<image> is a tag"}, {"action_type": "click", "x": 45, "y": 171},
         {"action_type": "click", "x": 91, "y": 80}, {"action_type": "navigate_home"}],
        ["Write the note", "Tap below the screen", "Tap the right edge", "Leave"], accessibility_trees=[],
    )  # fmt: skip
    pinch = episode(1300, "Make the map larger", [{"action_type": "pinch", "x": 1, "y": 1}], ["Pinch"])
    short = episode(1301, "Wait", [{"action_type": "wait"}], ["Wait"], screenshots=[screen(1)] * 4)
    damaged = episode(1302, "Go home", [{"action_type": "navigate_home"}], ["Go home"])
    damaged["screenshots"] = [screen(7)[:200], screen(8)]
    tfrecord(raw / "android_control-00000-of-00020", [good, typed, pinch, short, damaged])
    put(raw / "splits.json", json.dumps({"train": [1, 41], "validation": [2], "test": [1204, 1300]}))
    put(raw / "test_subsplits.json", json.dumps({"IDD": [1300], "app_unseen": [1204], "task_unseen": [1204]}))


def adp() -> None:
    """JSON as Agent Data Protocol has it."""
    raw = fresh("androidcontrol/adp")

    def flat(text: str | None, described: str | None, box: tuple[int, int, int, int], **more: Any) -> dict[str, Any]:
        left, right, top, bottom = box
        return {
            "text": text, "content_description": described, "hint_text": None, "tooltip": None,
            "class_name": "android.widget.TextView", "resource_id": None, "is_visible": True, "is_enabled": True,
            "is_focused": False, "is_selected": False, "is_checked": False, "is_editable": False,
            "bbox_pixels": {"x_min": left, "x_max": right, "y_min": top, "y_max": bottom,
                            "center": [(left + right) / 2, (top + bottom) / 2]}, **more,
        }  # fmt: skip

    trees = [[flat("8:37", "8:37 AM", (10, 30, 1, 13)), flat(None, "Wi-Fi two bars.", (70, 95, 1, 13))], [], []]
    for number in range(3):
        put(
            raw / "android_control_screenshots" / "7" / f"screenshot_{number}.png",
            screen(20 + number, target=(45, 40) if number == 0 else None),
        )
    clock = {
        "episode_id": 7, "goal": "Show the alarms", "screenshots": [f"7/screenshot_{n}.png" for n in range(3)],
        "accessibility_trees": trees, "screenshot_widths": [90] * 3, "screenshot_heights": [160] * 3,
        "actions": [{"action_type": "click", "x": 45, "y": 40}, {"action_type": "scroll", "direction": "left"}],
        "step_instructions": ["Tap the clock", "Show the page on the left"],
    }  # fmt: skip
    absent = {**clock, "episode_id": 8, "screenshots": [f"8/screenshot_{n}.png" for n in range(3)]}
    wrong = {**clock, "episode_id": 9, "actions": [{"action_type": "click", "x": "45", "y": 40}] * 2}
    put(raw / "sample_raw.json", [clock, absent, wrong])


def table() -> None:
    """A parquet table, as smolagents has it."""
    raw = fresh("androidcontrol/parquet")
    action = pa.struct(
        [("action_type", pa.string()), ("app_name", pa.string()), ("direction", pa.string()), ("text", pa.string()),
         ("x", pa.int64()), ("y", pa.int64())]
    )  # fmt: skip
    empty = dict.fromkeys(("app_name", "direction", "text", "x", "y"))
    made = pa.table(
        {
            "episode_id": pa.array([1204, 15], pa.int64()),
            "goal": ["Send a note", "Read the news"],
            "screenshots_b64": [
                [base64.b64encode(screen(n)).decode() for n in (1, 2, 3)],
                [base64.b64encode(screen(n)).decode() for n in (4, 5)],
            ],
            "actions": pa.array(
                [
                    [{"action_type": "click", **empty, "x": 9, "y": 152},
                     {"action_type": "input_text", **empty, "text": "Buy milk, bread"}],
                    [{"action_type": "scroll", **empty, "direction": "up"}],
                ],
                pa.list_(action),
            ),
            "step_instructions": [["Tap the field", "Type the note"], ["Scroll up"]],
        }
    )  # fmt: skip
    pq.write_table(made, raw / "train-00000-of-00145.parquet")


def make() -> None:
    """All of it."""
    shards()
    adp()
    table()
