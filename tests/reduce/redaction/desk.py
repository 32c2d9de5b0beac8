"""A drawn desktop for redaction tests: a form whose fields are typed into, recorded as a recorder would, with every
picture that its screen showed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from curate.model.trajectory import Screen
from curate.model.tree import Node
from curate.reduce.video.decoding import Video, to_rgb
from curate.store import recording as rec
from curate.store.accessibility import TreeRow
from recorders.screen.video import VideoWriter
from tests.recorders.filming import write_bgra

WIDTH, HEIGHT = 480, 320
MS = 1_000_000
Box = tuple[int, int, int, int]
Picture = npt.NDArray[np.uint8]


class Desk:
    """Texts at places; `key` types one key, and the screen shows it 20 ms later."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder, self.t, self.rows = folder, 1_000 * MS, []  # type: tuple[Path, int, list[Any]]
        self.trees: list[Any] = []
        self.texts: dict[tuple[int, int], tuple[str, bool]] = {}
        self.video = VideoWriter(folder, WIDTH, HEIGHT)
        self.font = ImageFont.load_default(size=15)
        self.put("Sign in to the shop", 20, 10)
        self.show()

    def put(self, text: str, x: int, y: int, selected: bool = False) -> None:
        self.texts[x, y] = (text, selected)

    def take(self, x: int, y: int) -> None:
        self.texts.pop((x, y), None)

    def box(self, text: str, x: int, y: int) -> Box:
        left, top, right, bottom = self.font.getbbox(text)
        return (int(x + left), int(y + top), int(x + right), int(y + bottom))

    def picture(self) -> Picture:
        image = Image.new("RGB", (WIDTH, HEIGHT), (240, 240, 240))
        draw = ImageDraw.Draw(image)
        for (x, y), (text, selected) in self.texts.items():
            if selected:
                draw.rectangle(self.box(text, x, y), fill=(20, 60, 160))
            draw.text((x, y), text, fill=(255, 255, 255) if selected else (10, 10, 10), font=self.font)
        return np.asarray(image, dtype=np.uint8)

    def show(self, after: int = 20) -> None:
        self.t += after * MS
        picture = self.picture()
        bgra = np.dstack([picture[..., ::-1], np.full(picture.shape[:2], 255, np.uint8)])
        write_bgra(self.video, np.ascontiguousarray(bgra), self.t)

    def row(self, kind: Callable[..., Any], **fields: Any) -> None:
        self.rows.append(kind(seq=len(self.rows), t=self.t, **fields))

    def key(self, key: str, text: str = "", after: int = 60) -> None:
        self.t += after * MS
        self.row(rec.KeyRow, key=key, code=hash_of(key), pressed=True, text=text)
        self.row(rec.KeyRow, key=key, code=hash_of(key), pressed=False)

    def types(self, text: str, x: int, y: int, before: str = "") -> None:
        """Character by character into the field at a place."""
        shown = before
        for char in text:
            if char == "\b":
                self.key("backspace")
                shown = shown[:-1]
            else:
                self.key(char.lower() if char != " " else "space", char)
                shown += char
            self.put(shown, x, y)
            self.show()

    def click(self, x: float, y: float) -> None:
        self.t += 300 * MS
        for pressed in (True, False):
            self.row(rec.ButtonRow, x=x, y=y, button="left", pressed=pressed)

    def tree(self, *nodes: Node) -> None:
        self.t += 200 * MS
        self.trees.append(TreeRow(t=self.t, since=self.t - 5 * MS, nodes=list(nodes)))

    def finish(self, **info: Any) -> Path:
        self.t += 500 * MS
        self.row(rec.EndRow, reason="asked")
        self.video.close()
        encoder = msgspec.json.Encoder()
        (self.folder / rec.EVENTS).write_bytes(b"".join(encoder.encode(row) + b"\n" for row in self.rows))
        if self.trees:
            (self.folder / rec.ACCESSIBILITY).write_bytes(b"".join(encoder.encode(row) + b"\n" for row in self.trees))
        rec.write_info(self.folder, rec.RecordingInfo(**{
            "id": "desk", "recorder": "test@1", "platform": "linux", "instruction": "Sign in",
            "screen": Screen(width=WIDTH, height=HEIGHT), "ended": True,
            "counts": rec.Counts(events=len(self.rows), frames=self.video.frames), **info,
        }))  # fmt: skip
        return self.folder


def hash_of(key: str) -> int:
    return int.from_bytes(key.encode(), "little") % 251


def pictures(folder: Path) -> Iterator[tuple[int, Picture]]:
    """Capture time and picture of each frame."""
    times = [row.t for row in rec.read_frames(folder / rec.FRAMES)]
    for frame in Video(folder / rec.VIDEO).frames():
        yield times[frame.index], to_rgb(frame.planes, frame.layout)


def dark(picture: Picture, box: Box) -> bool:
    left, top, right, bottom = box
    return bool((picture[top:bottom, left:right] < 12).all())
