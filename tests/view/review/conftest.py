"""Folders that tests of the review page look at, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.model.trajectory import Trajectory
from curate.store.dataset import DatasetWriter
from tests.factories import make_step, make_trajectory, png
from tests.runs import run_here
from tests.view.review.serving import Asked, serving

SENTENCES = ("Save the budget as a report", "Rename the third folder", "Find the cheapest flight to Oslo",
             "Mute the news channel", "Order two lamps", "Write Lena that you come")  # fmt: skip


def make_dataset(root: Path, records: list[Trajectory], part_rows: int = 256, picture: bytes | None = None) -> Path:
    """A dataset folder of these records. `picture`: that of each of their steps, whose size no step states."""
    with DatasetWriter(root, made={"by": "test"}, part_rows=part_rows) as writer:
        for record in records:
            for step in record.steps if picture is not None else ():
                step.image = writer.media.add_bytes(picture, "png")
            writer.add(record)
    return root


def made_records() -> list[Trajectory]:
    """Twelve runs: two of each task, of which the second is a near-copy; one of them failed, one is a test task."""
    found = []
    for k in range(12):
        does = [f"click {word}" for word in SENTENCES[k % 6].split()] + ["write hello", "press enter", "scroll -3"]
        if k >= 6:
            does.insert(2, "click Help")
        steps = [make_step(n, what, flags=["words_generated"] if n == k else []) for n, what in enumerate(does)]
        steps[1].correct = False if k == 1 else None
        found.append(
            make_trajectory(
                f"made:{k:02d}", steps=steps, instruction=SENTENCES[k % 6], app=f"app{k % 3}",
                completed=[True, None, False][k % 5 % 3], actor="human" if k % 2 else "program",
            )
        )  # fmt: skip
    return found


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over `made_records` as `curate run` makes it, with pictures, near-copies, a leak and a split. Not to be
    changed."""
    folder = tmp_path_factory.mktemp("review")
    with DatasetWriter(folder / "data", made={"by": "test"}) as writer:
        for k, record in enumerate(made_records()):
            for step in record.steps:
                step.image = writer.media.add_bytes(png(96, 54, shade=(17 * k + 31 * step.index) % 200), "png")
                step.image_size = (96, 54)
            writer.add(record)
    tests = folder / "tests.jsonl"
    tests.write_text('{"id": "bench-1", "instruction": "Find the cheapest flight to Oslo"}\n', "utf-8")
    sets = [f"leaks.tests={tests}", "split.by=app", "split.test=0.34", "outcome.keep=not_failed"]
    run_here([folder / "data"], folder / "run", sets)
    return folder / "run"


@pytest.fixture(scope="session")
def asked(run_folder: Path) -> Iterator[Asked]:
    """A server over `run_folder`, for tests that change nothing."""
    with serving(run_folder, by="anna") as found:
        yield found
