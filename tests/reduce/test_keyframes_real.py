"""The real recording: what was measured and looked at on it must stay so (benchmarks/keyframes.py shows it).

15 presses lie in the picture. Looked at one by one, all 15 show the screen that was acted on, with neither the pointer
nor a highlight on the target.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from curate.model.actions import POINTED
from curate.model.trajectory import Step, Trajectory
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.agentnettool import open_recording
from curate.store.media import MediaStore, read_rgb

PRESSES = [
    (1328, 745), (1305, 393), (1268, 406), (621, 206), (360, 256), (562, 277), (544, 316), (732, 563), (640, 176),
    (1039, 556), (436, 708), (1056, 566), (218, 636), (756, 306), (697, 680),
]  # fmt: skip
WIDTH, HEIGHT = 1366, 768


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> MediaStore:
    return MediaStore(tmp_path_factory.mktemp("media"))


@pytest.fixture(scope="module")
def record(shared: Path, store: MediaStore) -> Trajectory:
    recording = open_recording(shared / "data" / "agentnet-recording")
    return reduce_recording(recording, store, ReduceOptions(review="ignore"), KeyframeOptions())[0]


def pressed(record: Trajectory) -> dict[tuple[int, int], Step]:
    """The steps that press a button in the picture, by where."""
    found: dict[tuple[int, int], Step] = {}
    for step in record.steps:
        action = step.actions[0]
        if isinstance(action, POINTED) and action.x is not None and action.y is not None and "scroll" not in step.code:
            found[round(action.x * WIDTH), round(action.y * HEIGHT)] = step
    return found


def test_every_press_in_the_picture_has_its_keyframe_with_the_pointer_away(record: Trajectory) -> None:
    steps = pressed(record)
    assert set(steps) == set(PRESSES)
    for (x, y), step in steps.items():
        keyframe = step.keyframe
        assert step.image is not None and keyframe is not None and not keyframe.erased
        assert keyframe.pointer_on_target is False, (x, y)
        assert step.time is not None and keyframe.time <= step.time.start - 0.15 + 1e-6
        if keyframe.pointer is not None:
            distance = np.hypot(keyframe.pointer[0] - x / WIDTH, keyframe.pointer[1] - y / HEIGHT)
            assert distance >= 0.03 or {"pointer_near", "pointer_inherited"} & set(step.flags), (x, y)


def test_the_background_redraws_just_before_one_of_them(record: Trajectory) -> None:
    late = [point for point, step in pressed(record).items() if "late_change" in step.flags]
    assert late == [(732, 563)]


@lru_cache
def picture(store: MediaStore, reference: str) -> np.ndarray:  # type: ignore[type-arg]
    found = read_rgb(store.read(reference))
    assert found is not None and found.shape == (718, 1276, 3)
    return found


def grey(store: MediaStore, step: Step, left: int, top: int, right: int, bottom: int) -> float:
    """The mean grey of a part of a step's picture, given in screen pixels."""
    assert step.image is not None
    scale = 1276 / WIDTH
    part = picture(store, step.image)[int(top * scale) : int(bottom * scale), int(left * scale) : int(right * scale)]
    return float(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY).mean())


@pytest.mark.parametrize(
    ("press", "area", "low", "high", "what"),
    [
        ((1305, 393), (1100, 100, 1300, 300), 30, 70, "the action centre is open, dark over the rock"),
        ((1268, 406), (1180, 408, 1220, 420), 0, 110, "its context menu is open"),
        ((544, 316), (480, 308, 600, 325), 215, 250, "the list is open and 125 % is not lit"),
        ((640, 176), (480, 170, 600, 200), 215, 250, "the list of resolutions is open and this row is not lit"),
        ((1039, 556), (400, 400, 600, 420), 40, 90, "the dialogue is there, over a dimmed page"),
        ((1039, 556), (970, 575, 1150, 578), 40, 90, "and its button is not lit"),
        ((1056, 566), (970, 575, 1150, 578), 40, 90, "the second dialogue's button is not lit"),
        ((436, 708), (330, 700, 420, 730), 215, 250, "the list is open and Landscape is not lit"),
        ((697, 680), (600, 660, 720, 690), 215, 250, "the list of times is open and this row is not lit"),
    ],
)
def test_the_state_and_the_highlight(
    record: Trajectory,
    store: MediaStore,
    press: tuple[int, int],
    area: tuple[int, int, int, int],
    low: float,
    high: float,
    what: str,
) -> None:
    assert low <= grey(store, pressed(record)[press], *area) <= high, what


@pytest.mark.parametrize(
    ("press", "row", "other"),
    [
        ((640, 176), (670, 158, 740, 186), (670, 218, 740, 246)),
        ((697, 680), (640, 666, 720, 694), (640, 622, 720, 650)),
        ((544, 316), (480, 308, 600, 325), (480, 332, 600, 336)),
    ],
)
def test_a_row_looks_like_its_neighbours(
    record: Trajectory,
    store: MediaStore,
    press: tuple[int, int],
    row: tuple[int, int, int, int],
    other: tuple[int, int, int, int],
) -> None:
    """Rows of a list light up some 20 grey levels darker, along their whole width."""
    step = pressed(record)[press]
    assert abs(grey(store, step, *row) - grey(store, step, *other)) < 4


def test_the_end_shows_the_result_and_is_the_final_image(record: Trajectory) -> None:
    last = record.steps[-1]
    assert last.code == "computer.terminate()" and last.image is not None and record.final_image == last.image
    assert last.keyframe is not None and last.time is not None and last.keyframe.time < last.time.start


def test_the_numbers_and_their_floor(record: Trajectory) -> None:
    """No picture has the pointer on its target, nor a highlight; the floor: clicking where the last action ended."""
    steps = list(pressed(record).values())
    assert sum(bool(step.keyframe and step.keyframe.pointer_on_target) for step in steps) == 0
    assert sum(bool(step.keyframe and step.keyframe.hover) for step in steps) <= 1
    assert all(step.keyframe is not None and step.keyframe.floor_on_target is not True for step in steps)
