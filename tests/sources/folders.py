"""Folders as AgentNetTool writes them, made up: every file can be given, left out or broken."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import av
import numpy as np

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from curate.store.media import MediaStore

ZERO = 500.0  # the events' clock begins somewhere
METADATA = {"system": "Windows", "screen_width": 1280, "screen_height": 720, "scroll_direction": -1}


def move(time: float, x: float, y: float) -> dict[str, Any]:
    return {"time_stamp": ZERO + time, "action": "move", "x": x, "y": y}


def click(time: float, x: float, y: float) -> list[dict[str, Any]]:
    """The pointer comes, presses and releases."""
    row = {"action": "click", "x": x, "y": y, "button": "left"}
    return [
        move(time - 0.5, x - 300, y - 5),
        move(time - 0.1, x, y),
        {"time_stamp": ZERO + time, "pressed": True, **row},
        {"time_stamp": ZERO + time + 0.08, "pressed": False, **row},
    ]


def typed(time: float, text: str) -> list[dict[str, Any]]:
    rows = []
    for k, key in enumerate(text):
        for action, later in (("press", 0.0), ("release", 0.05)):
            rows.append({"time_stamp": ZERO + time + 0.1 * k + later, "action": action, "name": key})
    return rows


def two_clicks() -> list[dict[str, Any]]:
    return [*click(1, 640, 360), *click(4, 320, 180), *typed(6, "hi")]


def element(time: float, box: tuple[float, ...], name: str = "Save", kind: str = "ButtonControl") -> dict[str, Any]:
    return {"time_stamp": ZERO + time, "a11y_tree": node(box, name, kind)}


def node(box: tuple[float, ...], name: str = "Save", kind: str = "ButtonControl") -> dict[str, Any]:
    sides = dict(zip(("left", "top", "right", "bottom"), box, strict=True))
    return {"Name": name, "ControlType": kind, "BoundingRectangle": sides, "Depth": 0, "Children": []}


def make_folder(
    folder: Path,
    events: Iterable[dict[str, Any]] | bytes | None = None,
    *,
    metadata: dict[str, Any] | bytes | None = METADATA,
    task: str | None = "Save the file as a copy",
    **jsonl: Iterable[dict[str, Any]] | bytes,
) -> Path:
    """A recording folder. `jsonl`: further files by their stem (`element=[...]`), as rows or as bytes."""
    folder.mkdir(parents=True)
    files: dict[str, Any] = {"events": two_clicks() if events is None else events, **jsonl}
    for stem, content in files.items():
        data = content if isinstance(content, bytes) else lines(content)
        (folder / f"{stem}.jsonl").write_bytes(data)
    if metadata is not None:
        data = metadata if isinstance(metadata, bytes) else json.dumps(metadata).encode()
        (folder / "metadata.json").write_bytes(data)
    if task is not None:
        (folder / "task_name.json").write_text(json.dumps({"task_name": task, "description": ""}), encoding="utf-8")
    return folder


def lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def make_video(path: Path, seconds: float = 9.0, size: tuple[int, int] = (640, 360)) -> Path:
    """A real H.264 file of a still screen with a few shapes."""
    picture = np.full((size[1], size[0], 3), 230, np.uint8)
    picture[40:80, 40:300] = (30, 80, 160)
    picture[100:300, 350:600] = (250, 250, 250)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for _ in range(int(seconds * 10)):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


def read_all(path: Path, media: Path, **options: Any) -> list[Trajectory | Rejected]:
    """Everything that the inputs at a path give."""
    found = []
    for one in find_inputs([path]).inputs:
        context = ReadContext(media=MediaStore(media), options={"reduce": options}, shown=one.shown)
        for item in source(one.source).read(one.path, context):
            found.append(item.trajectory if isinstance(item, Read) else item)
    return found


def read_one(path: Path, media: Path, **options: Any) -> Trajectory:
    (found,) = read_all(path, media, **options)
    assert isinstance(found, Trajectory), found
    return found


def rejected_one(path: Path, media: Path, **options: Any) -> Rejected:
    (found,) = read_all(path, media, **options)
    assert isinstance(found, Rejected), found
    return found
