"""Pictures by content."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from curate.model.errors import StoreError
from curate.store.media import MediaStore, encode_png, read_rgb


def pixels(height: int = 20, width: int = 30, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_the_name_is_the_hash_of_the_bytes_and_the_pixels_are_the_picture(tmp_path: Path) -> None:
    picture = pixels()
    reference = MediaStore(tmp_path).add_png(picture)
    data = (tmp_path / reference).read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    assert reference == f"media/{digest[:2]}/{digest}.png"
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), picture)  # Pillow as the second reader: RGB order


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 5), st.booleans())
def test_png_is_lossless_and_the_same_bytes_every_time(height: int, width: int, seed: int, flat: bool) -> None:
    picture = np.full((height, width, 3), seed * 50, np.uint8) if flat else pixels(height, width, seed)
    data = encode_png(picture)
    assert data == encode_png(picture.copy())
    assert np.array_equal(read_rgb(data), picture)


def test_a_view_of_a_larger_array_is_the_same_picture() -> None:
    whole = pixels(40, 40)
    assert encode_png(whole[5:20, 7:30]) == encode_png(whole[5:20, 7:30].copy())


def test_each_picture_is_stored_once_however_it_comes(tmp_path: Path) -> None:
    store = MediaStore(tmp_path / "store")
    data = encode_png(pixels())
    file = tmp_path / "Screen Shot.PNG"
    file.write_bytes(data)
    references = {store.add_png(pixels()), store.add_bytes(data, "png"), store.add_file(file)}
    assert len(references) == 1
    assert len([p for p in (tmp_path / "store").rglob("*") if p.is_file()]) == 1


def test_a_file_cut_short_by_a_power_loss_is_written_again(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    reference = store.add_png(pixels())
    whole = (tmp_path / reference).read_bytes()
    (tmp_path / reference).write_bytes(whole[:10])
    assert not store.check(reference)
    store.add_png(pixels())
    assert (tmp_path / reference).read_bytes() == whole


@pytest.mark.parametrize("extension", ["", "p/ng", "../x", "PNG ", "a" * 20])
def test_extensions_cannot_lead_anywhere(tmp_path: Path, extension: str) -> None:
    with pytest.raises(StoreError):
        MediaStore(tmp_path).add_bytes(b"x", extension)


def test_what_is_no_picture(tmp_path: Path) -> None:
    assert read_rgb(b"") is None
    assert read_rgb(b"no picture") is None
    with pytest.raises(ValueError, match="H x W"):
        MediaStore(tmp_path).add_png(np.zeros((2, 2, 4), np.uint8))
    with pytest.raises(StoreError, match="Cannot read"):
        MediaStore(tmp_path).add_file(tmp_path / "missing.png")
    assert list(tmp_path.iterdir()) == []
