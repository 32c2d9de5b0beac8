"""The fixtures of `gui_odyssey`."""

from __future__ import annotations

from typing import Any

from phone_fixtures.writing import fresh, put, screen


def make() -> None:
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
