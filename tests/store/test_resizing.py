"""Pictures in another size: sizes as trainers compute them, and pixels against a second library."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from curate.model.constants import MAX_PICTURE_PIXELS
from curate.model.smart_resize import AspectError
from curate.store.resizing import SizeOptions, extension_of, resize_picture, target_size

QWEN = 12_845_056  # max_pixels of OpenCUA, UI-TARS 1.5 and Qwen2.5-VL


def screen(width: int, height: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), 70, np.uint8)
    for _ in range(60):
        x, y = rng.integers(0, width - 30), rng.integers(0, height - 20)
        picture[y : y + rng.integers(4, 60), x : x + rng.integers(4, 200)] = rng.integers(0, 255, 3)
    return picture


def packed(picture: np.ndarray, kind: str, **more: object) -> bytes:
    data = io.BytesIO()
    Image.fromarray(picture).save(data, kind, **more)
    return data.getvalue()


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.parametrize(
    ("size", "multiple", "most", "expected"),
    [
        ((1280, 720), 28, QWEN, (1288, 728)),  # the published example of OpenCUA
        ((1522, 1022), 28, QWEN, (1512, 1008)),  # 36.5 rows are rounded to even, as Python does and JavaScript does not
        ((1366, 768), 32, QWEN, (1376, 768)),
        ((3840, 2160), 28, 1_003_520, (1316, 728)),
        ((10, 10), 28, QWEN, (28, 28)),
    ],
)
def test_sizes_as_models_compute_them(
    size: tuple[int, int], multiple: int, most: int, expected: tuple[int, int]
) -> None:
    assert target_size(*size, SizeOptions(multiple=multiple, max_pixels=most)) == expected


@given(
    st.integers(1, 5000), st.integers(1, 5000), st.sampled_from([1, 14, 28, 32]), st.integers(1024, 10_000_000),
    st.one_of(st.none(), st.tuples(st.integers(64, 4000), st.integers(64, 4000))),
)  # fmt: skip
def test_no_size_breaks_what_was_asked(width: int, height: int, multiple: int, most: int, box: object) -> None:
    options = SizeOptions(max_pixels=most, multiple=multiple, size=box)  # type: ignore[arg-type]
    if multiple > 1 and max(width, height) > 200 * min(width, height):  # the models' own processors refuse it
        with pytest.raises(AspectError):
            target_size(width, height, SizeOptions(max_pixels=most, multiple=multiple))
        return
    across, down = target_size(width, height, options)
    assert across % multiple == down % multiple == 0 and across > 0 and down > 0
    narrow = min(across, down) == multiple  # a sliver keeps one multiple
    assert across * down <= most or narrow
    if box is not None:
        assert (across <= box[0] and down <= box[1]) or narrow  # type: ignore[index]
    if multiple == 1:
        assert across <= width and down <= height
        if min(across, down) > 20:
            assert math.isclose(across / down, width / height, rel_tol=0.1)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("most", [1_000_000, 300_000, 50_000])
def test_the_picture_is_the_mean_of_its_pixels(kind: str, most: int) -> None:
    """Pillow's box filter is the second implementation. A JPEG decoded at half its size is as near as JPEGs are."""
    picture = screen(1920, 1080)
    data = packed(picture, kind, **({"quality": 95} if kind == "JPEG" else {}))
    extension = "jpg" if kind == "JPEG" else "png"
    made = resize_picture(data, extension, SizeOptions(max_pixels=most))
    assert made is not None and made.width * made.height <= most
    expected = np.asarray(Image.fromarray(picture).resize((made.width, made.height), Image.Resampling.BOX)).astype(int)
    found = pixels(made.data)
    assert found.shape == expected.shape
    assert np.abs(found - expected).mean() < (0.7 if kind == "PNG" else 3)
    assert made == resize_picture(data, extension, SizeOptions(max_pixels=most))


def test_what_needs_no_change_stays_byte_for_byte() -> None:
    png, jpeg = packed(screen(320, 200), "PNG"), packed(screen(320, 200), "JPEG")
    for options in (SizeOptions(max_pixels=64_000), SizeOptions(size=(320, 200)), SizeOptions(size=(4000, 4000))):
        made = resize_picture(png, "png", options)
        assert made is not None and made.data == png and (made.width, made.height) == (320, 200)
        made = resize_picture(jpeg, "jpg", options)
        assert made is not None and made.data == jpeg
    made = resize_picture(png, "jpg", SizeOptions(jpeg=80))
    assert made is not None and made.data[:2] == b"\xff\xd8"
    assert np.abs(pixels(made.data) - screen(320, 200)).mean() < 5


def test_extensions() -> None:
    assert [extension_of(e, SizeOptions(max_pixels=1)) for e in ("png", "jpg", "jpeg", "webp")] == [
        "png", "jpg", "jpg", "png",
    ]  # fmt: skip
    assert extension_of("png", SizeOptions(jpeg=90)) == "jpg"
    made = resize_picture(packed(screen(100, 80), "WEBP"), "png", SizeOptions(max_pixels=100_000))
    assert made is not None and made.data[:4] == b"\x89PNG"


def test_a_picture_that_is_to_be_shown_turned_is_turned() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = io.BytesIO()
    Image.fromarray(screen(400, 200)).save(data, "JPEG", exif=exif)
    made = resize_picture(data.getvalue(), "jpg", SizeOptions(size=(100, 100)))
    assert made is not None and (made.width, made.height) == (50, 100)


@pytest.mark.parametrize("data", [b"", b"no picture", packed(screen(64, 64), "PNG")[:200],
                                  packed(screen(300, 200), "JPEG")[:900]])  # fmt: skip
def test_what_is_no_picture_gives_none(data: bytes) -> None:
    assert resize_picture(data, "png", SizeOptions(max_pixels=100)) is None


def test_names_of_options_differ_where_they_do() -> None:
    some = [SizeOptions(max_pixels=100), SizeOptions(size=(10, 10)), SizeOptions(size=(10, 10), jpeg=90),
            SizeOptions(max_pixels=100, multiple=28), SizeOptions(jpeg=90), SizeOptions(jpeg=9)]  # fmt: skip
    assert len({str(one) for one in some}) == len(some) and SizeOptions().any is False
    assert MAX_PICTURE_PIXELS > 3840 * 2160
