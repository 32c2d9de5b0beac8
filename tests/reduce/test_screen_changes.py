"""What the screen did between two moments, on films."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.reduce.video.pointer_track import pointer_track
from curate.reduce.video.screen_changes import ReelChanges
from curate.reduce.video.screen_reel import ScreenReel, open_screen
from tests.reduce.film import Film, blank, box, text


def reel_of(film: Film, folder: Path, **fields: object) -> ScreenReel:
    recording = film.recording(folder, **fields)
    reel = open_screen(recording, pointer_track(recording.events()))
    assert reel is not None
    return reel


@pytest.mark.parametrize("pointer", [False, True])
def test_a_new_box_is_a_change_there_and_the_pointer_is_none(tmp_path: Path, pointer: bool) -> None:
    film = Film(lambda time: box(blank(), 300, 100, 400, 200, 60) if time > 2.0 else blank(), pointer=pointer)
    film.move(0.3, 1.5, (50, 300), (500, 300))
    changes = ReelChanges(reel_of(film, tmp_path))
    assert not changes.changed(0.2, 1.8) and changes.changed_regions(0.2, 1.8) == []
    assert changes.changed(1.8, 2.5)
    (region,) = changes.changed_regions(1.8, 2.5)
    assert all(abs(side - true) <= 16 for side, true in zip(region, (300, 100, 400, 200), strict=True))
    assert not changes.changed(2.5, 3.5)


def test_what_came_and_went_is_no_change(tmp_path: Path) -> None:
    film = Film(lambda time: box(blank(), 300, 100, 400, 200, 60) if 1.0 < time < 2.0 else blank(), length=3.0)
    film.move(0.1, 0.2, (10, 10), (11, 11))
    changes = ReelChanges(reel_of(film, tmp_path))
    assert changes.changed(0.5, 1.5) and not changes.changed(0.5, 2.5)


def test_a_clock_is_none(tmp_path: Path) -> None:
    film = Film(lambda time: text(blank(), f"12:00:{int(time):02}", 500, 350), length=9.0)
    film.move(0.1, 0.2, (10, 10), (11, 11))
    changes = ReelChanges(reel_of(film, tmp_path))
    assert not changes.changed(5.5, 8.5)


def test_moments_that_no_frame_shows_differ_from_nothing(tmp_path: Path) -> None:
    film = Film(lambda time: box(blank(), 300, 100, 400, 200, int(time * 40)), length=2.0, zero=1.0)
    film.move(0.1, 0.2, (10, 10), (11, 11))
    changes = ReelChanges(reel_of(film, tmp_path))
    assert not changes.changed(0.2, 0.8) and not changes.changed(0.5, 2.0) and not changes.changed(2.0, 9.0)


def test_frames_written_only_on_change_stay_until_the_next(tmp_path: Path) -> None:
    """As our recorder writes them: the last one stays as long as the recording does."""
    film = Film(lambda time: box(blank(), 300, 100, 400, 200, 60) if time > 2.0 else blank(), length=3.0)
    film.only_changes = True
    film.move(0.1, 0.2, (10, 10), (11, 11))
    changes = ReelChanges(reel_of(film, tmp_path))
    assert not changes.changed(0.2, 1.9) and changes.changed(1.9, 2.2) and not changes.changed(2.2, 60.0)
