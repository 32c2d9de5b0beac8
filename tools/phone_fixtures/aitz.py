"""The fixtures of `aitz`."""

from __future__ import annotations

import json
from typing import Any

from phone_fixtures.writing import fresh, put, screen


def make() -> None:
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
            "image_full_path": f"/Users/anna/aitw/train/install/INSTALL-880/INSTALL-880_{number}.png",
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
