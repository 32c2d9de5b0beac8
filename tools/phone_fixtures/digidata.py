"""The fixtures of `digidata`."""

from __future__ import annotations

import json
from typing import Any

from phone_fixtures.writing import fresh, put, screen


def make() -> None:
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
