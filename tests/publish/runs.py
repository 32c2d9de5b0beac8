"""Finished runs that may be published, and such that may not: records of files, changed before a run reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from curate.model.trajectory import Trajectory, encode
from tests.factories import make_trajectory
from tests.runs import run_here

RUNS = 6
Change = Callable[[list[Trajectory], Path], None]


def picture(folder: Path, number: int, says: str | None = None) -> str:
    """A screen of its own with words on it; its name. `says`: a comment in the file."""
    image = Image.new("RGB", (320, 180), (200, 210, (number * 37) % 255))
    ImageDraw.Draw(image).text((20, 20 + number % 100), f"Screen number {number}", fill="black")
    info = PngInfo()
    if says is not None:
        info.add_text("Comment", says)
    folder.mkdir(parents=True, exist_ok=True)
    image.save(folder / f"{number}.png", pnginfo=info)
    return f"{number}.png"


def records(folder: Path, runs: int = RUNS) -> list[Trajectory]:
    """Runs with pictures in `folder`, of a licence that allows anything."""
    made = []
    for run in range(runs):
        task = f"Rename the folder number {run} to plan {run}"
        record = make_trajectory(f"made:{run}", instruction=task, app=f"app{run}", completed=True)
        for step in record.steps:
            step.image = picture(folder, run * 10 + step.index)
            step.image_size = (320, 180)
        record.source.license = "cc0-1.0"
        made.append(record)
    return made


def finished(root: Path, change: Change | None = None, sets: Sequence[str] = (), runs: int = RUNS) -> Path:
    """A run over these records."""
    data = root / "data"
    made = records(data, runs)
    if change is not None:
        change(made, data)
    (data / "records.jsonl").write_bytes(b"".join(encode(record) + b"\n" for record in made))
    run_here([data], root / "run", ["validate.min_steps=1", *sets])
    return root / "run"
