"""The fixtures of `digirl`."""

from __future__ import annotations

import json
from typing import Any

from phone_fixtures.writing import fresh, put, screen


def make() -> None:
    """Trajectories of transitions as JSON; transitions one after another as JSONL; two pickles, which are refused."""
    none = "[-1.0, -1.0]"

    def move(
        stamp: str, number: int, task: str, kind: str, touch: str = none, lift: str = "", text: str = "", **more: Any
    ) -> dict[str, Any]:
        past = "" if number == 1 else '"action_type": "PRESS_HOME", "touch_point": "[-1.0, -1.0]" '
        decision = f'"action_type": "{kind}", "touch_point": "{touch}", "lift_point": "{lift or touch}"'
        return {
            "observation": f"Previous Actions: {past}Goal: {task}</s>", "next_observation": f"Goal: {task}</s>",
            "image_path": f"/Users/anna/runs/images/{stamp}_{number}.png", "task": task, "reward": 0, "done": False,
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
