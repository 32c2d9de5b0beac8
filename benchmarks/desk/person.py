"""A person whose every act is witnessed: just before each press the screen is looked at by itself, not through the
recorder. A pace says how fast they are."""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "dump"))

from hand import BUTTON_DOWN, KEY_DOWN, Box, Hand

PACES = {"fast": (0.0, 0.06), "usual": (0.5, 1.4), "slow": (7.0, 8.5)}
SPEEDS = {"fast": 3.0, "usual": 1.0, "slow": 0.9}
_SAME_ACT_S = 0.05


class Person(Hand):
    """See Hand. `pace`: fast, usual or slow. `folder` gets `acts.jsonl` and a picture of the screen for each."""

    def __init__(self, seed: int, pace: str, folder: Path) -> None:
        super().__init__(seed)
        import mss

        self.pace, self.speed = pace, SPEEDS[pace]
        self._grabber: Any = mss.MSS() if hasattr(mss, "MSS") else mss.mss()
        self._folder, self._aim, self._lights = folder, None, True
        self._aim: Box | None
        self._acts = (folder / "acts.jsonl").open("w", encoding="utf-8")
        self._number, self._last = 0, 0.0
        self._pictures: queue.Queue[tuple[int, bytes, int, int] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._store, daemon=True)
        self._thread.start()

    def look(self) -> None:
        """As long as this person looks before going on."""
        time.sleep(self._random.uniform(*PACES[self.pace]))

    def at(self, box: Box, button: str = "left", times: int = 1, lights: bool = True, rest: float = 0.0) -> None:
        """Look, go there, click. `lights`: the program has something there that lights up under the pointer. `rest`:
        seconds there before the click, unless in haste: long enough for a tooltip."""
        self.look()
        self._aim, self._lights = box, lights
        if rest and self.pace != "fast":
            self.move_to(*self.place_in(box))
            time.sleep(rest)
        self.click(box, button, times)
        self._aim = None

    def again(self, box: Box) -> None:
        """Click once more without moving."""
        time.sleep(0.16 if self.pace == "fast" else self._random.uniform(0.35, 0.6))
        self._aim = box
        for down in (True, False):
            self._button("left", down)
            time.sleep(0.06)
        self._aim = None

    def aim_at(self, box: Box) -> None:
        """The next press is at this."""
        self._aim = box

    def press_here(self) -> None:
        """Click where the pointer is."""
        for down in (True, False):
            self._button("left", down)
            time.sleep(0.06)
        self._aim = None

    def carry(self, start: Box, to: tuple[int, int]) -> None:
        """Look, then drag."""
        self.look()
        self._aim = start
        self.drag(self.place_in(start), to)
        self._aim = None

    def wheel(self, box: Box, direction: str, notches: int) -> None:
        """Look, go there, turn the wheel."""
        self.look()
        self.move_to(*self.place_in(box))
        self._aim, self._lights = box, False
        self.scroll(direction, notches)
        self._aim, self._lights = None, True

    def keys(self, text: str) -> None:
        """Type, without looking for long."""
        time.sleep(0.15 if self.pace == "fast" else self._random.uniform(0.3, 0.7))
        self.type(text)

    def chord(self, *names: str) -> None:
        """Look, then a key or hotkey."""
        time.sleep(0.15 if self.pace == "fast" else self._random.uniform(0.3, 0.7))
        self.hotkey(*names)

    def finish(self) -> None:
        """Write what is left."""
        self._pictures.put(None)
        self._thread.join()
        self._acts.close()

    def _input(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        if kind in (BUTTON_DOWN, KEY_DOWN):
            now = time.monotonic()
            if now - self._last > _SAME_ACT_S:
                shot = self._grabber.grab(self._grabber.monitors[0])
                self._pictures.put((self._number, bytes(shot.raw), shot.width, shot.height))
                aim = self._aim
                row = {
                    "act": self._number, "t": time.monotonic_ns(), "kind": kind, "detail": detail,
                    "place": [self.x, self.y], "lights": self._lights,
                    "box": [aim.x, aim.y, aim.width, aim.height] if aim is not None else None,
                }  # fmt: skip
                self._acts.write(json.dumps(row) + "\n")
                self._number += 1
            self._last = time.monotonic()
        super()._input(kind, detail, x, y)

    def _store(self) -> None:
        while (item := self._pictures.get()) is not None:
            number, raw, width, height = item
            pixels = np.frombuffer(raw, np.uint8).reshape(height, width, 4)[:, :, :3]
            cv2.imwrite(str(self._folder / f"act-{number:03}.png"), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
