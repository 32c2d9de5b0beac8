"""A corpus of runs with pictures as data sets ship them: `runs.jsonl` and `images.zip.001`, `images.zip.002`, ..."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from drawn_screens import SIZE, files, steps

PART_BYTES = 1 << 30
STEPS = 12  # of a run


class _Parts:
    """A file that is cut as it is written."""

    def __init__(self, path: Path, size: int) -> None:
        self._path, self._size, self._number, self._left = path, size, 0, 0

    def write(self, data: bytes) -> int:
        view = memoryview(data)
        while view:
            if not self._left:
                self.close()
                self._number += 1
                self._file = self._path.with_name(f"{self._path.name}.{self._number:03}").open("wb")
                self._left = self._size
            written = self._file.write(view[: self._left])
            view, self._left = view[written:], self._left - written
        return len(data)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        if self._number:
            self._file.close()


def make(folder: Path, distinct: int, count: int, kind: str = "own", part_bytes: int = PART_BYTES) -> Path:
    """`count` steps over `distinct` pictures; `kind`: `png` or `jpg` of other programs, `own`: PNG as our recorder
    writes them. The file of records."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = _Parts(folder / "images.zip", part_bytes)
    extension = "jpg" if kind == "jpg" else "png"
    with zipfile.ZipFile(parts, "w", zipfile.ZIP_STORED) as archive:  # type: ignore[call-overload]
        for number, data in enumerate(files(distinct, kind)):
            archive.writestr(f"{number:06}.{extension}", data)
    parts.close()
    path = folder / "runs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, shown in enumerate(_runs(steps(distinct, count))):
            file.write(json.dumps(record(number, [f"images/{one:06}.{extension}" for one in shown])) + "\n")
    return path


def _runs(shown: Iterable[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for one in shown:
        run.append(one)
        if len(run) == STEPS:
            yield run
            run = []
    if run:
        yield run


def record(number: int, images: list[str]) -> dict[str, object]:
    """A run whose steps show these pictures."""
    made = [
        {"index": at, "image": image, "image_size": list(SIZE), "thought": None, "action": f"Click entry {at}",
         "actions": [{"type": "click", "x": round((at * 37 % 100) / 100, 4), "y": round((number % 97) / 97, 4),
                      "modifiers": []}]}
        for at, image in enumerate(images)
    ]  # fmt: skip
    return {
        "schema": "trajectory.v1",
        "id": f"drawn:{number}",
        "source": {"name": "drawn"},
        "instruction": f"Open entry number {number} of list {number * 7919 % 10007} and read it",
        "actor": {"kind": "program"},
        "platform": "linux",
        "apps": [f"app{number % 50}"],
        "steps": made,
        "outcome": {"completed": True, "by": "program"},
    }


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "own"))
