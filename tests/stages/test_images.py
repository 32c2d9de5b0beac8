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
    difference_hash,
    look_alike,
    mean_squared_difference,
    thumbnail,
    white_share,
)
from curate.stages.measures.picture_reader import PictureReader
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


def test_a_record_whose_pictures_were_not_there_to_be_read_is_none_of_words(store):
    steps = shown(None, None)
    for step in steps:
        step.flags = ["picture_missing"]
    assert left_out(store, run("r", steps)) == {0: "images.missing", 1: "images.missing"}


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


def test_equal_bytes_are_decoded_once_and_neighbours_are_not_decoded_again(store):
    refs = [store.add_png(screen(i)) for i in range(4)]
    reader = PictureReader(store.root)
    for before, now in zip(refs * 5, (refs * 5)[1:], strict=False):
        reader.difference(before, now)
    assert reader.decodings == 4
    twin = store.root / "media" / "00" / ("00" * 32 + ".png")  # the same bytes under another name
    twin.parent.mkdir(parents=True)
    twin.write_bytes(store.read(refs[0]))
    reader = PictureReader(store.root)
    assert reader.difference(refs[0], f"media/00/{'00' * 32}.png") == 0.0
    assert reader.decodings == 1


def test_a_picture_that_would_unpack_to_gigabytes_is_not_decoded(store):
    import struct
    import zlib

    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    bomb = store.add_bytes(data + b"\x00\x00\x00\x00IEND\xaeB`\x82", "png")
    reader = PictureReader(store.root)
    assert reader.facts(bomb).state == "unreadable"
    assert reader.decodings == 0


@pytest.mark.parametrize("harm", ["cut", "flipped", "no width", "text", "empty"])
def test_a_broken_picture_is_unreadable_and_nothing_writes_about_it_to_the_terminal(store, capfd, harm):
    whole = png()
    data = {
        "cut": whole[: len(whole) // 2],
        "flipped": whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 255]) + whole[len(whole) // 2 + 1 :],
        "no width": whole[:16] + bytes(4) + whole[20:],
        "text": b"no picture",
        "empty": b"",
    }[harm]
    broken = store.add_bytes(data, "png")
    assert PictureReader(store.root).facts(broken).state == "unreadable"
    assert capfd.readouterr() == ("", "")


def test_unchanged_needs_rgb_and_is_strict():
    assert pytest.approx(65.025) == UNCHANGED_MSE
    assert pytest.approx(8.06, abs=0.005) == UNCHANGED_MSE**0.5
    one = np.zeros((2280, 1080, 3), np.uint8)
    cursor = one.copy()
    cursor.reshape(-1, 3)[:2000] = 200
    assert mean_squared_difference(one, cursor) == pytest.approx(32.5, abs=0.05)
    assert is_unchanged(mean_squared_difference(one, cursor))
    quarter = one.copy()
    quarter[: 2280 // 4] = 100
    assert mean_squared_difference(one, quarter) == pytest.approx(2500)
    assert not is_unchanged(2500.0)
    assert not is_unchanged(UNCHANGED_MSE)
    assert not is_unchanged(None)
    assert mean_squared_difference(one, one[:10]) is None


def test_an_alpha_channel_does_not_dilute(store):
    def with_alpha(level: float) -> str:
        picture = np.full((50, 50, 4), 255, np.uint8)
        picture[..., :3] = level
        ok, data = cv2.imencode(".png", picture)
        assert ok
        return store.add_bytes(bytes(data), "png")

    reader = PictureReader(store.root)
    found = reader.difference(with_alpha(100), with_alpha(109))
    assert found == 81.0  # 81 * 3 / 4 = 60.75 would be "unchanged"
    assert not is_unchanged(found)


def test_blank_is_a_share_and_strict():
    assert pytest.approx(0.934, abs=0.0005) == BLANK_SHARE
    assert not is_blank(2_300_000 / 2_462_400)
    assert is_blank(2_300_001 / 2_462_400)
    picture = np.full((10, 10, 3), 241, np.uint8)
    picture[0, 0] = (255, 255, 240)
    assert white_share(picture) == 0.99


def test_screens_look_alike_as_the_eye_sees_it():
    def alike(one: np.ndarray, other: np.ndarray) -> bool:
        (first, small), (second, tiny) = (
            (np.uint64(int(difference_hash(picture), 16)), np.frombuffer(thumbnail(picture), np.uint8))
            for picture in (one, other)
        )
        found = look_alike(np.array([first]), small[None], second, tiny)
        assert look_alike(np.array([second]), tiny[None], first, small) == found
        return bool(found[0])

    one = screen(1, 720, 1280)
    noisy = np.clip(one.astype(int) + RNG.integers(-2, 3, one.shape), 0, 255).astype(np.uint8)
    clock = one.copy()
    clock[700:710, 1250:1262] = 120  # a digit of the clock
    menu = one.copy()
    menu[300:380, 500:580] = 230  # an opened menu is a small part of the picture
    assert alike(one, noisy)
    assert alike(one, clock)
    assert alike(one, cv2.resize(one, (640, 360), interpolation=cv2.INTER_AREA))
    assert not alike(one, menu)
    assert not alike(one, screen(2, 720, 1280))
    dark = np.full((720, 1280, 3), 20, np.uint8)
    assert not alike(dark, 255 - dark)  # their hashes are equal: both are flat


def test_real_screens(shared, store):
    """Two pictures of AgentNetBench: readable, not blank, unlike each other."""
    folder = shared / "data/sources/agentnetbench/images"
    refs = [store.add_bytes(path.read_bytes(), "png") for path in sorted(folder.glob("*.png"))]
    rows = measured(STAGE, [run("r", shown(*refs))], context=context(store)).to_pylist()
    assert [row["state"] for row in rows] == ["ok", "ok"]
    assert all(row["width"] > 1000 and not is_blank(row["white"]) for row in rows)
    assert rows[0]["sha256"] == hashlib.sha256(store.read(refs[0])).hexdigest()
    assert rows[1]["difference"] is None or not is_unchanged(rows[1]["difference"])
