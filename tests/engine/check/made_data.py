"""A small sound dataset in files, into which tests plant one fault each."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from curate.model.actions import Terminate
from curate.model.trajectory import Step, Trajectory
from tests.factories import make_step, make_trajectory, write_records

SIZE = (64, 48)
_APPS = ("notes", "files", "mail", "maps", "music", "clock")
_DOES = ("click File", "click Edit", "click View", "write tea", "press enter", "click Open", "click Sort", "press tab")


def picture(number: int, size: tuple[int, int] = SIZE, kind: str = "PNG") -> bytes:
    """A picture of its own for every number: noise, which is neither blank nor like another."""
    pixels = np.random.default_rng(number).integers(0, 200, (size[1], size[0], 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return out.getvalue()


@dataclass
class Data:
    """Records by file, and files beside them; `write` puts all into a folder."""

    root: Path
    records: dict[str, list[Trajectory]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def write(self) -> Path:
        for name, content in self.files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, records in self.records.items():
            write_records(self.root / name, records)
        return self.root

    @property
    def train(self) -> list[Trajectory]:
        return self.records["train.jsonl"]

    @property
    def test(self) -> list[Trajectory]:
        return self.records["test.jsonl"]

    def step(self, record: int = 0, step: int = 0) -> Step:
        return self.train[record].steps[step]


def sound(root: Path) -> Data:
    """Six runs to train on and two to test, each with a picture of its own at every step."""
    data = Data(root)
    draw = random.Random(7)
    for number in range(8):
        file = "train.jsonl" if number < 6 else "test.jsonl"
        steps = []
        for at, does in enumerate(draw.sample(_DOES, 6)):
            name = f"images/{number}_{at}.png"
            data.files[name] = picture(number * 10 + at)
            steps.append(make_step(at, f"{does} {number}", image=name, image_size=SIZE))
        steps.append(make_step(6, [Terminate(status="success")], image=f"images/{number}_6.png", image_size=SIZE))
        data.files[f"images/{number}_6.png"] = picture(number * 10 + 6)
        record = make_trajectory(
            f"made:{number}", instruction=f"Arrange the {draw.choice(('green', 'tall', 'old'))} shelf number {number}",
            app=_APPS[number % 6], steps=steps,
        )  # fmt: skip
        data.records.setdefault(file, []).append(record)
    return data
