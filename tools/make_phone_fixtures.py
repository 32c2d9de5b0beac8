"""Makes the raw files of the phone sources' fixtures, in the real forms: `python tools/make_phone_fixtures.py NAME...`.

Binary files cannot be read in a diff; what stands in them stands here. All of it is made up."""

from __future__ import annotations

import base64
import gzip
import io
import json
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import crc32c
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageDraw
from tfrecord.example_pb2 import Example

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "sources" / "fixtures"


def screen(
    number: int, size: tuple[int, int] = (90, 160), kind: str = "PNG", target: tuple[float, float] | None = None
) -> bytes:
    """A drawn phone screen: a title bar, a button whose place hangs on the number, a bar below. `target`: where in
    pixels a green dot lies, for an action to meet it."""
    width, height = size
    picture = Image.new("RGB", size, (235, 240 - number, 245))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width, height // 10), fill=(40, 70, 130 + number))
    top = height // 5 + (number * 13) % (height // 2)
    draw.rectangle((width // 5, top, 4 * width // 5, top + height // 12), fill=(210, 90, 60))
    draw.text((width // 4, top), str(number), fill=(255, 255, 255))
    draw.rectangle((0, height - height // 16, width, height), fill=(90, 90, 90))
    if target is not None:
        x, y = target
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(20, 190, 60))
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).convert("RGB").tobytes()


def fresh(case: str) -> Path:
    folder = FIXTURES / case / "raw"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def put(path: Path, content: bytes | str | Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)).encode()
    path.write_bytes(content)


def tfrecord(path: Path, rows: list[dict[str, Any]]) -> None:
    """A GZIP TFRecord of examples, as TensorFlow writes it; without a time stamp, so that it is the same every time."""

    def masked(data: bytes) -> bytes:
        value = crc32c.crc32c(data)
        return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)

    out = b""
    for row in rows:
        example = Example()
        for name, value in row.items():
            values = value if isinstance(value, list) else [value]
            feature = example.features.feature[name]
            if values and isinstance(values[0], float):
                feature.float_list.value.extend(values)
            elif values and isinstance(values[0], int):
                feature.int64_list.value.extend(values)
            else:
                feature.bytes_list.value.extend(v.encode() if isinstance(v, str) else v for v in values)
        data = example.SerializeToString(deterministic=True)
        length = struct.pack("<Q", len(data))
        out += length + masked(length) + data + masked(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(out, mtime=0))


# --- protocol buffers of accessibility trees, by hand: field numbers as android_env's .proto files give them ------


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(*fields: tuple[int, Any]) -> bytes:
    """A message of (number, value): numbers and truths as varints, text and messages with their length; a list of
    numbers packed."""
    out = b""
    for number, value in fields:
        if isinstance(value, list):
            value = b"".join(map(_varint, value))
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(int(value))
        else:
            data = value.encode() if isinstance(value, str) else value
            out += _varint(number << 3 | 2) + _varint(len(data)) + data
    return out


def rect(left: int, top: int, right: int, bottom: int) -> bytes:
    return message((1, left), (2, top), (3, right), (4, bottom))


def forest(title: str, package: str, *elements: tuple[Any, ...]) -> bytes:
    """A status bar behind and an app in front; an element is (id, class, text, box, more fields)."""
    nodes = [message((1, i), (2, rect(*box)), (3, kind), (6, package), (7, text), (16, True), (23, True), *more)
             for i, kind, text, box, *more in elements]  # fmt: skip
    app = message((1, rect(0, 0, 90, 160)), (3, 7), (4, 2), (5, title), (6, 1), (8, True),
                  (11, message(*((1, node) for node in nodes))))  # fmt: skip
    bar = message((1, rect(0, 0, 90, 8)), (4, 1), (6, 3), (11, b""))
    return message((1, app), (1, bar))


FRAME, TEXT = "android.view.ViewGroup", "android.widget.TextView"
BUTTON, EDIT = "android.widget.Button", "android.widget.EditText"


def androidcontrol() -> None:
    """TFRecord as released, with the official splits; JSON as Agent Data Protocol has it; a parquet table."""
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

    raw = fresh("androidcontrol/parquet")
    action = pa.struct(
        [("action_type", pa.string()), ("app_name", pa.string()), ("direction", pa.string()), ("text", pa.string()),
         ("x", pa.int64()), ("y", pa.int64())]
    )  # fmt: skip
    empty = dict.fromkeys(("app_name", "direction", "text", "x", "y"))
    table = pa.table(
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
    pq.write_table(table, raw / "train-00000-of-00145.parquet")


def aitw() -> None:
    """Two shards over which an episode is spread, JSON as Agent Data Protocol has it, SeeClick's port."""
    raw = fresh("aitw/shards")
    none = [-1.0, -1.0]

    def step(
        episode: str,
        number: int,
        kind: int,
        touch: list[float] = none,
        lift: list[float] | None = None,
        text: str = "",
        goal: str = "Set a timer for 5 minutes",
        length: int = 5,
    ) -> dict[str, Any]:
        (y, x), tapped = touch, kind == 4 and max(touch) <= 1
        shot = pixels(screen(number + len(episode), (54, 96), target=(x * 54, y * 96) if tapped else None))
        return {
            "android_api_level": 31, "current_activity": "com.made.clock/com.made.clock.Main" if number else
            "com.made.launcher/com.made.launcher.Home", "device_type": "PIXEL_3", "episode_id": episode,
            "episode_length": length, "goal_info": goal, "image/channels": 3, "image/height": 96, "image/width": 54,
            "image/encoded": shot, "image/ui_annotations_positions": [0.1, 0.2, 0.05, 0.3, 0.9, 0.5, 0.2, 0.1],
            "image/ui_annotations_text": ["Clock", ""], "image/ui_annotations_ui_types": ["TEXT", "ICON_HOME"],
            "results/action_type": kind, "results/type_action": text, "results/yx_touch": touch,
            "results/yx_lift": lift if lift is not None else touch, "step_id": number,
        }  # fmt: skip

    part = "700.2-3.tap the clock"
    tfrecord(raw / "general-00000-of-00002", [
        step("700", 0, 4, [0.8, 0.5], [0.25, 0.5]),
        step("701", 0, 6, goal="Go to the home screen", length=2),
        step("700", 3, 3, text="5\n"),
        step("700", 1, 4, [0.25, 0.75], [0.27, 0.78]),
        step(part, 0, 4, [0.5, 0.5], goal="tap the clock", length=1),
    ])  # fmt: skip
    broken = {**step("702", 0, 4, [0.5, 1.2], goal="Leave the screen", length=1)}
    pinch = {**step("703", 0, 8, goal="Pinch", length=1)}
    small = {**step("704", 0, 5, goal="Go back", length=1), "image/encoded": b"\0" * 10}
    tfrecord(raw / "general-00001-of-00002", [
        step("700", 4, 10), step("701", 1, 11, goal="Go to the home screen", length=2),
        step("700", 1, 4, [0.25, 0.75], [0.27, 0.78]), broken, pinch, small,
    ])  # fmt: skip

    raw = fresh("aitw/adp")

    def row(number: int, word: str, touch: list[float], lift: list[float], text: str = "") -> dict[str, Any]:
        dot = (touch[1] * 54, touch[0] * 96) if number == 0 else None
        put(raw / "screenshots" / f"900-{number}.png", screen(30 + number, (54, 96), target=dot))
        return {
            "image/width": 54, "current_activity": "com.made.browser/com.made.browser.Main", "episode_length": 9,
            "image/encoded": f"/Users/someone/data/screenshots/900-{number}",
            "image/ui_annotations_positions": [[0.1, 0.2, 0.05, 0.3]], "step_id": number, "android_api_level": 31,
            "episode_id": "900", "results/yx_lift": lift, "results/yx_touch": touch,
            "image/ui_annotations_text": ["Search"], "results/action_type": word, "image/height": 96,
            "goal_info": "Open a private tab", "device_type": "PIXEL_3", "image/ui_annotations_ui_types": ["TEXT"],
            "results/type_action": text, "image/channels": 3,
        }  # fmt: skip

    put(raw / "sample_raw.json", [
        row(0, "dual-point gesture", [0.75, 0.25], [0.75, 0.25]), row(2, "type", none, none, "news"),
        row(3, "enter", [0.4, 0.4], [0.4, 0.4]), row(4, "enter", none, none),
    ])  # fmt: skip

    raw = fresh("aitw/port")

    def ported(ep: str, number: int, kind: int, word: str, touch: list[float], lift: list[float]) -> dict[str, Any]:
        dot = (touch[0] * 54, touch[1] * 96) if kind == 4 else None
        put(raw / "aitw_images" / f"general/{ep}_{number}.png", screen(60 + number, (54, 96), target=dot))
        return {
            "ep_id": ep, "step": number, "goal": "Show the weather", "img_filename": f"general/{ep}_{number}",
            "action_type_id": kind, "action_type_text": word, "action_addition": None,
            "annot_position": [0.1, 0.2, 0.05, 0.3], "touch": touch, "lift": lift, "type_text": "",
        }  # fmt: skip

    put(raw / "aitw_data_test.json", {
        "general": [[ported("31", 0, 4, "click", [0.25, 0.75], [0.25, 0.75]),
                     ported("31", 1, 4, "scroll up", [0.5, 0.75], [0.5, 0.25]),
                     ported("31", 2, 10, "status task complete", none, none)]],
        "install": [[ported("32", 1, 7, "press enter", none, none)]], "webshopping": [],
    })  # fmt: skip


def aitz() -> None:
    """AITZ: an episode a file beside its pictures; CAGUI: the same with its own fields."""
    raw = fresh("aitz/coat") / "INSTALL-880"
    none = "[-1.0, -1.0]"

    def step(number: int, kind: int, touch: str, lift: str, text: str, **words: str) -> dict[str, Any]:
        dot = (json.loads(touch)[1] * 60, json.loads(touch)[0] * 120) if kind == 4 else None
        put(raw / f"INSTALL-880_{number}.png", screen(100 + number, (60, 120), target=dot))
        return {
            "episode_id": "880", "episode_length": 4, "step_id": number,
            "instruction": "open app \"Radio\" (install if not already installed)",
            "ui_positions": "[[12, 6, 12, 30], [110, 50, 12, 8]]", "ui_text": '["Radio", ""]',
            "ui_types": '["TEXT", "ICON_HOME"]', "result_action_type": kind, "result_action_text": text,
            "result_touch_yx": touch, "result_lift_yx": lift,
            "image_path": f"install/INSTALL-880/INSTALL-880_{number}.png",
            "image_full_path": f"/home/anna/aitw/train/install/INSTALL-880/INSTALL-880_{number}.png",
            **{f"coat_{name}": value for name, value in words.items()},
        }  # fmt: skip

    put(raw / "INSTALL-880.json", [
        step(0, 4, "[0.541, 0.5]", "[0.001, 0.58]", "", screen_desc="A home screen.", action_desc="scroll up",
             action_think="The app is not here; the drawer may hold it.", action_result="The drawer opens."),
        step(1, 4, "[0.15, 0.35]", "[0.152, 0.35]", "", screen_desc="The drawer.", action_desc="click on Radio",
             action_think="Radio is in the first row.", action_result="Radio opens."),
        step(2, 3, none, none, "jazz, blues", screen_desc="Radio.", action_desc='input text "jazz, blues"',
             action_think="Search.", action_result="The text stands there."),
        step(3, 10, none, none, "", screen_desc="Stations.", action_desc="stop and set the query as completed",
             action_think="Done.", action_result="Nothing is left to do."),
    ])  # fmt: skip

    raw = fresh("aitz/cagui")

    def chinese(episode: str, number: int, kind: int, touch: Any, **more: Any) -> dict[str, Any]:
        dot = (0.1475 * 60, 0.2275 * 120) if kind == 0 else None
        put(raw / f"{episode}_{number}.jpeg", screen(number, (60, 120), "JPEG", target=dot))
        return {
            "episode_id": episode, "episode_length": 3, "step_id": number, "instruction": "打开天气",
            "image_path": f"domestic/{episode}/{episode}_{number}.jpeg", "image_width": 60, "image_height": 120,
            "ui_positions": "[[0.1, 0.05, 0.1, 0.5]]", "result_action_type": kind, "result_action_text": "",
            "result_touch_yx": touch, "result_lift_yx": touch, "duration": None, **more,
        }  # fmt: skip

    put(raw / "0a1b.json", [
        chinese("0a1b", 0, 0, "[0.2275, 0.1475]", duration=800), chinese("0a1b", 1, 1, none, duration=1000),
        chinese("0a1b", 2, 11, none), chinese("0a1b", 2, 11, none),
        chinese("2c3d", 0, 4, "[0.2275; 0.1475]"), {"episode_id": 7},
    ])  # fmt: skip


def digirl() -> None:
    """Trajectories of transitions as JSON; transitions one after another as JSONL; two pickles, which are refused."""
    none = "[-1.0, -1.0]"

    def move(
        stamp: str, number: int, task: str, kind: str, touch: str = none, lift: str = "", text: str = "", **more: Any
    ) -> dict[str, Any]:
        past = "" if number == 1 else '"action_type": "PRESS_HOME", "touch_point": "[-1.0, -1.0]" '
        decision = f'"action_type": "{kind}", "touch_point": "{touch}", "lift_point": "{lift or touch}"'
        return {
            "observation": f"Previous Actions: {past}Goal: {task}</s>", "next_observation": f"Goal: {task}</s>",
            "image_path": f"/home/anna/runs/images/{stamp}_{number}.png", "task": task, "reward": 0, "done": False,
            "action": f'Action Plan: [DUAL_POINT,{kind}] ; Action Decision: {decision}, "typed_text": "{text}"',
            "trajectory_reward": 0, "mc_return": 0.5, **more,
        }  # fmt: skip

    raw = fresh("digirl/nested")
    for number in range(1, 5):
        dot = (50.0, 160.0) if number == 2 else None  # what is swiped next
        put(raw / "images" / f"17.5_{number}.png", screen(number, (100, 200), target=dot))
    for number in range(2):
        put(raw / "images" / f"18.5_{number}.png", screen(10 + number, (100, 200)))
    shoes, size = "Find red shoes", {"trajectory_reward": 1}
    put(raw / "general-offline.json", [
        [
            move("17.5", 1, shoes, "DUAL_POINT", "[0.7852, 0.2]", **size),
            move("17.5", 2, shoes, "TYPE", text='red "shoes", size 9', **size),
            move("17.5", 3, shoes, "DUAL_POINT", "[0.8000, 0.5000]", "[0.8200, 0.5000]", **size),
            move("17.5", 4, shoes, "STATUS_TASK_COMPLETE", done=True, reward=1, **size),
        ],
        [move("18.5", 1, "Go home", "PRESS_HOME", done=True)],
        [move("19.5", 1, "Go home", "PRESS_HOME", done=True)],
    ])  # fmt: skip
    raw = fresh("digirl/flat")
    for number in (1, 2, 3):
        put(raw / f"20.5_{number}.png", screen(number, (100, 200)))
    put(raw / "21.5_1.png", screen(5, (100, 200)))
    rows = [
        move("20.5", 1, "Show the news", "DUAL_POINT", "[0.5000, 0.5000]", "[0.5100, 0.5000]"),
        {**move("20.5", 2, "Show the news", "IDLE"), "action": "Action Plan: [ ; Action Decision: I do not know"},
        move("20.5", 3, "Show the news", "TASK_IMPOSSIBLE"),
        move("21.5", 1, "Show the news", "DUAL_POINT", "[0.5000, 1.5000]", done=True),
    ]  # fmt: skip
    put(raw / "rollouts.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    raw = fresh("digirl/pickles")
    put(raw / "webshop-offline.pt", b"PK\x03\x04" + bytes(26) + b"archive/data.pklFB" + bytes(30) + b"\x80\x02}q\x00.")
    put(raw / "old.pkl", b"\x80\x04N.")


def gui_odyssey() -> None:
    """Annotations beside their screenshots, an episode a file; one list of episodes, as older releases have it."""

    def entry(episode: str, number: int, action: str, info: Any, **more: Any) -> dict[str, Any]:
        return {"step": number, "screenshot": f"{episode}_{number}.png", "action": action, "info": info, **more}

    def episode(name: str, steps: list[dict[str, Any]], length: int | None = None, **task: Any) -> dict[str, Any]:
        return {
            "episode_id": name,
            "device_info": {"product": "made", "w": 90, "h": 200, "device_name": "Small Phone"},
            "task_info": {
                "category": "Made", "app": ["Notes", "Maps", "Notes"], "meta_task": "Find {place} and note it",
                "task": "Find the museum and note it", "instruction": "Note down where the museum is.", **task,
            },
            "step_length": len(steps) if length is None else length, "steps": steps,
        }  # fmt: skip

    raw = fresh("gui_odyssey/annotations")
    words = {"description": "A home screen.", "intention": "I open Maps.", "low_level_instruction": "Open Maps.",
             "context": "Nothing has been done.", "sam2_bbox": [1, 2, 3, 4]}  # fmt: skip
    steps = [
        entry("111", 0, "CLICK", [[374, 621], [374, 621]], ps="[(374, 621)]", **words),
        entry("111", 1, "SCROLL", [[500, 800], [500, 200]], low_level_instruction="Scroll down."),
        entry("111", 2, "TEXT", "museum"), entry("111", 3, "CLICK", "KEY_APPSELECT"),
        entry("111", 5, "CLICK", "KEY_BACK"), entry("111", 6, "LONG_PRESS", [[1000, 0], [1000, 0]]),
        entry("111", 7, "TEXT", ""), entry("111", 8, "INCOMPLETE", "", ps="Region limitation"),
    ]  # fmt: skip
    put(raw / "annotations" / "111.json", episode("111", steps))
    put(raw / "annotations" / "112.json", episode("112", [entry("112", 0, "CLICK", [[1003, 5], [1003, 5]])]))
    put(raw / "annotations" / "113.json", episode("113", [entry("113", 0, "CLICK", "KEY_HOME"),
                                                          entry("113", 1, "COMPLETE", "")], 2))  # fmt: skip
    for name, numbers in (("111", range(9)), ("112", range(1)), ("113", range(1))):
        for number in numbers:
            dot = (0.374 * 90, 0.621 * 200) if (name, number) == ("111", 0) else None
            put(raw / "screenshots" / f"{name}_{number}.png", screen(number, (90, 200), target=dot))
    raw = fresh("gui_odyssey/one_list")
    put(raw / "images" / "21_0.png", screen(1, (90, 200)))
    put(raw / "all_anno.json", [
        episode("21", [entry("21", 0, "SCROLL", [[100, 500], [900, 500]])], 3),
        episode("22", [entry("22", 0, "CLICK", [[1, 1], [1, 1]])]),
        episode("23", [entry("23", 0, "PINCH", "")]),
    ])  # fmt: skip


def digidata() -> None:
    """Steps as JSONL, once with the frame stated by the user and once without."""

    def row(episode: str, number: int, action: str, length: int, **more: Any) -> dict[str, Any]:
        return {
            "episode_id": episode, "step_id": number, "episode_len": length, "app": "Made Maps", "action": action,
            "goal": "Find a museum", "action_history": [], "xml": f"xmls/{episode}_{number}.xml",
            "image": f"images/{episode}_{number}.png", "image_history": [], "complete": True,
            "eval_category": "SEEN", "conversations": [], **more,
        }  # fmt: skip

    rows = [
        row("e1", 0, "tap(45, 50)", 5), row("e1", 1, "type(museum (old), north)", 5),
        row("e1", 2, "swipe(45,180,45,40.5)", 5), row("e1", 4, "status({complete})", 5, complete=False),
        row("e2", 0, "navigate(back)", 1), row("e3", 0, "tap(45, 999)", 1), row("e4", 0, 'type("quoted")', 3),
        row("e1", 2, "navigate({home})", 5), row("e5", 0, "tap(45)", 1), row("e6", 0, "shake()", 1),
    ]  # fmt: skip
    for case, states in (("stated", {"space": "picture_pixel"}), ("undecided", None)):
        raw = fresh(f"digidata/{case}")
        for one in rows[:7]:
            dot = (45.0, 50.0) if one["step_id"] == 0 else None
            put(raw / one["image"], screen(one["step_id"], (90, 200), target=dot))
        put(raw / "xmls" / "e1_0.xml", "<hierarchy><node text='Find' bounds='[0,0][90,20]'/></hierarchy>")
        put(raw / "digidata_test.jsonl", "".join(json.dumps(one) + "\n" for one in rows))
        if states:
            put(raw.parent / "import.json", json.dumps(states) + "\n")


def guiact() -> None:
    """Web rows with their pictures in a table and as files, phone rows, runs of one step."""

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
    raw, tall = fresh("guiact/smartphone"), (54, 114)
    uid = "uid_episode_10270"
    up = {"from": "<point>0.500, 0.800</point>", "to": "<point>0.500, 0.300</point>"}
    phone = [
        row(f"{uid}_step_01", {"name": "swipe", "dual_point": {"related": up}}, tall),
        row(f"{uid}_step_00", {"name": "tap", "point": {"related": "<point>0.880, 0.640</point>"}}, tall),
        row(f"{uid}_step_02", {"name": "input", "text": "reddit"}, tall),
        row(f"{uid}_step_03", {"name": "enter"}, tall), row(f"{uid}_step_04", {"name": "answer", "text": ""}, tall),
    ]  # fmt: skip
    put(raw / "smartphone_train_data.json", phone)
    table(
        raw / "smartphone_train_images.parquet",
        [one["image_id"] for one in phone],
        tall,
        "__index_level_0__",
        (0.88 * 54, 0.64 * 114),
    )


ALL: tuple[Callable[[], None], ...] = (androidcontrol, aitw, aitz, digirl, gui_odyssey, digidata, guiact)
MAKERS = {one.__name__: one for one in ALL}

if __name__ == "__main__":
    for one in sys.argv[1:] or MAKERS:
        MAKERS[one]()
        print(one)
