"""The parts of the screen's recording that need no display."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.constants import NS_PER_MS
from curate.store.lossless import KEY_FRAME_EVERY
from curate.store.recording import read_frames
from recorders.boxes import Box
from recorders.desktop.base import PointerFiles
from recorders.desktop.monitors import Place, layout, x11_scale
from recorders.screen.blackout import Black, blacken, uncovered, united
from recorders.screen.changed_bands import ChangedBands
from recorders.screen.pace import BYTES_A_SECOND, BYTES_SAVED_UP, FramePace
from recorders.screen.picture import ScreenPicture
from recorders.screen.regions import around, clipped, gathered
from recorders.screen.video import KEY_FRAME_BYTES_A_FRAME, VideoWriter
from tests.recorders.filming import write_bgra

WIDTH, HEIGHT = 130, 100
WHOLE: Box = (0, 0, WIDTH, HEIGHT)


@st.composite
def boxes(draw: st.DrawFn, margin: int = 20) -> Box:
    left, top = draw(st.integers(-margin, WIDTH + margin)), draw(st.integers(-margin, HEIGHT + margin))
    return left, top, left + draw(st.integers(1, WIDTH)), top + draw(st.integers(1, HEIGHT))


def mask(parts: list[Box]) -> np.ndarray:
    """Which pixels of the picture are covered, painted one by one."""
    covered = np.zeros((HEIGHT, WIDTH), bool)
    for left, top, right, bottom in parts:
        covered[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = True
    return covered


@given(st.lists(boxes(), max_size=12))
def test_gathered_boxes_cover_what_was_given_and_do_not_overlap(given_boxes: list[Box]) -> None:
    cut = clipped(given_boxes, WHOLE)
    assert (mask(cut) == mask(given_boxes)).all()
    found = gathered(cut)
    assert (mask(found) >= mask(cut)).all()
    assert sum((b[2] - b[0]) * (b[3] - b[1]) for b in found) == mask(found).sum(), "no pixel twice"
    if cut:
        assert clipped(found, around(cut)) == found, "nothing beyond what holds all"


@given(st.lists(boxes(), max_size=5), st.lists(boxes(), max_size=5), boxes())
def test_whatever_is_black_before_or_after_is_black(before: list[Box], after: list[Box], place: Box) -> None:
    place = (clipped([place], WHOLE) or [WHOLE])[0]
    left, top, right, bottom = place
    pixels = np.full((bottom - top, right - left, 4), 200, np.uint8)
    blacken(pixels, place, united(before, after))
    black = mask([*before, *after])[top:bottom, left:right]
    assert (pixels[black] == 0).all()
    assert (pixels[~black] == 200).all()


@given(st.lists(boxes(), max_size=5), st.lists(boxes(), max_size=5))
def test_what_is_not_black_any_more_is_looked_at_again(before: list[Box], now: list[Box]) -> None:
    again = uncovered(before, now, WHOLE)
    assert (mask(again) == (mask(before) & ~mask(now))).all()
    assert (mask(uncovered("all", now, WHOLE)) == ~mask(now)).all()
    assert uncovered(before, "all", WHOLE) == []


def test_all_wins() -> None:
    everything: Black = "all"
    assert united(everything, [WHOLE]) == united([WHOLE], everything) == "all"
    pixels = np.full((4, 5, 4), 9, np.uint8)
    blacken(pixels, (0, 0, 5, 4), "all")
    assert not pixels.any()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(boxes(0), st.integers(0, 2**32 - 1)), min_size=1, max_size=8))
def test_a_picture_made_of_parts_is_the_picture_made_at_once(parts: list[tuple[Box, int]]) -> None:
    """Whatever the order and overlap of the parts, and however often one is shown: the same as showing the result."""
    screen = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    pieces, whole = ScreenPicture(WIDTH, HEIGHT), ScreenPicture(WIDTH, HEIGHT)
    for box, seed in parts:
        for left, top, right, bottom in clipped([box], WHOLE):
            colours = np.random.default_rng(seed).integers(0, 256, (bottom - top, right - left, 4), dtype=np.uint8)
            other = not np.array_equal(screen[top:bottom, left:right, :3], colours[..., :3])
            screen[top:bottom, left:right] = colours
            said = pieces.show(screen[top:bottom, left:right], left, top)
            assert other or not said, "no change is seen where there is none"
            assert not pieces.show(screen[top:bottom, left:right], left, top)
    whole.show(screen, 0, 0)
    assert np.array_equal(pieces.rgb(), whole.rgb())
    assert np.abs(whole.rgb().astype(int) - screen[..., 2::-1]).max() <= 1, "every colour within one level"
    assert pieces.blacken(WHOLE) == bool(screen[..., :3].any())
    assert not pieces.rgb().any()


def test_every_grey_and_every_pure_colour_comes_back_exactly_or_by_one() -> None:
    ramp = np.arange(256, dtype=np.uint8)
    for which in ((0, 1, 2), (0,), (1,), (2,)):
        pixels = np.zeros((1, 256, 4), np.uint8)
        pixels[0, :, which] = ramp
        picture = ScreenPicture(256, 1)
        picture.show(pixels, 0, 0)
        error = np.abs(picture.rgb().astype(int) - pixels[..., 2::-1]).max()
        assert error == 0 if len(which) == 3 else error <= 1


def test_the_video_is_the_pictures_bit_for_bit_and_one_picture_serves_them_all(tmp_path: Path) -> None:
    """The encoder reads the picture before `write_picture` returns: changing it afterwards changes no earlier frame."""
    rng = np.random.default_rng(5)
    writer, picture, shown = VideoWriter(tmp_path, WIDTH, HEIGHT), ScreenPicture(WIDTH, HEIGHT), []
    for number in range(KEY_FRAME_EVERY + 10):
        part = rng.integers(0, 256, (20, 30, 4), dtype=np.uint8)
        picture.show(part, int(rng.integers(0, WIDTH - 30)), int(rng.integers(0, HEIGHT - 20)))
        shown.append(picture.rgb())
        writer.write_picture(picture, 10**9 + number * 40_000_000)
    writer.close()
    with av.open(str(writer.path)) as video:
        packets = [packet for packet in video.demux(video=0) if packet.size]
        assert abs(sum(packet.size for packet in packets) - writer.size) < 100, "`size` is what is in the file"
        assert [n for n, packet in enumerate(packets) if packet.is_keyframe] == [0, KEY_FRAME_EVERY]
    with av.open(str(writer.path)) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) == writer.frames == len(shown)
    assert all(np.array_equal(frame, kept) for frame, kept in zip(frames, shown, strict=True))


def test_large_key_frames_are_rare(tmp_path: Path) -> None:
    """Noise all over the picture, in which one pixel changes: a caret before a photograph."""
    noise = np.random.default_rng(1).integers(0, 256, (400, 600, 4), dtype=np.uint8)
    writer, picture = VideoWriter(tmp_path, 600, 400), ScreenPicture(600, 400)
    for number in range(200):
        noise[0, 0] = number
        picture.show(noise if number == 0 else noise[:1, :1], 0, 0)
        writer.write_picture(picture, 10**9 + number * 500_000_000)
    writer.close()
    with av.open(str(writer.path)) as video:
        packets = [packet for packet in video.demux(video=0) if packet.size]
    keys = [n for n, packet in enumerate(packets) if packet.is_keyframe]
    first = packets[0].size
    assert first > 500_000
    assert keys[1] == first // KEY_FRAME_BYTES_A_FRAME, "as far away as the first one was large"
    assert writer.size < first * 2.2


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1)), max_size=10))
def test_changed_rows_are_found_by_looking(places: list[tuple[int, int]]) -> None:
    seen = ChangedBands()
    first = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    assert seen.changed(first.copy()) == [WHOLE]
    assert seen.changed(first.copy()) == []
    other = first.copy()
    for y, x in places:
        other[y, x, 1] = 7
    found = seen.changed(other)
    assert all(mask(found)[y, x] for y, x in places)
    assert mask(found).any() == bool(places)
    assert seen.changed(np.zeros((HEIGHT // 2, WIDTH, 4), np.uint8)) == [(0, 0, WIDTH, HEIGHT // 2)]


def test_monitors_lie_where_they_are_in_the_recorded_region() -> None:
    """The primary monitor's corner is the system's origin; the one to its left and above has a negative place there."""
    primary, side = Place(0, 0, 1920, 1080, 1.0, True), Place(-1280, -200, 1280, 1024, 2.0, False)
    found = layout([primary, side])
    assert found.origin == (-1280, -200)
    assert (found.screen.width, found.screen.height, found.screen.scale) == (3200, 1280, 1.0)
    assert [(m.x, m.y, m.width, m.height, m.scale, m.primary) for m in found.monitors] == [
        (1280, 200, 1920, 1080, 1.0, True),
        (0, 0, 1280, 1024, 2.0, False),
    ]


def test_a_monitor_that_comes_later_on_the_left_has_a_negative_place() -> None:
    """The recorded region stays where it was when recording began."""
    primary, side = Place(0, 0, 1920, 1080, None, True), Place(-1280, 0, 1280, 1024, None, False)
    began = layout([primary])
    later = layout([side, primary], began.origin)
    assert [(m.x, m.y) for m in later.monitors] == [(-1280, 0), (0, 0)]
    assert later.screen.width == 1920


@given(
    st.lists(
        st.builds(Place, *[st.integers(-9000, 9000)] * 2, *[st.integers(1, 8000)] * 2),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_every_monitor_lies_in_the_region_and_the_region_is_no_larger(places: list[Place]) -> None:
    found = layout(places)
    assert min(m.x for m in found.monitors) == min(m.y for m in found.monitors) == 0
    assert max(m.x + m.width for m in found.monitors) == found.screen.width
    assert max(m.y + m.height for m in found.monitors) == found.screen.height
    for place, monitor in zip(places, found.monitors, strict=True):
        assert (monitor.x + found.origin[0], monitor.y + found.origin[1]) == place[:2]


@pytest.mark.parametrize(
    ("resources", "scale"),
    [
        (b"", 1.0),
        (b"Xft.dpi:\t192\nXft.hinting: 1\n", 2.0),
        (b"*customization:\t-color\nXft.dpi: 144", 1.5),
        (b"Xft.dpi: huge", 1.0),
        (b"Xft.dpi: -96", 1.0),
        (b"Xft.dpi", 1.0),
    ],
)
def test_the_scale_that_x11_programs_are_told(resources: bytes, scale: float) -> None:
    assert x11_scale(resources) == scale


def test_small_pictures_come_at_full_pace_and_huge_ones_slower() -> None:
    pace, at = FramePace(25), 100.0
    for _ in range(1000):
        pace.taken(at, 50_000)
        at += pace.wait()
    assert pace.wait() == 1 / 25
    assert round(pace.rate(at)) == 25
    huge, begun, size = FramePace(25), at, 0
    while at < begun + 120:
        huge.taken(at, 3_000_000)
        size += 3_000_000
        at += huge.wait()
    assert huge.wait() > 1 / 25
    most = BYTES_SAVED_UP + 120 * max(BYTES_A_SECOND, 3_000_000 / 0.5)
    assert size <= most + 3_000_000
    assert any("spare the disk" in note for note in huge.notes())


def test_a_screen_that_never_rests_is_noted_with_its_rate() -> None:
    pace = FramePace(25)
    for n in range(300):
        pace.taken(n / 20, 1000)
    pace.taken(100.0, 1000)
    assert pace.notes() == [
        "Something on the screen changed without a pause for 15 s; "
        "20.1 pictures a second were taken of it (at most 25)."
    ]
    calm = FramePace(25)
    for n in range(300):
        calm.taken(n * 0.3, 1000)
    assert calm.notes() == []


def test_a_pointer_shape_is_stored_once(tmp_path: Path) -> None:
    files = PointerFiles(tmp_path, "pointers")
    first, again, other = files.keep(b"one"), files.keep(b"one"), files.keep(b"two")
    assert first == again != other
    assert (tmp_path / first).read_bytes() == b"one"
    assert len(list((tmp_path / "pointers").iterdir())) == 2


def test_premultiplied_pointer_pixels_become_straight() -> None:
    import io

    from PIL import Image

    from recorders.desktop.x11_desktop import pointer_png

    picture = Image.open(io.BytesIO(pointer_png(2, 1, [0x80400000, 0x00000000])))
    red, clear = picture.getpixel((0, 0)), picture.getpixel((1, 0))
    assert isinstance(red, tuple)
    assert isinstance(clear, tuple)
    assert abs(red[0] - 128) <= 1
    assert red[1:3] == (0, 0)
    assert red[3] == 128
    assert clear[3] == 0


def test_video_keeps_every_time_and_every_colour(tmp_path: Path) -> None:
    """Coloured one-pixel lines, the worst case for chroma; times with uneven gaps, two in the same millisecond."""
    rng = np.random.default_rng(3)
    writer = VideoWriter(tmp_path, 200, 120)
    times, pictures, t = [], [], 7_000_000_123
    for gap_us in (0, 40_000, 3_000, 400, 1_250_000, 40_000, 16_667):
        t += gap_us * 1000
        picture = np.full((120, 200, 4), 255, np.uint8)
        picture[rng.integers(0, 120, 30)] = (*rng.integers(0, 256, 3), 255)
        times.append(t)
        pictures.append(picture)
        write_bgra(writer, picture.tobytes(), t)
    writer.close()
    rows = read_frames(tmp_path / "frames.jsonl")
    assert [row.t for row in rows] == times
    with av.open(str(tmp_path / "screen.mkv")) as video:
        stream = video.streams.video[0]
        assert stream.codec_context.pix_fmt == "yuvj444p", "full colour resolution and the full range of values"
        frames = list(video.decode(stream))
    assert [round(f.pts * f.time_base * 1000) for f in frames] == [row.pts for row in rows]
    assert all(abs((row.t - times[0]) / NS_PER_MS - row.pts) < 2 for row in rows)
    for frame, picture in zip(frames, pictures, strict=True):
        seen = frame.to_ndarray(format="rgb24").astype(int)
        assert np.abs(seen - picture[..., 2::-1].astype(int)).max() <= 1
