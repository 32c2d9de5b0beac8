"""Names of pictures as other people's files give them, and sizes of pictures."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from curate.sources.common.picture_names import beside, local_name
from curate.store.picture_size import picture_size
from tests.factories import png


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("a/b.png", "a/b.png"),
        ("images\\excel_4s_1/action.png", "images/excel_4s_1/action.png"),
        ("./a.png", "a.png"),
        ("/Users/someone/data/a.png", "a.png"),
        ("C:\\Users\\someone\\a.png", "a.png"),
        ("\\\\server\\share\\a.png", "a.png"),
        ("file:///tmp/a.png", "a.png"),
        ("../a.png", "../a.png"),  # refused where it is looked up
        ("~/a.png", "a.png"),
        ("", ""),
    ],
)
def test_nobody_s_folders_stand_in_a_name(given: str, name: str) -> None:
    assert local_name(given) == name


def test_a_picture_is_found_where_it_lies(tmp_path: Path) -> None:
    for name in ("a.png", "images/b.png", "images/run/c.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(png())
    assert beside(tmp_path, "a.png") == "a.png"
    assert beside(tmp_path, "b.png") == "images/b.png"
    assert beside(tmp_path, "run\\c.png") == "images/run/c.png"
    assert beside(tmp_path, "/Users/someone/shots/b.png") == "images/b.png"
    assert beside(tmp_path, "elsewhere/a.png") == "a.png"
    assert beside(tmp_path, "none/d.png") == "none/d.png"
    assert beside(tmp_path, "x" * 3000) == "x" * 3000  # too long to be a file
    assert beside(tmp_path, None) is None is beside(tmp_path, "")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_sizes_of_pictures(form: str) -> None:
    file = io.BytesIO()
    Image.new("RGB", (37, 21)).save(file, form)
    assert picture_size(file.getvalue()) == (37, 21)
    assert picture_size(file.getvalue()[:10]) is None


def test_the_size_of_a_picture_too_large_to_decode() -> None:
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (1280).to_bytes(4, "big") + (200_000).to_bytes(4, "big")
    assert picture_size(header) == (1280, 200_000)
    assert picture_size(b"no picture") is None
