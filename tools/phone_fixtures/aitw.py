"""Android in the Wild in its three forms."""

from __future__ import annotations

from typing import Any

from phone_fixtures.writing import fresh, pixels, put, screen, tfrecord

NONE = [-1.0, -1.0]


def shards() -> None:
    """Two shards over which an episode is spread."""
    raw = fresh("aitw/shards")

    def step(
        episode: str,
        number: int,
        kind: int,
        touch: list[float] = NONE,
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


def adp() -> None:
    """JSON as Agent Data Protocol has it."""
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
        row(0, "dual-point gesture", [0.75, 0.25], [0.75, 0.25]), row(2, "type", NONE, NONE, "news"),
        row(3, "enter", [0.4, 0.4], [0.4, 0.4]), row(4, "enter", NONE, NONE),
    ])  # fmt: skip


def port() -> None:
    """SeeClick's port, whose points are x, y."""
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
                     ported("31", 2, 10, "status task complete", NONE, NONE)]],
        "install": [[ported("32", 1, 7, "press enter", NONE, NONE)]], "webshopping": [],
    })  # fmt: skip


def make() -> None:
    """All of it."""
    shards()
    adp()
    port()
