"""Pictures: real files of every kind of fault, and what becomes of their steps."""

from __future__ import annotations

import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from curate.model.constants import BLANK_SHARE, UNCHANGED_MSE
from curate.model.trajectory import Keyframe
from curate.stages.base import MeasureContext
from curate.stages.images import STAGE, ImagesOptions, is_blank, is_unchanged
from curate.stages.measures.picture_facts import (
    Look,
    PictureReader,
    difference_hash,
    look_alike,
    mean_squared_difference,
    thumbnail,
    white_share,
)
from curate.store.media import MediaStore
from tests.factories import png
from tests.stages.factories import decided, kept, measured, press_button, run

RNG = np.random.default_rng(7)


def screen(seed: int, height: int = 72, width: int = 128) -> np.ndarray:
    """A made-up screen of coloured windows."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), 60, np.uint8)
    for _ in range(6):
        x, y = rng.integers(0, width - 20), rng.integers(0, height - 12)
        picture[y : y + 12, x : x + 20] = rng.integers(0, 200, 3)
    return picture


@pytest.fixture
def store(tmp_path: Path) -> MediaStore:
    return MediaStore(tmp_path)


def context(store: MediaStore) -> MeasureContext:
    return MeasureContext(media_root=store.root)


def shown(*references: str | None, **fields) -> list:
    return [press_button(i, f"b{i}", image=reference, **fields) for i, reference in enumerate(references)]


def left_out(store, record, options=None):
    rows = decided(STAGE, [record], options, context=context(store))
    assert kept(rows) == [record.id]
    return {row["step"]: row["reason"] for row in rows if row["step"] is not None}


def test_good_pictures_leave_every_step(store):
    refs = [store.add_png(screen(i)) for i in range(3)]
    record = run("r", shown(*refs, image_size=(128, 72)))
    assert left_out(store, record) == {}
    rows = measured(STAGE, [record], context=context(store)).to_pylist()
    assert [row["state"] for row in rows] == ["ok"] * 3
    assert rows[0]["difference"] is None
    exact = np.mean((screen(1).astype(float) - screen(0)) ** 2)
    assert rows[1]["difference"] == pytest.approx(exact, rel=1e-5)


def test_records_without_any_picture_are_kept_whole(store):
    assert left_out(store, run("r", shown(None, None))) == {}


def test_each_fault_has_its_reason(store):
    good = store.add_png(screen(0))
    blank = store.add_png(np.full((72, 128, 3), 255, np.uint8))
    broken = store.add_bytes(b"no picture at all", "png")
    cut = store.add_bytes(store.read(store.add_png(RNG.integers(0, 255, (72, 128, 3), dtype=np.uint8)))[:900], "png")
    gone = "media/ab/" + "ab" * 32 + ".png"
    steps = shown(good, None, gone, broken, cut, blank, "../../etc/passwd", "/etc/passwd", good)
    steps[8].image_size = (1920, 1080)
    assert left_out(store, run("r", steps)) == {
        1: "images.missing", 2: "images.missing", 3: "images.unreadable", 4: "images.unreadable", 5: "images.blank",
        6: "images.missing", 7: "images.missing", 8: "images.wrong_size",
    }  # fmt: skip
    keep = ImagesOptions(missing="keep", unreadable="keep", blank="keep", wrong_size="keep")
    assert left_out(store, run("r", steps), keep) == {}


def test_what_the_keyframe_rule_said(store):
    good = store.add_png(screen(0))
    steps = shown(good, good, good, good)
    steps[0].keyframe = Keyframe(time=1.0, rule="inherited", pointer_on_target=True)
    steps[1].keyframe = Keyframe(time=1.0, rule="erased", erased=True)
    steps[2].flags = ["late_change"]
    steps[3].flags, steps[3].image = ["keyframe_missing"], None
    default = {1: "images.erased", 2: "images.late_change", 3: "images.keyframe_missing"}
    assert left_out(store, run("r", steps)) == default
    assert left_out(store, run("r", steps), ImagesOptions(pointer_on_target="drop_target")) == {
        0: "images.pointer_on_target",
        **default,
    }
    rows = decided(
        STAGE, [run("r", steps)], ImagesOptions(pointer_on_target="drop_step", erased="keep"), context=context(store)
    )
    assert {row["step"]: row["out_of_history"] for row in rows if row["step"] is not None} == {
        0: True,
        2: False,
        3: False,
    }


def test_a_recording_without_any_picture_is_kept_as_text(store):
    """As every record without pictures is: a recording's video is optional. Beside steps with pictures a gap counts."""
    bare, gap, seen = shown(None, None, store.add_png(screen(0)))
    bare.flags = gap.flags = ["keyframe_missing"]
    assert left_out(store, run("r", [bare, gap])) == {}
    assert left_out(store, run("r", [bare, gap, seen])) == {0: "images.keyframe_missing", 1: "images.keyframe_missing"}
