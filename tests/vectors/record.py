"""Vectors of coordinates, schema, pictures and validation."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from curate.model import actions as act
from curate.model.constants import BLANK_SHARE, MAX_STEPS, MIN_STEPS_DESKTOP, UNCHANGED_MSE
from curate.model.coordinates import to_pixels, two_piles
from curate.model.scores import reward
from curate.model.trajectory import Score
from curate.stages import images, unroll, validate
from curate.stages.measures.loops import find_loop
from tests.stages.factories import buttons, decided, kept, reasons, run, step
from tests.vectors.registry import Vector, vector

# --- coordinates and schema -----------------------------------------------------------------------------------


@vector("frac_to_px_1920x1080", "frac_to_px_3840x2160")
def pixels(v: Vector, folder: Path) -> None:
    given = v["inputs"]
    assert list(to_pixels(given["x"], given["y"], given["W"], given["H"])) == v["expected"]


@vector("coord_refuse")
def refused(v: Vector, folder: Path) -> None:
    for (x, y), accepted in zip(v["inputs"]["points"], v["expected"], strict=True):
        rows = decided(validate.STAGE, [run("r", [step(0, act.Click(x=x, y=y))])])
        assert (kept(rows) == ["r"]) == accepted
        assert accepted or reasons(rows) == {"r": "validate.coordinate_out_of_range"}
        plain = {"type": "click", "x": x, "y": y}
        if accepted:
            msgspec.convert(plain, act.Action)
        else:
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(plain, act.Action)


@vector("coord_two_piles")
def piles(v: Vector, folder: Path) -> None:
    found = two_piles(v["inputs"]["x_values"])
    wanted = v["expected"]
    assert (found.diagnosis, found.fraction_like, found.pixel_like) == tuple(
        wanted[name] for name in ("diagnosis", "fraction_like", "pixel_like")
    )


@vector("action_space_pyautogui", "action_space_phone")
def action_space(v: Vector, folder: Path) -> None:
    known = {str(kind.__struct_config__.tag) for kind in get_args(act.Action)}
    phone = {
        "long_press": "longPress", "input_text": "write", "navigate_home": "home", "navigate_back": "back",
        "open_app": "openApp",
    }  # fmt: skip
    assert {phone.get(name, name) for name in v["expected"]} <= known


@vector("opencua_summarizer")
def summary_scores(v: Vector, folder: Path) -> None:
    scores = [Score(name=name, value=9, min=0, max=10, higher_is_better=True) for name in ("alignment", "efficiency")]
    record = run("r", [], scores=scores, completed=True, wordings={"actual_task": "x", "natural_language_task": "y"})
    assert [reward(score) for score in record.scores] == [9, 9]


@vector("opencua_flags_step")
def flags_of_the_step_itself(v: Vector, folder: Path) -> None:
    steps = [step(i, act.Click(x=0.1, y=0.1), correct=i != v["inputs"]["step"]) for i in range(6)]
    rows = decided(unroll.STAGE, [run("r", steps)])
    assert [row["step"] for row in rows if row["step"] is not None] == [v["inputs"]["step"]]


# --- pictures -------------------------------------------------------------------------------------------------


@vector("mse_threshold", "mse_cursor", "mse_quarter", "mse_alpha_dilutes")
def change_guard(v: Vector, folder: Path) -> None:
    given, wanted = v["inputs"], v["expected"]
    if "k" in given:
        assert pytest.approx(wanted["threshold"]) == UNCHANGED_MSE
        assert pytest.approx(wanted["level"], abs=v["tol"]) == UNCHANGED_MSE**0.5
        return
    if "rgb_mse" in given:
        assert not images.is_unchanged(given["rgb_mse"]) and images.is_unchanged(wanted["rgba_mse"])
        return
    share = given["pixels"] / given["total"] if "pixels" in given else given["share"]
    difference = share * given["delta"] ** 2
    assert difference == pytest.approx(wanted["mse"], abs=v["tol"])
    assert images.is_unchanged(difference) is not wanted["judged"]


@vector("blank_count", "blank_boundary")
def blank_guard(v: Vector, folder: Path) -> None:
    total = 1080 * 2280
    if "counts" in v["inputs"]:
        assert [images.is_blank(count / total) for count in v["inputs"]["counts"]] == v["expected"]
    else:
        assert total == v["expected"]["pixels"]
        assert pytest.approx(v["expected"]["share"], abs=v["tol"]) == BLANK_SHARE


# --- validation -----------------------------------------------------------------------------------------------


@vector("loop_single", "loop_set", "loop_two", "loop_interrupted")
def loop(v: Vector, folder: Path) -> None:
    assert (find_loop(v["inputs"]["actions"]) is not None) == v["expected"]


@vector("qc_desktop")
def short_desktop_recordings(v: Vector, folder: Path) -> None:
    assert v["inputs"]["reject_below"] == MIN_STEPS_DESKTOP
    options = validate.ValidateOptions(min_steps=MIN_STEPS_DESKTOP)
    runs = [buttons("four", list("abcd")), buttons("five", list("abcde"))]
    assert kept(decided(validate.STAGE, runs, options)) == ["five"]


@vector("digidata_stop")
def stop_classes(v: Vector, folder: Path) -> None:
    assert v["expected"]["max_steps"] == MAX_STEPS
    composing, posting = [step(0, act.Write(text="post it"))], [step(0, act.Click(x=0.1, y=0.1), name="Post")]
    found = {row["id"]: row["flags"] for row in decided(validate.STAGE, [run("c", composing), run("p", posting)])}
    assert "validate.writes_state" in found["p"]
    assert "validate.writes_state" not in found["c"]
