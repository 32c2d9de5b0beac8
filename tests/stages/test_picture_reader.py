"""Reading pictures once: at hand, by content, from what other shards found; and what small copies may prove."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from curate.model.constants import BLANK_SHARE, UNCHANGED_MSE
from curate.stages.images import STAGE
from curate.stages.measures import picture_reader
from curate.stages.measures.picture_cache import FactsCache, cache_folder
from curate.stages.measures.picture_facts import (
    difference_at_least,
    mean_squared_difference,
    small_copy,
    white_share,
    white_share_at_most,
)
from curate.stages.measures.picture_reader import PictureReader
from curate.store.media import MediaStore
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import run_here
from tests.stages.factories import press_button, run


def screen(seed: int, width: int = 1280, height: int = 720, paper: int = 70) -> np.ndarray:
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), paper, np.uint8)
    for _ in range(25):
        x, y = rng.integers(0, width - 200), rng.integers(0, height - 60)
        picture[y : y + rng.integers(4, 60), x : x + rng.integers(4, 200)] = rng.integers(0, 255, 3)
        cv2.putText(picture, f"text {seed} {x}", (int(x), int(y)), 0, 0.6, (10, 10, 10), 1, cv2.LINE_AA)
    return picture


def jpeg(picture: np.ndarray, quality: int = 85, **more: object) -> bytes:
    data = io.BytesIO()
    Image.fromarray(picture).save(data, "JPEG", quality=quality, **more)
    return data.getvalue()


def record_of(*references: str) -> object:
    return run("r", [press_button(n, f"b{n}", image=one) for n, one in enumerate(references)])


# --- what small copies prove -------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(640, 900), st.integers(360, 500), st.integers(200, 255))
def test_bounds_of_small_copies_hold(one: int, other: int, width: int, height: int, paper: int) -> None:
    a, b = screen(one, width, height, paper), screen(other, width, height, paper)
    small, smaller = small_copy(a), small_copy(b)
    exact = mean_squared_difference(a, b)
    assert exact is not None and difference_at_least(small, smaller, width, height) <= exact
    assert white_share(a) <= white_share_at_most(small, width, height) <= 1.0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 30), st.integers(640, 900), st.integers(360, 500), st.integers(50, 95), st.integers(0, 2))
def test_bounds_of_jpegs_hold_for_their_decoded_pixels(
    seed: int, width: int, height: int, quality: int, sub: int
) -> None:
    with PictureReader(MediaStore(Path("/nowhere"))) as reader:
        whole, small = [], []
        for picture in (screen(seed, width, height), screen(seed + 1, width, height)):
            data = jpeg(picture, quality, subsampling=sub)
            header = picture_reader.sound_header(data)
            assert header is not None
            whole.append(reader._decode("x", data))
            small.append(reader._decode_small("y", data, header))
    exact = mean_squared_difference(whole[0], whole[1])
    assert exact is not None and small[0].shape == (height // 8, width // 8, 3)
    assert difference_at_least(small[0], small[1], width, height) <= exact
    assert np.abs(small_copy(whole[0]).astype(int) - small[0]).mean() < 3
    assert white_share(whole[0]) <= white_share_at_most(small[0], width, height)


def test_what_is_blank_is_blank_in_every_kind_of_file(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    blank = np.full((720, 1280, 3), 255, np.uint8)
    blank[:40] = 30
    page = blank.copy()
    page[::9] = 20  # a page full of lines is not blank
    found = {}
    for name, picture in (("blank", blank), ("page", page), ("dark", screen(1))):
        for kind, reference in (("png", store.add_png(picture)), ("jpg", store.add_bytes(jpeg(picture, 95), "jpg"))):
            facts = PictureReader(store).facts(reference)
            assert facts.state == "ok" and (facts.width, facts.height) == (1280, 720)
            found[name, kind] = facts.white is not None and facts.white > BLANK_SHARE
    assert found == {(name, kind): name == "blank" for name in ("blank", "page", "dark") for kind in ("png", "jpg")}


def test_unchanged_is_what_the_pixels_say(tmp_path: Path) -> None:
    """A small copy only ever proves a change; whether nothing changed the pixels are asked."""
    store = MediaStore(tmp_path)
    picture = screen(3)
    lines = picture.copy()
    lines[::2] = np.clip(lines[::2].astype(int) + 24, 0, 255).astype(np.uint8)
    lines[1::2] = np.clip(lines[1::2].astype(int) - 24, 0, 255).astype(np.uint8)  # the same means, other pixels
    clock = picture.copy()
    clock[700:710, 1200:1240] = 255
    refs = [store.add_png(one) for one in (picture, lines, clock, screen(4))]
    reader = PictureReader(store)
    changed = [reader.difference(refs[0], other) for other in refs]
    assert changed[0] == 0.0 and changed[1] == mean_squared_difference(picture, lines)
    assert changed[2] == mean_squared_difference(picture, clock) and changed[2] < UNCHANGED_MSE
    exact = mean_squared_difference(picture, screen(4))
    assert exact is not None and UNCHANGED_MSE <= (changed[3] or 0) <= exact
    assert reader.decodings == 4


# --- once ------------------------------------------------------------------------------------------------------------


def test_a_jpeg_that_shows_enough_is_never_decoded_whole(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    refs = [store.add_bytes(jpeg(screen(n)), "jpg") for n in range(5)]
    reader = PictureReader(store)
    reader.look_at(record_of(*refs, *refs))
    assert (reader.decodings, reader.small_decodings) == (0, 5)


def test_the_bytes_at_hand_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = MediaStore(tmp_path, at_hand=1 << 20)
    reference = store.add_bytes(jpeg(screen(1)), "jpg")
    (tmp_path / reference).unlink()
    assert PictureReader(store).facts(reference).state == "ok"
    assert PictureReader(tmp_path).facts(reference).state == "missing"


def test_a_picture_that_may_be_shown_turned_has_the_size_it_is_shown_in(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    store = MediaStore(tmp_path)
    facts = PictureReader(store).facts(store.add_bytes(jpeg(screen(1), exif=exif), "jpg"))
    assert (facts.width, facts.height) == (720, 1280)


def test_a_jpeg_that_is_cut_is_unreadable_and_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = MediaStore(tmp_path)
    data = jpeg(screen(1))
    assert PictureReader(store).facts(store.add_bytes(data[: len(data) // 2], "jpg")).state == "unreadable"
    assert capfd.readouterr() == ("", "")


# --- what others found -----------------------------------------------------------------------------------------------


def test_another_shard_decodes_nothing_again(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    refs = [store.add_png(screen(n)) for n in range(4)]
    with PictureReader(store, FactsCache(cache_folder(tmp_path))) as first:
        first.look_at(record_of(*refs))
    with PictureReader(store, FactsCache(cache_folder(tmp_path))) as second:
        second.look_at(record_of(*refs))
        assert [second.facts(one) for one in refs] == [first.facts(one) for one in refs]
        assert second.difference(refs[0], refs[1]) == first.difference(refs[0], refs[1])
    assert (first.decodings, second.decodings) == (4, 0)


@pytest.mark.parametrize("harm", ["garbage", "folder", "locked"])
def test_a_broken_cache_changes_no_answer(tmp_path: Path, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curate.stages.measures.picture_cache._WAIT", 0.05)
    store = MediaStore(tmp_path)
    refs = [store.add_png(screen(n)) for n in range(2)]
    folder = cache_folder(tmp_path)
    FactsCache(folder).facts("00" * 32)
    (database,) = folder.glob("*.sqlite")
    lock = sqlite3.connect(database, isolation_level=None)
    if harm == "locked":
        lock.execute("BEGIN EXCLUSIVE")
    else:
        lock.close()
        for path in folder.iterdir():
            path.unlink()
        if harm == "folder":
            database.mkdir()
        else:
            database.write_bytes(b"no database" * 1000)
    with PictureReader(store, FactsCache(folder)) as reader:
        reader.look_at(record_of(*refs))
        assert [reader.facts(one) for one in refs] == [PictureReader(store).facts(one) for one in refs]
    lock.close()


def picture_run(folder: Path, count: int, out: Path, **more: object) -> None:
    folder.mkdir(exist_ok=True)
    for n in range(count + 1):
        (folder / f"{n}.png").write_bytes(MediaStore(folder / "made").root.joinpath(
            MediaStore(folder / "made").add_png(screen(n))).read_bytes())  # fmt: skip
    records = [
        make_trajectory(f"made:{n}", instruction=f"Open the entry {n}", steps=[
            make_step(at, f"click {n}{'AB'[at]}", image=f"{n + at}.png", image_size=None) for at in range(2)])
        for n in range(count)
    ]  # fmt: skip
    run_here([write_records(folder / "r.jsonl", records)], out, **more)


def test_a_line_more_decodes_only_its_own_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole shard is read again, its pictures are known from its measures; and the folder is that of a new run."""
    decoded: list[str] = []
    plain = PictureReader._decode
    monkeypatch.setattr(
        PictureReader, "_decode", lambda self, digest, data: decoded.append(digest) or plain(self, digest, data)
    )
    picture_run(tmp_path / "in", 5, tmp_path / "run")
    assert len(decoded) == len(set(decoded)) == 6, "each once, though neighbours share them"
    decoded.clear()
    picture_run(tmp_path / "in", 6, tmp_path / "run", resume_anyway=True)
    assert len(set(decoded)) <= 2, "the new one, and the one before it, whose pixels and thumbnail were not kept"
    assert not [path for path in cache_folder(tmp_path / "run").rglob("*") if path.is_file()]


def test_the_stage_says_of_which_version_its_facts_are(tmp_path: Path) -> None:
    from curate.stages.base import MeasureContext
    from tests.stages.factories import measured

    table = measured(STAGE, [record_of()], context=MeasureContext(media_root=tmp_path))
    assert (table.schema.metadata or {})[b"picture_facts"]
