"""Recordings made by the recorder's own writers and cut off as a kill or a power cut leaves them."""

from __future__ import annotations

import shutil
from pathlib import Path

import av
import msgspec
import numpy as np

from curate.model.trajectory import Screen
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    INFO,
    VIDEO,
    KeyRow,
    MoveRow,
    RecordingInfo,
    write_info,
)
from recorders.screen.video import VideoWriter
from tests.recorders.filming import write_bgra

WIDTH, HEIGHT = 160, 96
FRAME_NS = 40_000_000
START = 5_000_000_000


def picture(number: int) -> bytes:
    """A screen of noise on which a bar moves: no two frames are the same, and a wrong one is seen."""
    pixels = np.random.default_rng(7).integers(0, 255, (HEIGHT, WIDTH, 4), dtype=np.uint8)
    pixels[10:20, (number * 5) % 140 : (number * 5) % 140 + 12] = 255 - (number * 3) % 200
    return pixels.tobytes()


def killed_recording(folder: Path, frames: int = 45, events: int = 120) -> Path:
    """A recording whose recorder was killed: its video is not closed, recording.json is as at the start. An event
    every 10 ms, a frame every 40 ms, from START."""
    folder.mkdir(parents=True)
    write_info(
        folder,
        RecordingInfo(
            id="0123456789abcdef", recorder="x11@1", platform="linux", instruction="try it",
            screen=Screen(width=WIDTH, height=HEIGHT, scale=1.0),
        ),
    )  # fmt: skip
    lines = []
    for seq in range(events):
        t = START + seq * 10_000_000
        row = (
            KeyRow(seq=seq, t=t, key="a", code=38, pressed=seq % 2 == 0, text="é" if seq % 2 == 0 else None)
            if seq % 10 in (4, 5)
            else MoveRow(seq=seq, t=t, x=seq % WIDTH, y=seq % HEIGHT)
        )
        lines.append(msgspec.json.encode(row))
    (folder / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines))
    trees = [
        {"kind": "tree", "t": START + n * 300_000_000, "since": START + n * 300_000_000 - 5_000_000, "app": "notes"}
        for n in range(3)
    ]
    (folder / ACCESSIBILITY).write_bytes(b"".join(msgspec.json.encode(tree) + b"\n" for tree in trees))
    living = folder.parent / f"{folder.name}-living"
    living.mkdir()
    writer = VideoWriter(living, WIDTH, HEIGHT)
    for number in range(frames):
        write_bgra(writer, picture(number), START + number * FRAME_NS)
    for name in (VIDEO, FRAMES):
        shutil.copyfile(living / name, folder / name)
    writer.close()
    shutil.rmtree(living)
    return folder


def decoded(path: Path) -> list[tuple[int, bytes]]:
    """Every frame that comes out of a video: its pts in milliseconds, its pixels."""
    with av.open(str(path)) as video:
        return [(round(f.pts * f.time_base * 1000), f.to_ndarray().tobytes()) for f in video.decode(video=0)]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


__all__ = ["ACCESSIBILITY", "EVENTS", "FRAMES", "INFO", "VIDEO"]


def copy_of(killed: Path, to: Path, name: str = "r") -> Path:
    shutil.copytree(killed, to / name)
    return to / name
