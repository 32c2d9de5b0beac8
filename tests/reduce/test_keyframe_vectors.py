"""The seed documents' keyframe vectors, filmed: their frames A and B are two screens, their times seconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curate.reduce.keyframes.leak_measures import on_target
from curate.reduce.keyframes.targets import Target
from tests.reduce.film import Film, Picture, blank, box, choose, patch

LEVELS = {"A": 70, "B": 150}
PANEL = (60, 60, 300, 200)
TARGET = (520.0, 300.0)
FAR = (100.0, 320.0)


@pytest.fixture(scope="module")
def vectors(shared: Path) -> dict[str, dict[str, Any]]:
    held = json.loads((shared / "vectors" / "seed_vectors.json").read_text(encoding="utf-8"))
    return {vector["id"]: vector for vector in held["vectors"] if vector["capability"].startswith("keyframe")}


def filmed(inputs: dict[str, Any], folder: Path, far_until: float, noise: float = 0.0) -> tuple[str, Any]:
    """The screen (A or B) that the chosen picture shows, and what is said of it. The pointer leaves its place at
    `far_until` and arrives a little before the click."""
    states = [(time, name.split("+")[0].split("~")[0]) for time, name in inputs["frames"]]
    grain = np.random.default_rng(0)

    def draw(time: float) -> Picture:
        name = max((entry for entry in states if entry[0] <= time), default=states[0])[1]
        picture = box(blank(), *PANEL, LEVELS[name])
        return np.clip(picture + grain.normal(0, noise, picture.shape), 0, 255).astype(np.uint8) if noise else picture

    click = float(inputs["t_click"])
    film = Film(draw, length=click + 0.4)
    film.move(0.0, 0.01, FAR)
    film.move(far_until, max(far_until + 0.1, click - 0.2), FAR, TARGET)
    step = film.click(click, *TARGET)
    found = choose(film.recording(folder), [step])[0]
    shown = min(LEVELS, key=lambda name: abs(LEVELS[name] - patch(found, *PANEL)))
    return shown, found.picture


@pytest.mark.parametrize("name", ["keyframe_basic", "keyframe_same_as_first"])
def test_the_screen_acted_on_is_shown(vectors: dict[str, Any], name: str, tmp_path: Path) -> None:
    """The screen is the vector's; of its frames we take the latest that serves, the seed the first."""
    vector = vectors[name]
    shown, picture = filmed(vector["inputs"], tmp_path, far_until=vector["inputs"]["mouse_start"])
    assert shown == vector["expected"][1]
    assert picture.keyframe.pointer_on_target is False


def test_noise_of_the_codec_makes_no_other_screen(vectors: dict[str, Any], tmp_path: Path) -> None:
    vector = vectors["keyframe_noise"]
    shown, picture = filmed(vector["inputs"], tmp_path, far_until=vector["inputs"]["mouse_start"], noise=2.0)
    assert shown == vector["should_be"][1].split("~")[0]
    assert picture.keyframe.pointer_on_target is False and picture.keyframe.rule == "latest_away"


def test_a_page_that_changes_during_the_move_is_shown_as_it_became(vectors: dict[str, Any], tmp_path: Path) -> None:
    vector = vectors["keyframe_move_during_change"]
    shown, picture = filmed(vector["inputs"], tmp_path, far_until=vector["inputs"]["cursor_far_until"])
    assert shown == vector["expected"]["image"]
    assert picture.keyframe.pointer_on_target is False


def test_without_a_frame_before_the_action_the_picture_is_missing(vectors: dict[str, Any], tmp_path: Path) -> None:
    """The film begins after the click."""
    vector = vectors["keyframe_no_frame_before"]
    assert "keyframe_missing" in vector["should_be"]
    film = Film(lambda time: blank(), length=1.0, zero=float(vector["inputs"]["t_click"]) + 1.0)
    film.move(0.0, 0.01, FAR)
    film.move(0.5, 2.5, FAR, TARGET)
    step = film.click(float(vector["inputs"]["t_click"]), *TARGET)
    found = choose(film.recording(tmp_path, frame_times=[4.0 + i / 30 for i in range(30)]), [step])[0]
    assert found.picture.flags == ["keyframe_missing"] and found.rgb is None


def test_clicking_where_the_pointer_is_in_the_picture_is_counted(vectors: dict[str, Any]) -> None:
    vector = vectors["lazy_cursor"]["inputs"]
    radius, hits = vector["hit_radius"], 0
    for cursor, (x, y) in zip(vector["cursor"], vector["target"], strict=True):
        around = Target(x=x, y=y, box=(x - radius, y - radius, x + radius, y + radius))
        hits += bool(on_target(tuple(cursor), around))
    assert hits == vectors["lazy_cursor"]["expected"]["hits"]
