"""Videos as they come: whole, cut, broken, not videos at all."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from curate.reduce.keyframes.pictures import chosen_keyframes
from curate.reduce.types import KeyframeOptions
from curate.reduce.video.clock import estimate_clock
from curate.reduce.video.decoding import Video, VideoError, to_rgb
from curate.reduce.video.pointer_track import pointer_track
from curate.reduce.video.screen_reel import open_screen
from tests.reduce.film import Film, blank, box, choose


def a_film() -> Film:
    film = Film(lambda time: box(blank(), int(time * 60) % 500, 100, int(time * 60) % 500 + 60, 160, 60), length=6.0)
    film.move(0.2, 0.8, (50, 50), (520, 60))
    return film


@pytest.mark.parametrize(
    ("codec", "pixels", "settings"),
    [
        ("libx264", "yuv420p", {"crf": "18", "bf": "3"}),
        ("libx264", "yuv444p", {"qp": "0", "preset": "ultrafast"}),
        ("libx264rgb", "rgb24", {"qp": "0"}),
        ("ffv1", "bgr0", {}),
        ("mpeg4", "yuv420p", {"qscale": "2"}),
    ],
)
def test_rebuilt_pictures_are_the_decoders_own(
    tmp_path: Path, codec: str, pixels: str, settings: dict[str, str]
) -> None:
    film = a_film()
    film.codec, film.pixels, film.settings, film.length = codec, pixels, settings, 1.0
    recording = film.recording(tmp_path, "film.mkv")
    assert recording.video is not None
    seen = 0
    for frame in Video(recording.video).frames():
        rgb = to_rgb(frame.planes, frame.layout)
        assert np.array_equal(rgb, frame.owner.to_ndarray(format="rgb24"))
        assert np.abs(rgb.astype(int) - film.frame(frame.time)).mean() < 6
        seen += 1
    assert seen == 30


def test_frames_nobody_needs_are_left_out_and_the_others_are_the_same(tmp_path: Path) -> None:
    film = a_film()
    film.settings = {"crf": "20", "bf": "3", "g": "60"}
    recording = film.recording(tmp_path)
    assert recording.video is not None
    every = {round(f.time, 3): f.planes[0].copy() for f in Video(recording.video).frames()}
    needed = {round(time, 3) for time in list(every)[::7]}
    some = {
        round(frame.time, 3): frame.planes[0].copy()
        for frame in Video(recording.video).frames(needed=lambda time: round(time, 3) in needed)
    }
    assert needed <= set(some) and len(some) < 0.8 * len(every)
    assert all(np.array_equal(picture, every[time]) for time, picture in some.items())


def test_packets_tell_times_without_decoding(tmp_path: Path) -> None:
    recording = a_film().recording(tmp_path)
    assert recording.video is not None
    packets = Video(recording.video).packets()
    assert [round(packet.time * 30) for packet in packets] == list(range(180)) and packets[0].key


@pytest.mark.parametrize("name", ["film.mkv", "film.ts"])
def test_a_cut_video_serves_as_far_as_it_goes(tmp_path: Path, name: str) -> None:
    film = a_film()
    early, late = film.click(1.5, 520, 60), film.click(5.5, 520, 60)
    film.settings = {"crf": "20", "g": "15", "tune": "zerolatency"}
    recording = film.recording(tmp_path, name)
    assert recording.video is not None
    whole = recording.video.read_bytes()
    recording.video.write_bytes(whole[: len(whole) // 2])
    first, last = choose(recording, [early, late])
    assert first.rgb is not None and last.rgb is None and last.picture.flags == ["keyframe_missing"]


def test_broken_bytes_in_the_middle_do_not_stop_the_rest(tmp_path: Path) -> None:
    film = a_film()
    early, late = film.click(1.0, 520, 60), film.click(5.5, 520, 60)
    film.settings = {"crf": "20", "g": "15", "tune": "zerolatency"}
    recording = film.recording(tmp_path, "film.ts")
    assert recording.video is not None
    data = bytearray(recording.video.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4000] = b"\x55" * 4000
    recording.video.write_bytes(bytes(data))
    assert all(found.rgb is not None for found in choose(recording, [early, late]))


@pytest.mark.parametrize("content", [b"", b"no video at all", b"\x00" * 5000])
def test_what_is_no_video_is_said_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    recording = a_film().recording(tmp_path)
    assert recording.video is not None
    recording.video.write_bytes(content)
    with pytest.raises(VideoError, match=r"film\.mp4"):
        open_screen(recording, pointer_track(recording.events()))


def test_an_mp4_whose_end_is_missing_is_said_in_one_sentence(tmp_path: Path) -> None:
    recording = a_film().recording(tmp_path)
    assert recording.video is not None
    data = recording.video.read_bytes()
    recording.video.write_bytes(data[: len(data) // 2])
    with pytest.raises(VideoError):
        open_screen(recording, pointer_track(recording.events()))


def test_a_video_of_sound_only_or_gone(tmp_path: Path) -> None:
    film = a_film()
    step = film.click(1.0, 520, 60)
    recording = film.recording(tmp_path)
    recording.video = tmp_path / "gone.mkv"
    track = pointer_track(recording.events())
    with pytest.raises(VideoError, match=r"gone\.mkv"):
        open_screen(recording, track)
    steps = list(chosen_keyframes(recording, [step], track, None, KeyframeOptions()))
    assert steps[0][1].picture.flags == ["keyframe_missing"]


def test_the_clock_of_an_empty_index_is_the_declared_one(tmp_path: Path) -> None:
    recording = a_film().recording(tmp_path)
    recording.video_start = 3.25
    track = pointer_track(recording.events())
    assert recording.video is not None
    clock = estimate_clock(recording, track, Video(recording.video), [])
    assert (clock.offset, clock.confidence, clock.method) == (3.25, 0.0, "declared")


def test_a_video_that_changes_its_size_or_begins_anew_in_the_middle(tmp_path: Path) -> None:
    """Two films joined by their bytes: the second has another size, and its times begin again."""
    film = a_film()
    step = film.click(1.5, 520, 60)
    film.settings, film.length = {"crf": "20", "g": "15", "tune": "zerolatency"}, 3.0
    recording = film.recording(tmp_path, "one.ts")
    assert recording.video is not None
    small = tmp_path / "small.ts"
    with av.open(str(small), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for _ in range(40):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((180, 320, 3), 90, np.uint8), "rgb24")))
        container.mux(stream.encode(None))
    recording.video.write_bytes(recording.video.read_bytes() + small.read_bytes())
    late = film.click(60.0, 520, 60)
    first, last = choose(recording, [step, late])
    assert first.rgb is not None and first.rgb.shape == (360, 640, 3)
    assert last.picture.flags == ["keyframe_missing"]
